/**
 * The course of a rebalance of a classic group: who may still join, when the join is over, who must still sync. The
 * functions change the group at once, answer those who wait, and return the records to write; see operation.ts.
 */
import { ErrorCode } from '../../../protocol/error-codes.js'
import { type Outcome, answer } from '../../runtime/operation.js'
import type { GroupShard } from '../group-shard.js'
import type { GroupRecord } from '../records/group-record.js'
import { type ClassicGroup, NO_SYNC, joinError } from './classic-group.js'
import { type ClassicMember, EMPTY_BYTES } from './classic-member.js'
import { cancelHeartbeat, expectHeartbeat } from './heartbeat.js'

export type Effect = Outcome<GroupRecord, void>
export const NOTHING: Effect = answer(undefined)

const joinKey = (groupId: string): string => `join:${groupId}`
const syncKey = (groupId: string): string => `sync:${groupId}`

/** After a member came, went or changed: starts a rebalance, or ends the join it was the last one missing for. */
export function rebalanceOrCompleteJoin(shard: GroupShard, group: ClassicGroup): Effect {
  return group.canRebalance ? prepareRebalance(shard, group) : maybeCompleteJoin(shard, group)
}

export function prepareRebalance(shard: GroupShard, group: ClassicGroup): Effect {
  const { timers, config } = shard.context
  if (group.state === 'CompletingRebalance') {
    propagateError(shard, group, ErrorCode.REBALANCE_IN_PROGRESS)
  }
  timers.cancel(syncKey(group.groupId))
  const isInitial = group.state === 'Empty'
  if (isInitial) {
    const delayMs = config.get('group.initial.rebalance.delay.ms')
    const remainingMs = Math.max(group.rebalanceTimeoutMs - delayMs, 0)
    delayInitialJoin(shard, group, { delayMs, remainingMs })
  }
  group.transitionTo('PreparingRebalance')
  if (isInitial) return NOTHING
  if (group.haveAllJoined) return completeJoin(shard, group)
  timers.schedule(joinKey(group.groupId), group.rebalanceTimeoutMs, () =>
    withGroup(shard, group, () => completeJoin(shard, group)),
  )
  return NOTHING
}

/** Ends the join if nobody is missing any more. The initial delay of a group always passes. */
export function maybeCompleteJoin(shard: GroupShard, group: ClassicGroup): Effect {
  const isDue =
    group.state === 'PreparingRebalance' && group.haveAllJoined && group.previousState !== 'Empty'
  return isDue ? completeJoin(shard, group) : NOTHING
}

/** After members were removed. */
export function afterRemoval(shard: GroupShard, group: ClassicGroup): Effect {
  switch (group.state) {
    case 'Stable':
    case 'CompletingRebalance':
      return rebalanceOrCompleteJoin(shard, group)
    case 'PreparingRebalance':
      return maybeCompleteJoin(shard, group)
    default:
      return NOTHING
  }
}

/** Takes a member out; a JoinGroup of it that waits is told that it is unknown, so that a living client tries again. */
export function removeMember(shard: GroupShard, group: ClassicGroup, member: ClassicMember): void {
  cancelHeartbeat(shard, group, member.memberId)
  group.answerJoin(member, joinError('', ErrorCode.UNKNOWN_MEMBER_ID))
  group.answerSync(member, { ...NO_SYNC, errorCode: ErrorCode.UNKNOWN_MEMBER_ID })
  group.remove(member.memberId)
}

/** A member of this generation has sent SyncGroup. */
export function syncReceived(shard: GroupShard, group: ClassicGroup, memberId: string): void {
  group.pendingSyncs.delete(memberId)
  if (group.pendingSyncs.size === 0) shard.context.timers.cancel(syncKey(group.groupId))
}

