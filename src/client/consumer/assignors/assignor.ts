/**
 * What the leader of a classic group runs: who reads which partition. Assignors are pure: members and partition counts
 * in, partitions by member out; the same input gives the same output in every process.
 */
import type { TopicPartition } from '../topic-partition.js'

/** A member as its subscription described it. */
export interface MemberSubscription {
  readonly memberId: string
  readonly groupInstanceId: string | null
  readonly topics: readonly string[]
  /** What the member says it owns; empty if it does not know. */
  readonly owned: readonly TopicPartition[]
  /** The generation in which it got them; -1: unknown. */
  readonly generationId: number
}

/** By member id; every member has an entry. */
export type Assignment = ReadonlyMap<string, readonly TopicPartition[]>

export interface Assignor {
  /** The protocol name in JoinGroup, as in Kafka: `range`, `roundrobin`, `sticky`, `cooperative-sticky`. */
  readonly name: string
  /** `cooperative`: a member keeps what it owns while it joins (KIP-429). */
  readonly rebalanceProtocol: 'eager' | 'cooperative'
  /** @param partitionsOf how many partitions a topic has; 0 or undefined: it does not exist */
  assign(
    partitionsOf: ReadonlyMap<string, number>,
    members: readonly MemberSubscription[],
  ): Assignment
  /** What the member adds to its subscription; null: nothing. */
  userData?(owned: readonly TopicPartition[], generationId: number): Buffer | null
  /** What it owned, where the subscription itself does not say (version 0). */
  ownedOf?(userData: Buffer): { owned: TopicPartition[]; generationId: number } | null
}

/** Static members first, by instance id, then the others by member id: stable over restarts of static members. */
export function inOrder(members: readonly MemberSubscription[]): MemberSubscription[] {
  return [...members].sort((a, b) => {
    if (a.groupInstanceId !== null && b.groupInstanceId !== null) {
      return compareText(a.groupInstanceId, b.groupInstanceId)
    }
    if (a.groupInstanceId !== null) return -1
    if (b.groupInstanceId !== null) return 1
    return compareText(a.memberId, b.memberId)
  })
}

/** By UTF-16 code units, as Java compares strings. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** The topics that exist, in order, with the members that want each, in the order of `members`. */
export function subscribersByTopic(
  partitionsOf: ReadonlyMap<string, number>,
  members: readonly MemberSubscription[],
): [topic: string, subscribers: MemberSubscription[]][] {
  const byTopic = new Map<string, MemberSubscription[]>()
  for (const member of members) {
    for (const topic of new Set(member.topics)) {
      if (!partitionsOf.get(topic)) continue
      const subscribers = byTopic.get(topic)
      if (subscribers === undefined) byTopic.set(topic, [member])
      else subscribers.push(member)
    }
  }
  return [...byTopic].sort(([a], [b]) => compareText(a, b))
}

export function emptyAssignment(
  members: readonly MemberSubscription[],
): Map<string, TopicPartition[]> {
  return new Map(members.map(member => [member.memberId, []]))
}
