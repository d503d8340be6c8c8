/** Sessions of classic members: Heartbeat v0-v4, and what happens when none comes. */
import { ErrorCode } from '../../../protocol/error-codes.js'
import type { HeartbeatRequest, HeartbeatResponse } from '../../../protocol/messages/heartbeat.js'
import type { InferInput } from '../../../protocol/schema/message.js'
import { type Outcome, answer } from '../../runtime/operation.js'
import type { GroupShard } from '../group-shard.js'
import type { GroupRecord } from '../records/group-record.js'
import type { ClassicGroup } from './classic-group.js'
import type { ClassicMember } from './classic-member.js'
import { type Effect, NOTHING, afterRemoval, maybeCompleteJoin, removeMember } from './rebalance.js'

export type HeartbeatAnswer = InferInput<typeof HeartbeatResponse>

export function heartbeat(
  shard: GroupShard,
  group: ClassicGroup | undefined,
  request: HeartbeatRequest,
): Outcome<GroupRecord, HeartbeatAnswer> {
  return answer({ errorCode: answerTo(shard, group, request) })
}

function answerTo(
  shard: GroupShard,
  group: ClassicGroup | undefined,
  { memberId, groupInstanceId, generationId }: HeartbeatRequest,
): number {
  if (group === undefined) return ErrorCode.UNKNOWN_MEMBER_ID
  if (group.state === 'Dead') return ErrorCode.COORDINATOR_NOT_AVAILABLE
  const refusal = group.judgeMember(memberId, groupInstanceId)
  if (refusal !== ErrorCode.NONE) return refusal
  if (generationId !== group.generationId) return ErrorCode.ILLEGAL_GENERATION
  const member = group.member(memberId)
  if (group.state === 'Empty' || member === undefined) return ErrorCode.UNKNOWN_MEMBER_ID
  expectHeartbeat(shard, group, member)
  return group.state === 'PreparingRebalance' ? ErrorCode.REBALANCE_IN_PROGRESS : ErrorCode.NONE
}

/** Starts the session of a member anew. */
export function expectHeartbeat(
  shard: GroupShard,
  group: ClassicGroup,
  member: ClassicMember,
  timeoutMs = member.sessionTimeoutMs,
): void {
  expectSign(shard, group, member.memberId, timeoutMs)
}

/** Also for ids that were given out and not used yet. */
export function expectSign(
  shard: GroupShard,
  group: ClassicGroup,
  memberId: string,
  timeoutMs: number,
): void {
  shard.context.timers.schedule(sessionKey(group, memberId), timeoutMs, () =>
    shard.groups.get(group.groupId) === group ? expire(shard, group, memberId) : NOTHING,
  )
}

export function cancelHeartbeat(shard: GroupShard, group: ClassicGroup, memberId: string): void {
  shard.context.timers.cancel(sessionKey(group, memberId))
}

function expire(shard: GroupShard, group: ClassicGroup, memberId: string): Effect {
  if (group.pendingJoins.has(memberId)) {
    group.remove(memberId)
    return maybeCompleteJoin(shard, group)
  }
  const member = group.member(memberId)
  if (member === undefined || member.isExcusedFromHeartbeats) return NOTHING
  shard.context.trace(`Member ${memberId} of group ${group.groupId} was not heard of in time.`)
  removeMember(shard, group, member)
  return afterRemoval(shard, group)
}

function sessionKey({ groupId }: ClassicGroup, memberId: string): string {
  return `session:${memberId}:${groupId}`
}