/** Gives every member what the leader decided, and answers those who wait for it. */
export function propagateAssignment(
  shard: GroupShard,
  group: ClassicGroup,
  assignments: ReadonlyMap<string, Buffer>,
): void {
  for (const member of group.members) {
    member.assignment = assignments.get(member.memberId) ?? EMPTY_BYTES
    const wasWaiting = group.answerSync(member, {
      errorCode: ErrorCode.NONE,
      protocolType: group.protocolType,
      protocolName: group.protocolName,
      assignment: member.assignment,
    })
    // Its session may have run out while it waited, when nobody looked.
    if (wasWaiting) expectHeartbeat(shard, group, member)
  }
}

/** There will be no assignment in this generation. */
export function propagateError(shard: GroupShard, group: ClassicGroup, errorCode: number): void {
  for (const member of group.members) {
    member.assignment = EMPTY_BYTES
    const wasWaiting = group.answerSync(member, { ...NO_SYNC, errorCode })
    if (wasWaiting) expectHeartbeat(shard, group, member)
  }
}

/** While new members keep coming the first join of a group is put off, up to its rebalance timeout. */
function delayInitialJoin(
  shard: GroupShard,
  group: ClassicGroup,
  { delayMs, remainingMs }: { readonly delayMs: number; readonly remainingMs: number },
): void {
  const { timers, config } = shard.context
  timers.schedule(joinKey(group.groupId), delayMs, () =>
    withGroup(shard, group, () => {
      if (!group.newMemberAdded || remainingMs === 0) return completeJoin(shard, group)
      group.newMemberAdded = false
      delayInitialJoin(shard, group, {
        delayMs: Math.min(config.get('group.initial.rebalance.delay.ms'), remainingMs),
        remainingMs: Math.max(remainingMs - delayMs, 0),
      })
      return NOTHING
    }),
  )
}

function completeJoin(shard: GroupShard, group: ClassicGroup): Effect {
  const { timers } = shard.context
  timers.cancel(joinKey(group.groupId))
  for (const member of [...group.members]) {
    // Static members may be late: they keep their place until their session ends.
    if (member.awaitingJoin !== null || member.isStatic) continue
    cancelHeartbeat(shard, group, member.memberId)
    group.remove(member.memberId)
  }
  if (group.state === 'Dead') return NOTHING
  if (!group.electJoinedLeader() && group.memberCount > 0) {
    timers.schedule(joinKey(group.groupId), group.rebalanceTimeoutMs, () =>
      withGroup(shard, group, () => completeJoin(shard, group)),
    )
    return NOTHING
  }
  group.startNextGeneration()
  if (group.state === 'Empty') {
    return { records: [group.record()], response: undefined, replay: false }
  }
  for (const member of group.members) {
    const isLeader = member.memberId === group.leaderId
    group.answerJoin(member, {
      errorCode: ErrorCode.NONE,
      generationId: group.generationId,
      protocolType: group.protocolType,
      protocolName: group.protocolName,
      leader: group.leaderId ?? '',
      memberId: member.memberId,
      members: isLeader ? group.describeMembersForLeader() : [],
    })
    member.isNew = false
    expectHeartbeat(shard, group, member)
    group.pendingSyncs.add(member.memberId)
  }
  expectSyncs(shard, group)
  return NOTHING
}

/** Members that do not ask for their assignment within the rebalance timeout are removed. */
function expectSyncs(shard: GroupShard, group: ClassicGroup): void {
  const { generationId } = group
  shard.context.timers.schedule(syncKey(group.groupId), group.rebalanceTimeoutMs, () =>
    withGroup(shard, group, () => {
      const isCurrent = group.generationId === generationId && group.pendingSyncs.size > 0
      if (!isCurrent || (group.state !== 'CompletingRebalance' && group.state !== 'Stable')) {
        return NOTHING
      }
      for (const memberId of [...group.pendingSyncs]) {
        cancelHeartbeat(shard, group, memberId)
        group.remove(memberId)
      }
      return prepareRebalance(shard, group)
    }),
  )
}

/** A timer may outlive its group. */
function withGroup(shard: GroupShard, group: ClassicGroup, run: () => Effect): Effect {
  return shard.groups.get(group.groupId) === group ? run() : NOTHING
}
