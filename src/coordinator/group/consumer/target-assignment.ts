/**
 * The two steps in which a group follows its members and topics: the group epoch moves when they changed, and the
 * target assignment is computed for the group epoch, not more often than the assignment interval.
 */
import { groupConfigValue } from '../../../config/group-config.js'
import type { Assignor, MemberToAssign } from './assignors/assignor.js'
import { rangeAssignor } from './assignors/range.js'
import { uniformAssignor } from './assignors/uniform.js'
import type { ConsumerGroup } from './consumer-group.js'
import {
  groupRecord,
  oldTopicsTombstone,
  targetEpochRecord,
  targetRecord,
} from './consumer-group-records.js'
import type { ConsumerMember } from './consumer-member.js'
import type { GroupChange } from './group-change.js'
import { NO_PARTITIONS, type Partitions, samePartitions } from './partitions.js'
import { subscribedTopicIds } from './reconcile.js'
import { Subscriptions } from './subscriptions.js'

const ASSIGNORS = new Map<string, Assignor>(
  [uniformAssignor, rangeAssignor].map(assignor => [assignor.name, assignor]),
)
/** The topics tell when they change; nobody needs to look for himself. */
const REFRESH_INTERVAL_MS = 2 ** 31 - 1

/** A member before and after what it told with this request. */
export interface MemberUpdate {
  /** As the records gathered so far have it. */
  readonly old: ConsumerMember
  readonly changed: ConsumerMember
}

/** The group epoch after the update, written down if it moved. */
export function updateGroupEpoch(
  { side, group, records, nowMs }: GroupChange,
  update: MemberUpdate,
  mustMove: boolean,
): number {
  const metadataHash = side.hashes.ofGroup(subscriptionsAfter(group, update).topicNames())
  const moves = mustMove || metadataHash !== group.metadataHash
  const groupEpoch = group.groupEpoch + (moves ? 1 : 0)
  if (moves) records.push(groupRecord(group.groupId, groupEpoch, metadataHash))
  group.refreshAt = { deadlineMs: nowMs + REFRESH_INTERVAL_MS, epoch: groupEpoch }
  if (group.hasOldTopicsRecord) records.push(oldTopicsTombstone(group.groupId))
  return groupEpoch
}

function subscriptionsAfter(group: ConsumerGroup, { old, changed }: MemberUpdate): Subscriptions {
  const subscriptions = new Subscriptions(group.subscriptions)
  subscriptions.replaceMember(old, changed)
  const regex = old.subscribedTopicRegex
  const wasLast = regex !== '' && subscriptions.subscribersOf(regex) === 0
  if (wasLast) subscriptions.replaceResolved(group.resolvedRegexes.get(regex), undefined)
  return subscriptions
}

/** What the member is to have, and the epoch for which that was decided. */
export interface MemberTarget {
  readonly assignmentEpoch: number
  readonly target: Partitions
}

/** Computes the target assignment of the whole group if it is due. */
export function updateTarget(
  change: GroupChange,
  update: MemberUpdate,
  groupEpoch: number,
): MemberTarget {
  const { side, group, records, nowMs } = change
  if (group.assignmentEpoch >= groupEpoch || !isDue(change)) {
    return { assignmentEpoch: group.assignmentEpoch, target: group.targetOf(update.changed) }
  }
  const { topics } = side.shard.context
  const members = membersAfter(change, update)
  const assignments = assignorFor(change, update).assign({
    members,
    isHomogeneous: subscriptionsAfter(group, update).isHomogeneous(members.size),
    numPartitions: topicId => topics.topicById(topicId)?.numPartitions ?? 0,
  })
  for (const [memberId, { assigned }] of members) {
    const target = assignments.get(memberId) ?? NO_PARTITIONS
    const isWritten = group.targets.has(memberId) || isReplacement(group, update, memberId)
    if (isWritten && samePartitions(assigned, target)) continue
    records.push(targetRecord(group.groupId, memberId, target))
  }
  records.push(targetEpochRecord(group.groupId, groupEpoch, nowMs))
  const target = assignments.get(update.changed.memberId) ?? NO_PARTITIONS
  return { assignmentEpoch: groupEpoch, target }
}

/** The records so far have given it the target of the static member whose place it takes. */
function isReplacement(group: ConsumerGroup, { changed }: MemberUpdate, memberId: string): boolean {
  return memberId === changed.memberId && group.staticMember(changed.instanceId) !== undefined
}

/** The next member that tells everything would get a new target assignment for the group. */
export function awaitsTarget(change: GroupChange): boolean {
  const { side, group, nowMs } = change
  const isBehind =
    group.groupEpoch > group.assignmentEpoch ||
    (group.needsRefresh(nowMs) &&
      side.hashes.ofGroup(group.subscriptions.topicNames()) !== group.metadataHash)
  return isBehind && isDue(change)
}

function isDue({ side, group, nowMs }: GroupChange): boolean {
  const { groupOverrides, config } = side.shard.context
  const key = 'consumer.assignment.interval.ms'
  const intervalMs = groupConfigValue(key, groupOverrides(group.groupId), config)
  if (group.assignmentTimestampMs === 0 || intervalMs === 0) return true
  const sinceMs = nowMs - group.assignmentTimestampMs
  // A clock that was set back must not hold the group up.
  return sinceMs >= intervalMs || sinceMs < 0
}

function assignorFor({ side, group }: GroupChange, { old, changed }: MemberUpdate): Assignor {
  const preferred = group.preferredAssignor(old, changed)
  const configured = side.shard.context.config.get('group.consumer.assignors')
  return (
    (preferred === undefined ? undefined : ASSIGNORS.get(preferred)) ??
    ASSIGNORS.get(configured[0] ?? '') ??
    uniformAssignor
  )
}

/** All members as they will be, in the order of the group; a member takes the place of its static predecessor. */
function membersAfter(
  { side, group }: GroupChange,
  { changed }: MemberUpdate,
): Map<string, MemberToAssign> {
  const { topics } = side.shard.context
  const after = new Map<string, MemberToAssign>()
  const add = (member: ConsumerMember): void => {
    after.set(member.memberId, {
      instanceId: member.instanceId,
      subscribedTopicIds: subscribedTopicIds(member, {
        topics,
        resolvedRegexes: group.resolvedRegexes,
      }),
      assigned: group.targetOf(member),
    })
  }
  for (const member of group.members.values()) {
    const isReplaced =
      member.memberId === changed.memberId ||
      (changed.instanceId !== null && member.instanceId === changed.instanceId)
    add(isReplaced ? changed : member)
  }
  if (!after.has(changed.memberId)) add(changed)
  return after
}
