/**
 * Where records wait: a queue of batches for each partition. Appending is synchronous and allocates nothing but the
 * promise; what has to wait (metadata, memory) is told by the return value and left to producer.ts.
 */
import type { Cluster } from '../cluster/cluster.js'
import type { TopicMetadata } from '../cluster/metadata.js'
import { BufferPool } from './buffer-pool.js'
import { PartitionQueue } from './partition-queue.js'
import { type PartitionLoad, RoundRobin, StickyPartition, partitionOfKey } from './partitioner.js'
import { ProducerBatch } from './producer-batch.js'
import type { ResolvedProducerOptions } from './producer-options.js'
import { RECORD_BATCH_OVERHEAD } from '../../records/record-batch-header.js'
import { configError } from '../errors.js'
import type { HeaderList } from './record-encoder.js'

/** A record as bytes. */
export interface EncodedRecord {
  readonly topic: string
  readonly partition: number | undefined
  readonly key: Uint8Array | null
  readonly value: Uint8Array | null
  readonly headers: HeaderList
  readonly timestamp: number
}

/** Length prefix, attributes, deltas and lengths of a record take at most this, besides its headers' lengths. */
const RECORD_OVERHEAD_MAX = 5 + 1 + 10 + 5 + 5 + 5 + 5
const HEADER_OVERHEAD_MAX = 5 + 5

/** Upper bound of a batch with this record alone, in bytes. */
export function sizeBound({ key, value, headers }: EncodedRecord): number {
  let size = RECORD_BATCH_OVERHEAD + RECORD_OVERHEAD_MAX + (key?.length ?? 0) + (value?.length ?? 0)
  for (const [name, content] of headers) {
    size += HEADER_OVERHEAD_MAX + name.length + (content?.length ?? 0)
  }
  return size
}

class TopicQueues implements PartitionLoad {
  readonly queues: PartitionQueue[] = []
  readonly sticky: StickyPartition
  readonly roundRobin = new RoundRobin()
  #metadata: TopicMetadata

  constructor(metadata: TopicMetadata, isAdaptive: boolean) {
    this.#metadata = metadata
    this.sticky = new StickyPartition(isAdaptive)
    this.update(metadata)
  }

  get partitionCount(): number {
    return this.#metadata.partitions.length
  }

  readonly isAvailable = (partition: number): boolean =>
    (this.#metadata.partitions[partition]?.leader ?? -1) >= 0

  readonly queueLength = (partition: number): number => this.queues[partition]!.batches.length

  update(metadata: TopicMetadata): void {
    this.#metadata = metadata
    for (let p = this.queues.length; p < metadata.partitions.length; p++) {
      this.queues.push(new PartitionQueue(metadata.name, p))
    }
  }
}

export class Accumulator {
  readonly pool: BufferPool
  /** Queues that hold batches. */
  readonly active = new Set<PartitionQueue>()
  readonly #cluster: Cluster
  readonly #options: ResolvedProducerOptions
  readonly #topics = new Map<string, TopicQueues>()
  #metadataVersion = -1
  #nextOrder = 0

  constructor(cluster: Cluster, options: ResolvedProducerOptions) {
    this.#cluster = cluster
    this.#options = options
    this.pool = new BufferPool(options)
  }

  /**
   * Appends a record. Returns its batch, 'metadata' if the topic or partition is not known, or 'memory' if none is
   * left. Throws ERR_CLIENT_CONFIG if the partitioner answers nonsense.
   */
  append(record: EncodedRecord, nowMs: number): ProducerBatch | 'metadata' | 'memory' {
    const topic = this.#topic(record.topic)
    if (topic === undefined) return 'metadata'
    const isSticky = record.partition === undefined && this.#isSticky(record.key)
    const partition = isSticky ? topic.sticky.partition(topic) : this.#partition(record, topic)
    const queue = topic.queues[partition]
    if (queue === undefined) return 'metadata'

    const { timestamp, key, value, headers } = record
    const open = queue.openBatch
    const before = open?.sizeBytes ?? 0
    if (open?.tryAppend(timestamp, key, value, headers) === true) {
      if (isSticky) topic.sticky.appended(open.sizeBytes - before, this.#options.batchSize, false)
      return open
    }
    open?.close()
    // The next batch of a sticky topic may begin elsewhere.
    if (isSticky && open !== undefined) {
      topic.sticky.appended(0, this.#options.batchSize, true)
      if (topic.sticky.partition(topic) !== partition) return this.append(record, nowMs)
    }
    const batch = this.newBatch(sizeBound(record), nowMs)
    if (batch === null) return 'memory'
    batch.tryAppend(timestamp, key, value, headers)
    queue.batches.push(batch)
    this.active.add(queue)
    if (isSticky) topic.sticky.appended(batch.sizeBytes, this.#options.batchSize, false)
    return batch
  }

  /** An empty batch with room for `bytes`; null if there is no memory. */
  newBatch(bytes: number, nowMs: number): ProducerBatch | null {
    const buffer = this.pool.take(bytes)
    if (buffer === null) return null
    return new ProducerBatch(buffer, this.#options.compressionType, nowMs, this.#nextOrder++)
  }

  /** Partitions of a topic as known; undefined if the topic is not. */
  partitionCount(topic: string): number | undefined {
    return this.#topic(topic)?.partitionCount
  }

  #topic(name: string): TopicQueues | undefined {
    const { metadata } = this.#cluster
    if (metadata.version !== this.#metadataVersion) {
      this.#metadataVersion = metadata.version
      for (const [known, queues] of this.#topics) {
        const topic = metadata.topic(known)
        if (topic !== undefined) queues.update(topic)
      }
    }
    const known = this.#topics.get(name)
    if (known !== undefined) return known
    const topic = metadata.topic(name)
    if (topic === undefined) return undefined
    const queues = new TopicQueues(topic, this.#options.partitionerAdaptivePartitioningEnable)
    this.#topics.set(name, queues)
    return queues
  }

  #isSticky(key: Uint8Array | null): boolean {
    const { partitioner, partitionerIgnoreKeys } = this.#options
    if (partitioner === 'uniformSticky') return true
    return partitioner === 'default' && (key === null || partitionerIgnoreKeys)
  }

  #partition(record: EncodedRecord, topic: TopicQueues): number {
    if (record.partition !== undefined) return record.partition
    const { partitioner } = this.#options
    const { partitionCount } = topic
    if (partitioner === 'default') return partitionOfKey(record.key!, partitionCount)
    if (partitioner === 'roundRobin') return topic.roundRobin.partition(topic)
    if (typeof partitioner !== 'function') return topic.sticky.partition(topic)
    const { topic: name, key, value } = record
    const partition = partitioner({ topic: name, key, value, partitionCount })
    if (Number.isInteger(partition) && partition >= 0 && partition < partitionCount)
      return partition
    throw configError(
      `The partitioner answered ${String(partition)} for topic "${name}", which has ` +
        `${partitionCount} partitions; it must answer 0 to ${partitionCount - 1}.`,
    )
  }
}
