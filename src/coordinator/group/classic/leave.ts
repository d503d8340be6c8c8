/** LeaveGroup v0-v5 for classic groups. From v3 several members leave at once, also by their instance ids (KIP-345). */
import { ErrorCode } from '../../../protocol/error-codes.js'
import type {
  LeaveGroupRequest,
  LeaveGroupResponse,
} from '../../../protocol/messages/leave-group.js'
import type { InferInput } from '../../../protocol/schema/message.js'
import type { Outcome } from '../../runtime/operation.js'
import type { GroupShard } from '../group-shard.js'
import type { GroupRecord } from '../records/group-record.js'
import type { ClassicGroup } from './classic-group.js'
import { cancelHeartbeat } from './heartbeat.js'
import { afterRemoval, removeMember } from './rebalance.js'

export type LeaveAnswer = InferInput<typeof LeaveGroupResponse>
/** Who is to leave, whatever the version. */
export type Leaver = Pick<LeaveGroupRequest['members'][number], 'memberId' | 'groupInstanceId'>

/** Answers in the form of v3; the handler folds it for older versions. */
export function leaveGroup(
  shard: GroupShard,
  group: ClassicGroup | undefined,
  leavers: readonly Leaver[],
): Outcome<GroupRecord, LeaveAnswer> {
  const members = leavers.map(leaver => ({
    memberId: leaver.memberId,
    groupInstanceId: leaver.groupInstanceId,
    errorCode: group === undefined ? ErrorCode.UNKNOWN_MEMBER_ID : take(shard, group, leaver),
  }))
  const response = { errorCode: ErrorCode.NONE, members }
  const hasAnyLeft = members.some(({ errorCode }) => errorCode === ErrorCode.NONE)
  if (group === undefined || !hasAnyLeft) return { records: [], response }
  return { ...afterRemoval(shard, group), response }
}

function take(
  shard: GroupShard,
  group: ClassicGroup,
  { memberId, groupInstanceId }: Leaver,
): number {
  if (memberId === '' && groupInstanceId !== null) {
    // An operator removes a static member.
    const known = group.staticMemberId(groupInstanceId)
    const member = known === undefined ? undefined : group.member(known)
    if (member === undefined) return ErrorCode.UNKNOWN_MEMBER_ID
    removeMember(shard, group, member)
    return ErrorCode.NONE
  }
  if (group.pendingJoins.has(memberId)) {
    cancelHeartbeat(shard, group, memberId)
    group.remove(memberId)
    return ErrorCode.NONE
  }
  const refusal = group.judgeMember(memberId, groupInstanceId)
  const member = group.member(memberId)
  if (refusal !== ErrorCode.NONE || member === undefined) return refusal
  removeMember(shard, group, member)
  return ErrorCode.NONE
}
