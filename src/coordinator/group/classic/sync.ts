/** SyncGroup v0-v5 for classic groups: the leader's assignment is stored, then everybody gets theirs. */
import { ErrorCode } from '../../../protocol/error-codes.js'
import type { SyncGroupRequest } from '../../../protocol/messages/sync-group.js'
import { Deferred } from '../../deferred.js'
import { type Outcome, answer } from '../../runtime/operation.js'
import { errorCodeOf } from '../error-mapping.js'
import type { GroupShard } from '../group-shard.js'
import type { GroupRecord } from '../records/group-record.js'
import { type ClassicGroup, NO_SYNC } from './classic-group.js'
import { EMPTY_BYTES, type SyncAnswer } from './classic-member.js'
import {
  propagateAssignment,
  propagateError,
  rebalanceOrCompleteJoin,
  syncReceived,
} from './rebalance.js'

type SyncOutcome = Outcome<GroupRecord, SyncAnswer>

export function syncGroup(
  shard: GroupShard,
  group: ClassicGroup | undefined,
  request: SyncGroupRequest,
): SyncOutcome {
  if (group === undefined) return refuse(ErrorCode.UNKNOWN_MEMBER_ID)
  const refusal = judge(group, request)
  const member = group.member(request.memberId)
  if (refusal !== ErrorCode.NONE || member === undefined) return refuse(refusal)
  switch (group.state) {
    case 'PreparingRebalance':
      return refuse(ErrorCode.REBALANCE_IN_PROGRESS)
    case 'CompletingRebalance': {
      const waiting = new Deferred<SyncAnswer>()
      // A second SyncGroup of a member takes the place of its first.
      group.answerSync(member, { ...NO_SYNC, errorCode: ErrorCode.REBALANCE_IN_PROGRESS })
      member.awaitingSync = waiting
      syncReceived(shard, group, member.memberId)
      if (group.leaderId !== member.memberId) return answer(waiting.promise)
      return storeAssignment(shard, group, request, waiting.promise)
    }
    case 'Stable':
      syncReceived(shard, group, member.memberId)
      return answer<GroupRecord, SyncAnswer>({
        errorCode: ErrorCode.NONE,
        protocolType: group.protocolType,
        protocolName: group.protocolName,
        assignment: member.assignment,
      })
    default:
      return refuse(ErrorCode.UNKNOWN_MEMBER_ID)
  }
}

function judge(group: ClassicGroup, request: SyncGroupRequest): number {
  if (group.state === 'Dead') return ErrorCode.COORDINATOR_NOT_AVAILABLE
  const refusal = group.judgeMember(request.memberId, request.groupInstanceId)
  if (refusal !== ErrorCode.NONE) return refusal
  if (request.generationId !== group.generationId) return ErrorCode.ILLEGAL_GENERATION
  const { protocolType, protocolName } = request
  const isOther =
    (protocolType !== null && protocolType !== group.protocolType) ||
    (protocolName !== null && protocolName !== group.protocolName)
  return isOther ? ErrorCode.INCONSISTENT_GROUP_PROTOCOL : ErrorCode.NONE
}

function storeAssignment(
  shard: GroupShard,
  group: ClassicGroup,
  request: SyncGroupRequest,
  response: Promise<SyncAnswer>,
): SyncOutcome {
  const given = new Map(
    request.assignments.map(({ memberId, assignment }) => [memberId, Buffer.from(assignment)]),
  )
  // Members that the leader left out get nothing.
  const assignments = new Map(
    Array.from(group.members, ({ memberId }) => [memberId, given.get(memberId) ?? EMPTY_BYTES]),
  )
  return {
    records: [group.record(assignments)],
    response,
    replay: false,
    settled(error) {
      // Somebody may have joined meanwhile; then there will be another generation.
      if (group.state !== 'CompletingRebalance') return
      if (group.generationId !== request.generationId) return
      if (error === null) {
        group.transitionTo('Stable')
        propagateAssignment(shard, group, assignments)
        return
      }
      propagateError(shard, group, errorCodeOf(error))
      rebalanceOrCompleteJoin(shard, group)
    },
  }
}

function refuse(errorCode: number): SyncOutcome {
  return answer<GroupRecord, SyncAnswer>({ ...NO_SYNC, errorCode })
}
