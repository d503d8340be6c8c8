/**
 * One step of a member from what it holds to what it is to hold (KIP-848). First it gives up what is no longer its
 * own, at the epoch it has; once it has told so it takes the epoch of the target and what nobody else holds.
 *
 *            something to give up                      told: all given up
 *   Stable ------------------------> UnrevokedPartitions ----------------+
 *      |                                                                 v
 *      +--- nothing to give up --> target epoch: all free -> Stable, else UnreleasedPartitions -> ... -> Stable
 */
import type { Uuid } from '../../../base/uuid.js'
import type { TopicsImage } from '../group-context.js'
import { type ConsumerMember, holdsPendingRevocation, MemberState } from './consumer-member.js'
import {
  type HeldPartitions,
  isHeldAny,
  type MutableHeldPartitions,
  NONE_HELD,
  type Partitions,
  type TopicPartitions,
} from './partitions.js'
import type { ResolvedRegex } from './topic-regex.js'

export interface Reconciliation {
  readonly assignmentEpoch: number
  readonly target: Partitions
  /** What the member says it holds; null: it does not say. */
  readonly owned: readonly TopicPartitions[] | null
  /** What is no longer subscribed is taken away at once. */
  readonly hasSubscriptionChanged: boolean
  readonly topics: TopicsImage
  readonly resolvedRegexes: ReadonlyMap<string, ResolvedRegex>
  /** Whether any member holds the partition. */
  isHeld(topicId: Uuid, partition: number): boolean
}

/** The member after the step; the same object if there is nothing it can do now. */
export function reconcile(member: ConsumerMember, step: Reconciliation): ConsumerMember {
  switch (member.state) {
    case MemberState.Stable:
      if (member.memberEpoch !== step.assignmentEpoch) return nextAssignment(member, step)
      return step.hasSubscriptionChanged ? withoutUnsubscribed(member, step) : member
    case MemberState.UnrevokedPartitions:
      if (!stillOwns(member.pendingRevocation, step)) return nextAssignment(member, step)
      return step.hasSubscriptionChanged ? withoutUnsubscribed(member, step) : member
    case MemberState.UnreleasedPartitions:
    case MemberState.Unknown:
      return nextAssignment(member, step)
  }
}

/** A member that does not say what it owns may own everything. */
function stillOwns(held: HeldPartitions, { owned }: Reconciliation): boolean {
  return owned === null || isHeldAny(owned, held)
}

function withoutUnsubscribed(member: ConsumerMember, step: Reconciliation): ConsumerMember {
  const topicIds = subscribedTopicIds(member, step)
  const assigned = new Map(member.assigned)
  const pendingRevocation = new Map(member.pendingRevocation)
  for (const [topicId, partitions] of member.assigned) {
    if (topicIds.has(topicId)) continue
    assigned.delete(topicId)
    pendingRevocation.set(
      topicId,
      new Map([...(pendingRevocation.get(topicId) ?? []), ...partitions]),
    )
  }
  if (assigned.size === member.assigned.size) return member
  const changed = { ...member, previousMemberEpoch: member.memberEpoch, assigned }
  if (!stillOwns(pendingRevocation, step)) return changed
  return { ...changed, state: MemberState.UnrevokedPartitions, pendingRevocation }
}

function nextAssignment(member: ConsumerMember, step: Reconciliation): ConsumerMember {
  const { kept, toRevoke, toAdd, hasUnreleased } = compare(member, step)
  if (toRevoke.size > 0 && stillOwns(toRevoke, step)) {
    return {
      ...member,
      state: MemberState.UnrevokedPartitions,
      previousMemberEpoch: member.memberEpoch,
      assigned: kept,
      pendingRevocation: toRevoke,
    }
  }
  for (const [topicId, partitions] of toAdd) {
    const epochs = kept.get(topicId) ?? new Map<number, number>()
    kept.set(topicId, epochs)
    for (const partition of partitions) epochs.set(partition, step.assignmentEpoch)
  }
  return {
    ...member,
    state: hasUnreleased ? MemberState.UnreleasedPartitions : MemberState.Stable,
    memberEpoch: step.assignmentEpoch,
    previousMemberEpoch: member.memberEpoch,
    assigned: kept,
    pendingRevocation: NONE_HELD,
  }
}

/** The target beside what the member has: what stays, what goes, what is free to come, and whether more is wanted. */
function compare(member: ConsumerMember, step: Reconciliation) {
  const topicIds = subscribedTopicIds(member, step)
  const kept: MutableHeldPartitions = new Map()
  const toRevoke: MutableHeldPartitions = new Map()
  const toAdd = new Map<Uuid, number[]>()
  let hasUnreleased = false
  for (const [topicId, epochs] of member.assigned) {
    const target = topicIds.has(topicId) ? step.target.get(topicId) : undefined
    for (const [partition, epoch] of epochs) {
      put(target?.has(partition) === true ? kept : toRevoke, topicId, partition, epoch)
    }
  }
  for (const [topicId, partitions] of step.target) {
    if (!topicIds.has(topicId)) continue
    const epochs = member.assigned.get(topicId)
    for (const partition of partitions) {
      if (epochs?.has(partition) === true) continue
      const isOthers =
        step.isHeld(topicId, partition) && !holdsPendingRevocation(member, topicId, partition)
      if (isOthers) hasUnreleased = true
      else toAdd.set(topicId, [...(toAdd.get(topicId) ?? []), partition])
    }
  }
  return { kept, toRevoke, toAdd, hasUnreleased }
}

function put(held: MutableHeldPartitions, topicId: Uuid, partition: number, epoch: number): void {
  const epochs = held.get(topicId)
  if (epochs === undefined) held.set(topicId, new Map([[partition, epoch]]))
  else epochs.set(partition, epoch)
}

/** Ids of the topics that exist and that a member wants, by name or by its pattern. */
export function subscribedTopicIds(
  { subscribedTopicNames, subscribedTopicRegex }: ConsumerMember,
  {
    topics,
    resolvedRegexes,
  }: {
    readonly topics: TopicsImage
    readonly resolvedRegexes: ReadonlyMap<string, ResolvedRegex>
  },
): Set<Uuid> {
  const ids = new Set<Uuid>()
  const matching = resolvedRegexes.get(subscribedTopicRegex)?.topics ?? []
  for (const names of [subscribedTopicNames, matching]) {
    for (const name of names) {
      const topic = topics.topic(name)
      if (topic !== undefined) ids.add(topic.topicId)
    }
  }
  return ids
}
