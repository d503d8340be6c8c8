/**
 * What a consumer group notices of the topics it subscribes to, in one number: Kafka's hash of ids, names, numbers of
 * partitions and racks (KIP-1101). A group whose hash changed assigns anew.
 */
import { uuidToBytes } from '../../../base/uuid.js'
import { xxh3 } from '../../../base/xxh3.js'
import type { TopicImage, TopicsImage } from '../group-context.js'

const MAGIC = 0

/** Hashes by topic are kept until the topic changes. */
export class TopicHashes {
  readonly #topics: TopicsImage
  readonly #hashes = new Map<string, bigint>()

  constructor(topics: TopicsImage) {
    this.#topics = topics
  }

  forget(topicName: string): void {
    this.#hashes.delete(topicName)
  }

  /** The hash of the topics that exist; 0 without any. */
  ofGroup(topicNames: Iterable<string>): bigint {
    const existing: string[] = []
    for (const name of topicNames) if (this.#topics.topic(name) !== undefined) existing.push(name)
    if (existing.length === 0) return 0n
    existing.sort()
    const bytes = Buffer.allocUnsafe(8 * existing.length)
    existing.forEach((name, index) => bytes.writeBigInt64LE(this.#ofTopic(name), 8 * index))
    return xxh3(bytes)
  }

  #ofTopic(name: string): bigint {
    const known = this.#hashes.get(name)
    if (known !== undefined) return known
    const hash = topicHash(this.#topics.topic(name)!)
    this.#hashes.set(name, hash)
    return hash
  }
}

/**
 * Of these bytes, little endian: 0 as a byte, the id as two int64, the name, the number of partitions, and of each
 * partition its index and for each rack its length and the rack. Texts are UTF-16 with their length behind them.
 */
export function topicHash({ topicId, name, numPartitions, racks }: TopicImage): bigint {
  const id = uuidToBytes(topicId)
  const racksOf = Array.from({ length: numPartitions }, (_, partition) => racks(partition))
  const racksBytes = racksOf.flat().reduce((sum, rack) => sum + 4 + textBytes(rack), 0)
  const bytes = Buffer.allocUnsafe(17 + textBytes(name) + 4 + 4 * numPartitions + racksBytes)
  bytes[0] = MAGIC
  bytes.writeBigInt64LE(id.readBigInt64BE(0), 1)
  bytes.writeBigInt64LE(id.readBigInt64BE(8), 9)
  let at = writeText(bytes, name, 17)
  at = bytes.writeInt32LE(numPartitions, at)
  racksOf.forEach((ofPartition, partition) => {
    at = bytes.writeInt32LE(partition, at)
    for (const rack of ofPartition) at = writeText(bytes, rack, bytes.writeInt32LE(rack.length, at))
  })
  return xxh3(bytes)
}

function textBytes(text: string): number {
  return 2 * text.length + 4
}

function writeText(bytes: Buffer, text: string, at: number): number {
  return bytes.writeInt32LE(text.length, at + bytes.write(text, at, 'utf16le'))
}
