/**
 * The committed offsets of one partition of __consumer_offsets, by group, topic and partition, and those that wait
 * for the end of a transaction. Only `replay` and `endTransaction` change it.
 */
import { ZERO_UUID } from '../../../base/uuid.js'
import type { GroupRecordOf } from '../records/group-record.js'
import type { CommittedOffset } from './offset-expiry.js'

export type TopicOffsets = Map<number, CommittedOffset>
export type GroupOffsets = Map<string, TopicOffsets>

export class OffsetStore {
  readonly #groups = new Map<string, GroupOffsets>()
  /** By producer id: what its open transaction commits; null: deletes. */
  readonly #pending = new Map<bigint, PendingOffset[]>()
  /** How many open transactions touch each group's partitions; a group without any has no entry. */
  readonly #pendingCounts = new Map<string, Map<string, number>>()

  /** Empty: the group has no offsets. */
  of(group: string): ReadonlyMap<string, ReadonlyMap<number, CommittedOffset>> {
    return this.#groups.get(group) ?? EMPTY
  }

  get(group: string, topic: string, partition: number): CommittedOffset | undefined {
    return this.#groups.get(group)?.get(topic)?.get(partition)
  }

  groups(): IterableIterator<string> {
    return this.#groups.keys()
  }

  /** An open transaction is about to commit an offset of this partition. */
  isPending(group: string, topic: string, partition: number): boolean {
    return this.#pendingCounts.get(group)?.has(pendingKey(topic, partition)) === true
  }

  hasPending(group: string): boolean {
    return this.#pendingCounts.has(group)
  }

  /** The partitions of a group that an open transaction touches. */
  *pendingPartitions(group: string): Generator<readonly [topic: string, partition: number]> {
    for (const key of this.#pendingCounts.get(group)?.keys() ?? []) {
      const colon = key.indexOf(':')
      yield [key.slice(colon + 1), Number(key.slice(0, colon))]
    }
  }

  replay({ key, value }: GroupRecordOf<'OffsetCommit'>, producerId: bigint): void {
    const { group, topic, partition } = key
    const committed: CommittedOffset | null =
      value === null
        ? null
        : {
            offset: value.offset,
            leaderEpoch: value.leaderEpoch ?? -1,
            metadata: value.metadata,
            commitTimestampMs: Number(value.commitTimestamp),
            expireTimestampMs: Number(value.expireTimestamp ?? -1n),
            topicId: value.topicId ?? ZERO_UUID,
          }
    if (producerId < 0n) this.#put(group, topic, partition, committed)
    else this.#putPending(producerId, { group, topic, partition, committed })
  }

  endTransaction(producerId: bigint, isCommitted: boolean): void {
    for (const { group, topic, partition, committed } of this.#pending.get(producerId) ?? []) {
      this.#countPending(group, pendingKey(topic, partition), -1)
      if (isCommitted) this.#put(group, topic, partition, committed)
    }
    this.#pending.delete(producerId)
  }

  #put(group: string, topic: string, partition: number, committed: CommittedOffset | null): void {
    let topics = this.#groups.get(group)
    let partitions = topics?.get(topic)
    if (committed !== null) {
      if (topics === undefined) this.#groups.set(group, (topics = new Map()))
      if (partitions === undefined) topics.set(topic, (partitions = new Map()))
      partitions.set(partition, committed)
      return
    }
    if (topics === undefined || partitions === undefined) return
    partitions.delete(partition)
    if (partitions.size === 0) topics.delete(topic)
    if (topics.size === 0) this.#groups.delete(group)
  }

  #putPending(producerId: bigint, offset: PendingOffset): void {
    const offsets = this.#pending.get(producerId)
    if (offsets === undefined) this.#pending.set(producerId, [offset])
    else offsets.push(offset)
    this.#countPending(offset.group, pendingKey(offset.topic, offset.partition), 1)
  }

  #countPending(group: string, key: string, change: number): void {
    const counts = this.#pendingCounts.get(group) ?? new Map<string, number>()
    const count = (counts.get(key) ?? 0) + change
    if (count > 0) counts.set(key, count)
    else counts.delete(key)
    if (counts.size > 0) this.#pendingCounts.set(group, counts)
    else this.#pendingCounts.delete(group)
  }
}

interface PendingOffset {
  readonly group: string
  readonly topic: string
  readonly partition: number
  readonly committed: CommittedOffset | null
}

const EMPTY: ReadonlyMap<string, ReadonlyMap<number, CommittedOffset>> = new Map()

function pendingKey(topic: string, partition: number): string {
  return `${partition}:${topic}`
}
