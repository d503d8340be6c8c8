/** The producer: takes records, waits for what they need (metadata, memory), and hands them to the accumulator. */
import { type Clock, systemClock } from '../../base/clock.js'
import { ErrorCode } from '../../protocol/error-codes.js'
import { Cluster } from '../cluster/cluster.js'
import type { PartitionMetadata } from '../cluster/metadata.js'
import { KafkaError, closedError, configError } from '../errors.js'
import { Accumulator, type EncodedRecord, sizeBound } from './accumulator.js'
import type { ProducerBatch } from './producer-batch.js'
import { ProducerMetrics, type ProducerMetricsSnapshot } from './producer-metrics.js'
import {
  type ProducerOptions,
  type ResolvedProducerOptions,
  resolveProducerOptions,
} from './producer-options.js'
import { type Bytes, type HeadersInput, headerList, toBytes } from './record-encoder.js'
import type { RecordMetadata } from './record-metadata.js'
import { Sender } from './sender.js'

/**
 * One record to send. Text is written as UTF-8; bytes are copied when `send` returns, so that they may be used
 * again.
 *
 * @example
 * await producer.send({ topic: 'orders', key: 'customer-7', value: JSON.stringify({ total: 12 }) })
 */
export interface ProducerRecord {
  readonly topic: string
  /** Default: what the partitioner says. */
  readonly partition?: number
  readonly key?: Bytes | null
  /** null deletes the key in a compacted topic. */
  readonly value?: Bytes | null
  readonly headers?: HeadersInput
  /** Milliseconds since the epoch, or a Date; default: now. */
  readonly timestamp?: number | bigint | Date
}

/**
 * Sends records to topics, in batches, with retries, without duplicates.
 *
 * @example
 * const producer = new Producer({ bootstrapServers: '127.0.0.1:9092' })
 * const { partition, offset } = await producer.send({ topic: 'orders', key: 'a', value: 'hello' })
 * await producer.close()
 */
export class Producer {
  readonly #options: ResolvedProducerOptions
  readonly #cluster: Cluster
  readonly #accumulator: Accumulator
  readonly #sender: Sender
  readonly #metrics = new ProducerMetrics()
  readonly #clock: Clock
  /** Sends that wait for metadata or memory; later ones stand in line behind them, per topic. */
  readonly #lines = new Map<string, Promise<unknown>>()
  #isClosing = false

