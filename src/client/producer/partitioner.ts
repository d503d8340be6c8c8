/**
 * Which partition a record goes to. Keyed records by murmur2, as Java; records without key stay with one partition
 * until it got about a batch and then move on (KIP-794), to where queues are short.
 */
import { type Random, systemRandom } from '../../base/random.js'
import { partitionOfKey } from './murmur2.js'

export const PARTITIONER_NAMES = ['default', 'uniformSticky', 'roundRobin'] as const

/** What a function of your own is given. */
export interface PartitionerInput {
  readonly topic: string
  /** The key as bytes; null if there is none. */
  readonly key: Uint8Array | null
  readonly value: Uint8Array | null
  /** Partitions of the topic; the answer must be below it. */
  readonly partitionCount: number
}

/**
 * A function of your own.
 *
 * @example
 * const byFirstByte: Partitioner = ({ key, partitionCount }) => (key?.[0] ?? 0) % partitionCount
 */
export type Partitioner = (input: PartitionerInput) => number

/**
 * `default`: by key, else sticky. `uniformSticky`: sticky whatever the key. `roundRobin`: one after the other,
 * whatever the key.
 */
export type PartitionerOption = (typeof PARTITIONER_NAMES)[number] | Partitioner

/** What sticky partitioning needs to know of a topic. */
export interface PartitionLoad {
  readonly partitionCount: number
  /** False for partitions without a leader. */
  isAvailable(partition: number): boolean
  /** Batches that wait for the partition. */
  queueLength(partition: number): number
}

/** The sticky state of one topic. */
export class StickyPartition {
  readonly #random: Random
  readonly #isAdaptive: boolean
  #current = -1
  #bytes = 0

  constructor(isAdaptive: boolean, random: Random = systemRandom) {
    this.#isAdaptive = isAdaptive
    this.#random = random
  }

  /** The partition for the next record. */
  partition(load: PartitionLoad): number {
    const isUsable = this.#current >= 0 && this.#current < load.partitionCount
    if (!isUsable || !load.isAvailable(this.#current)) this.#current = this.#next(load)
    return this.#current
  }

  /**
   * Counts what was appended. Moves on once a batch's worth is reached at a batch's end, or twice that anyway, so
   * that no broken batches are left behind.
   */
  appended(bytes: number, batchSize: number, endsBatch: boolean): void {
    this.#bytes += bytes
    if (this.#bytes < batchSize || (!endsBatch && this.#bytes < batchSize * 2)) return
    this.#current = -1
    this.#bytes = 0
  }

  #next({ partitionCount, isAvailable, queueLength }: PartitionLoad): number {
    const all = Array.from({ length: partitionCount }, (_, index) => index)
    const available = all.filter(isAvailable)
    const candidates = available.length > 0 ? available : all
    if (!this.#isAdaptive) return candidates[this.#below(candidates.length)]!
    // The chance of a partition falls with the length of its queue; the longest one keeps a chance.
    const lengths = candidates.map(queueLength)
    const longest = Math.max(...lengths) + 1
    let draw = this.#below(lengths.reduce((sum, length) => sum + longest - length, 0))
    const at = lengths.findIndex(length => (draw -= longest - length) < 0)
    return candidates[at]!
  }

  #below(count: number): number {
    return Math.floor(this.#random() * count)
  }
}

/** Round-robin over the partitions that have a leader. */
export class RoundRobin {
  #next = 0

  partition({ partitionCount, isAvailable }: PartitionLoad): number {
    for (let tries = 0; tries < partitionCount; tries++) {
      const partition = this.#next++ % partitionCount
      if (isAvailable(partition)) return partition
    }
    return this.#next++ % partitionCount
  }
}

export { partitionOfKey }
