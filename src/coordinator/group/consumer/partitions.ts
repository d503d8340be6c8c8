/** Sets of partitions by topic id, as assignments have them; the ones a member holds know since which epoch. */
import type { Uuid } from '../../../base/uuid.js'

export type Partitions = ReadonlyMap<Uuid, ReadonlySet<number>>
/** Each partition with the member epoch at which it came to the member. */
export type HeldPartitions = ReadonlyMap<Uuid, ReadonlyMap<number, number>>
export type MutablePartitions = Map<Uuid, Set<number>>
export type MutableHeldPartitions = Map<Uuid, Map<number, number>>

export const NO_PARTITIONS: Partitions = new Map()
export const NONE_HELD: HeldPartitions = new Map()

/** The partitions of one topic as messages and records carry them. */
export interface TopicPartitions {
  readonly topicId: Uuid
  readonly partitions: readonly number[]
}

export function partitionsFrom(topics: readonly TopicPartitions[]): Partitions {
  return new Map(topics.map(({ topicId, partitions }) => [topicId, new Set(partitions)]))
}

/** In ascending order within a topic. */
export function topicPartitionsOf(
  partitions: ReadonlyMap<Uuid, { keys(): Iterable<number> }>,
): { topicId: Uuid; partitions: number[] }[] {
  return Array.from(partitions, ([topicId, ofTopic]) => ({
    topicId,
    partitions: [...ofTopic.keys()].sort((a, b) => a - b),
  }))
}

export function withoutEpochs(held: HeldPartitions): Partitions {
  return new Map(Array.from(held, ([topicId, epochs]) => [topicId, new Set(epochs.keys())]))
}

export function withEpoch(partitions: Partitions, epoch: number): HeldPartitions {
  return new Map(
    Array.from(partitions, ([topicId, ofTopic]) => [
      topicId,
      new Map(Array.from(ofTopic, partition => [partition, epoch])),
    ]),
  )
}

export function samePartitions(a: Partitions, b: Partitions): boolean {
  if (a === b) return true
  if (a.size !== b.size) return false
  for (const [topicId, ofTopic] of a) {
    const others = b.get(topicId)
    if (others === undefined || !sameSet(ofTopic, others)) return false
  }
  return true
}

export function sameHeld(a: HeldPartitions, b: HeldPartitions): boolean {
  if (a === b) return true
  if (a.size !== b.size) return false
  for (const [topicId, epochs] of a) {
    const others = b.get(topicId)
    if (others?.size !== epochs.size) return false
    for (const [partition, epoch] of epochs) if (others.get(partition) !== epoch) return false
  }
  return true
}

export function sameSet<T>(a: ReadonlySet<T>, b: ReadonlySet<T>): boolean {
  if (a.size !== b.size) return false
  for (const value of a) if (!b.has(value)) return false
  return true
}

export function mutableCopy(partitions: Partitions): MutablePartitions {
  return new Map(Array.from(partitions, ([topicId, ofTopic]) => [topicId, new Set(ofTopic)]))
}

/** Whether every one of these is held. */
export function isHeldAll(topics: readonly TopicPartitions[], held: HeldPartitions): boolean {
  return topics.every(({ topicId, partitions }) => {
    const epochs = held.get(topicId)
    return epochs !== undefined && partitions.every(partition => epochs.has(partition))
  })
}

/** Whether at least one of these is held. */
export function isHeldAny(topics: readonly TopicPartitions[], held: HeldPartitions): boolean {
  return topics.some(({ topicId, partitions }) => {
    const epochs = held.get(topicId)
    return epochs !== undefined && partitions.some(partition => epochs.has(partition))
  })
}