  /** Throws ERR_CLIENT_ADDRESS or ERR_CLIENT_CONFIG. Connects on first use. */
  constructor(options: ProducerOptions, clock: Clock = systemClock) {
    this.#options = resolveProducerOptions(options)
    this.#clock = clock
    this.#cluster = new Cluster(options, {
      allowAutoTopicCreation: this.#options.allowAutoCreateTopics,
    })
    this.#accumulator = new Accumulator(this.#cluster, this.#options)
    this.#sender = new Sender(this.#cluster, this.#options, this.#accumulator, this.#metrics)
  }

  /**
   * Sends a record; resolves when it is acknowledged as `acks` asks. Records for one partition arrive in the order
   * of the calls. Rejects with a KafkaError of the broker, MESSAGE_TOO_LARGE for a record above maxRequestSize, or
   * REQUEST_TIMED_OUT after maxBlockMs or deliveryTimeoutMs.
   *
   * @example
   * const sent = ['a', 'b', 'c'].map(value => producer.send({ topic: 'letters', value }))
   * await Promise.all(sent)
   */
  send(record: ProducerRecord): Promise<RecordMetadata> {
    try {
      const encoded = this.#encode(record)
      const batch = this.#lines.has(record.topic) ? 'memory' : this.#append(encoded)
      if (typeof batch === 'object') return batch.lastRecord(encoded.timestamp)
      return this.#sendLater(encoded).then(({ metadata }) => metadata)
    } catch (error) {
      return Promise.reject(error)
    }
  }

  /**
   * Sends without a promise for each record, which costs less. True if the record was taken; false if there is no
   * room or the topic is not known yet: `await ready(topic)` and call again. What fails later is counted in
   * `metrics()` and rejects nothing. Throws as `send` rejects for records that cannot be sent at all.
   *
   * @example
   * while (!producer.offer({ topic: 'ticks', value: 'x' })) await producer.ready('ticks')
   */
  offer(record: ProducerRecord): boolean {
    if (this.#lines.has(record.topic)) return false
    return typeof this.#append(this.#encode(record)) === 'object'
  }

  /**
   * Resolves when the topic is known and memory for another batch is free. Rejects after maxBlockMs.
   *
   * @example
   * await producer.ready('ticks')
   */
  async ready(topic: string): Promise<void> {
    const deadlineMs = performance.now() + this.#options.maxBlockMs
    await this.#topic(topic, deadlineMs)
    await this.#lines.get(topic)
    const buffer = this.#accumulator.pool.take(0)
    if (buffer === null) await this.#waitForMemory(deadlineMs)
    else this.#accumulator.pool.give(buffer)
  }

  /**
   * Sends what waits without lingering, and resolves when all records given so far are settled, well or not.
   *
   * @example
   * await producer.flush()
   */
  async flush(): Promise<void> {
    await Promise.all(this.#lines.values())
    await this.#sender.flush()
  }

  /**
   * The partitions of a topic, with leader and replicas.
   *
   * @example
   * const count = (await producer.partitionsFor('orders')).length
   */
  async partitionsFor(topic: string): Promise<readonly PartitionMetadata[]> {
    const found = await this.#topic(topic, performance.now() + this.#options.maxBlockMs)
    return found.partitions
  }

  /**
   * Counters since the start.
   *
   * @example
   * const { recordsAcked, retries } = producer.metrics()
   */
  metrics(): ProducerMetricsSnapshot {
    return this.#metrics.snapshot(this.#accumulator.pool.usedBytes)
  }

  /**
   * Flushes for at most `timeoutMs` (default: without limit), then closes the connections; what is not acknowledged
   * by then rejects with ERR_CLIENT_CLOSED.
   *
   * @example
   * await producer.close({ timeoutMs: 5000 })
   */
  async close({ timeoutMs = Infinity }: { readonly timeoutMs?: number } = {}): Promise<void> {
    this.#isClosing = true
    if (timeoutMs > 0) await withLimit(this.flush(), timeoutMs)
    this.#sender.close(closedError('producer'))
    this.#cluster.close()
  }

  #encode(record: ProducerRecord): EncodedRecord {
    if (this.#isClosing) throw closedError('producer')
    const { topic, partition, key, value, headers, timestamp } = record
    if (typeof topic !== 'string' || topic === '') {
      throw configError('The record names no topic. Set `topic`.')
    }
    if (partition !== undefined && !(Number.isInteger(partition) && partition >= 0)) {
      throw configError(`partition is ${String(partition)}; it must be a number from 0 on.`)
    }
    return {
      topic,
      partition,
      key: toBytes(key),
      value: toBytes(value),
      headers: headerList(headers),
      timestamp: timestamp === undefined ? this.#clock.nowMs() : timestampOf(timestamp),
    }
  }

  #append(record: EncodedRecord): ProducerBatch | 'metadata' | 'memory' {
    this.#checkSize(record)
    const batch = this.#accumulator.append(record, performance.now())
    if (typeof batch === 'object') this.#sender.appended(batch)
    return batch
  }

  #checkSize(record: EncodedRecord): void {
    const size = (record.key?.length ?? 0) + (record.value?.length ?? 0)
    const limit = Math.min(this.#options.maxRequestSize, this.#options.bufferMemory)
    if (size < limit >> 1) return
    const bound = sizeBound(record)
    if (bound <= limit) return
    const name = limit === this.#options.maxRequestSize ? 'maxRequestSize' : 'bufferMemory'
    throw new KafkaError(
      ErrorCode.MESSAGE_TOO_LARGE,
      `The record takes up to ${bound} bytes, more than ${name} = ${limit}. Raise it, and the topic's ` +
        'max.message.bytes, or send less at a time.',
    )
  }

  /** Waits in the topic's line, then appends. The promise is wrapped, so that the line does not wait for it. */
  async #sendLater(record: EncodedRecord): Promise<{ metadata: Promise<RecordMetadata> }> {
    const deadlineMs = performance.now() + this.#options.maxBlockMs
    const before = this.#lines.get(record.topic)
    const turn = (async () => {
      await before
      return this.#appendWaiting(record, deadlineMs)
    })()
    // Who stands behind waits, whether or not this one fails.
    const settled = turn.then(
      () => {},
      () => {},
    )
    this.#lines.set(record.topic, settled)
    try {
      return await turn
    } finally {
      if (this.#lines.get(record.topic) === settled) this.#lines.delete(record.topic)
    }
  }

  async #appendWaiting(
    record: EncodedRecord,
    deadlineMs: number,
  ): Promise<{ metadata: Promise<RecordMetadata> }> {
    for (;;) {
      const batch = this.#append(record)
      if (typeof batch === 'object') return { metadata: batch.lastRecord(record.timestamp) }
      if (batch === 'memory') await this.#waitForMemory(deadlineMs)
      else await this.#waitForMetadata(record, deadlineMs)
    }
  }

  async #waitForMemory(deadlineMs: number): Promise<void> {
    const waiting = this.#accumulator.pool.wait(deadlineMs, this.#cluster.signal)
    this.#sender.wake()
    await waiting
  }

  async #waitForMetadata({ topic, partition }: EncodedRecord, deadlineMs: number): Promise<void> {
    const { partitions } = await this.#topic(topic, deadlineMs)
    if (partition === undefined || partition < partitions.length) return
    // The topic may have grown since.
    await this.#cluster.retrying(
      `Finding partition ${partition} of topic "${topic}"`,
      async () => {
        await this.#cluster.refresh()
        if (this.#cluster.metadata.partition(topic, partition) !== undefined) return
        const count = this.#cluster.metadata.topic(topic)?.partitions.length ?? 0
        throw new KafkaError(
          ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
          `Topic "${topic}" has ${count} partitions, so there is no partition ${partition}.`,
        )
      },
      { timeoutMs: deadlineMs - performance.now() },
    )
  }

  #topic(topic: string, deadlineMs: number) {
    this.#cluster.watchTopic(topic)
    return this.#cluster.topic(topic, { timeoutMs: deadlineMs - performance.now() })
  }
}

function timestampOf(timestamp: number | bigint | Date): number {
  const ms = Number(timestamp)
  if (Number.isSafeInteger(ms) && ms >= 0) return ms
  throw configError(`timestamp is ${String(timestamp)}; it must be milliseconds since 1970.`)
}

/** Resolves when the promise does, or after the limit. */
function withLimit(promise: Promise<void>, limitMs: number): Promise<void> {
  if (limitMs === Infinity) return promise
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, limitMs)
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
