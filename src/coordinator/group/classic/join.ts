/** JoinGroup v0-v9 for classic groups: who becomes a member, and what that starts. The answer may come much later. */
import { type Uuid, uuidToBytes } from '../../../base/uuid.js'
import { ErrorCode } from '../../../protocol/error-codes.js'
import type { JoinGroupRequest } from '../../../protocol/messages/join-group.js'
import { Deferred } from '../../deferred.js'
import { type Outcome, answer } from '../../runtime/operation.js'
import { errorCodeOf } from '../error-mapping.js'
import type { GroupRequestContext } from '../group-context.js'
import type { GroupShard } from '../group-shard.js'
import type { GroupRecord } from '../records/group-record.js'
import { ClassicGroup, joinError } from './classic-group.js'
import { ClassicMember, type JoinAnswer, type MemberProtocol } from './classic-member.js'
import { expectHeartbeat, expectSign } from './heartbeat.js'
import {
  type Effect,
  maybeCompleteJoin,
  prepareRebalance,
  rebalanceOrCompleteJoin,
} from './rebalance.js'

type JoinOutcome = Outcome<GroupRecord, JoinAnswer>

/** From here on a client asks for an id first, and joins with it (KIP-394). */
const FIRST_VERSION_WITH_KNOWN_ID = 4
/** From here on a leader can be told that it need not assign (KIP-814). */
const FIRST_VERSION_WITH_SKIPPED_ASSIGNMENT = 9
/** A member that does not know its id yet cannot send heartbeats; after this its JoinGroup is given up. */
const NEW_MEMBER_JOIN_TIMEOUT_MS = 5 * 60 * 1000

/** One JoinGroup in work. */
interface Join {
  readonly shard: GroupShard
  readonly group: ClassicGroup
  readonly request: JoinGroupRequest
  readonly context: GroupRequestContext
  readonly protocols: readonly MemberProtocol[]
}

/**
 * `tombstones` end a group of another kind that had the name; they are written with the rest. Id and session timeout
 * of the request were checked.
 */
export function joinGroup(
  shard: GroupShard,
  request: JoinGroupRequest,
  context: GroupRequestContext,
  tombstones: readonly GroupRecord[] = [],
): JoinOutcome {
  const { groupId, memberId } = request
  const known = tombstones.length > 0 ? undefined : shard.classicGroup(groupId)
  const isUnknownMember = memberId === ''
  if (known === undefined && !isUnknownMember) {
    return answer(joinError(memberId, ErrorCode.UNKNOWN_MEMBER_ID))
  }
  const group = known ?? new ClassicGroup(groupId, shard.context)
  const protocols = request.protocols.map(({ name, metadata }) => ({
    name,
    metadata: Buffer.from(metadata),
  }))
  if (known === undefined) shard.groups.set(groupId, group)
  const join = { shard, group, request, context, protocols }
  const outcome = admit(join)
  return known === undefined ? withEmptyGroup(join, outcome, tombstones) : outcome
}

function admit(join: Join): JoinOutcome {
  const { shard, group, request } = join
  const { memberId } = request
  if (!hasRoom(group, memberId, shard.context.config.get('group.max.size'))) {
    group.remove(memberId)
    return answer(joinError('', ErrorCode.GROUP_MAX_SIZE_REACHED))
  }
  if (group.state === 'Dead') {
    return answer(joinError(memberId, ErrorCode.COORDINATOR_NOT_AVAILABLE))
  }
  if (!group.supports(request.protocolType, join.protocols)) {
    return answer(joinError(memberId, ErrorCode.INCONSISTENT_GROUP_PROTOCOL))
  }
  return memberId === '' ? joinNewcomer(join) : joinAgain(join)
}

/** The group is new: it is kept in the log before anybody learns of it. */
function withEmptyGroup(
  { shard, group, request }: Join,
  { response, records }: JoinOutcome,
  tombstones: readonly GroupRecord[],
): JoinOutcome {
  const failed = new Deferred<JoinAnswer>()
  return {
    records: [...tombstones, ...records, group.emptyRecord()],
    response: Promise.race([Promise.resolve(response), failed.promise]),
    replay: false,
    settled(error) {
      if (error === null) return
      if (shard.groups.get(group.groupId) === group) shard.groups.delete(group.groupId)
      for (const member of group.members) {
        group.answerJoin(member, joinError('', errorCodeOf(error)))
      }
      failed.resolve(joinError(request.memberId, errorCodeOf(error)))
    },
  }
}

/** A group takes members up to group.max.size; while it gathers, only those that have come count. */
function hasRoom(group: ClassicGroup, memberId: string, sizeMax: number): boolean {
  const member = group.member(memberId)
  switch (group.state) {
    case 'PreparingRebalance':
      return (member?.awaitingJoin ?? null) !== null || group.awaitingJoinCount < sizeMax
    case 'CompletingRebalance':
    case 'Stable':
      return member !== undefined || group.memberCount < sizeMax
    default:
      return true
  }
}

function joinNewcomer(join: Join): JoinOutcome {
  const { shard, group, request, context } = join
  const { groupInstanceId } = request
  const prefix = groupInstanceId ?? context.clientId
  const memberId = `${prefix}-${hexForm(shard.context.newUuid())}`
  if (groupInstanceId !== null) {
    const existing = group.staticMemberId(groupInstanceId)
    return existing === undefined
      ? addMember(join, memberId)
      : replaceStatic(join, existing, memberId)
  }
  if (context.apiVersion < FIRST_VERSION_WITH_KNOWN_ID) return addMember(join, memberId)
  group.pendingJoins.add(memberId)
  expectSign(shard, group, memberId, request.sessionTimeoutMs)
  return answer(joinError(memberId, ErrorCode.MEMBER_ID_REQUIRED))
}

function joinAgain(join: Join): JoinOutcome {
  const { group, request } = join
  const { memberId, groupInstanceId } = request
  if (group.pendingJoins.has(memberId)) {
    // Ids are only handed out to dynamic members.
    const isStatic = groupInstanceId !== null
    return isStatic
      ? answer(joinError(memberId, ErrorCode.UNKNOWN_MEMBER_ID))
      : addMember(join, memberId)
  }
  const refusal = group.judgeMember(memberId, groupInstanceId)
  const member = group.member(memberId)
  if (refusal !== ErrorCode.NONE || member === undefined) {
    return answer(joinError(memberId, refusal))
  }
  switch (group.state) {
    case 'PreparingRebalance':
      return updateMember(join, member)
    case 'CompletingRebalance':
      // It may just have missed the answer.
      return member.offers(join.protocols) ? currentGeneration(join) : updateMember(join, member)
    case 'Stable':
      // A leader that joins again has a reason, such as more partitions.
      return group.leaderId !== memberId && member.offers(join.protocols)
        ? currentGeneration(join)
        : updateMember(join, member)
    default:
      return answer(joinError(memberId, ErrorCode.UNKNOWN_MEMBER_ID))
  }
}

function addMember(
  { shard, group, request, context, protocols }: Join,
  memberId: string,
): JoinOutcome {
  const member = new ClassicMember({
    memberId,
    groupInstanceId: request.groupInstanceId,
    clientId: context.clientId,
    clientHost: context.clientHost,
    protocolType: request.protocolType,
    protocols,
    ...timeoutsOf(request, context),
  })
  member.isNew = true
  if (group.state === 'PreparingRebalance' && group.previousState === 'Empty') {
    group.newMemberAdded = true
  }
  const waiting = new Deferred<JoinAnswer>()
  group.add(member, waiting)
  expectHeartbeat(shard, group, member, NEW_MEMBER_JOIN_TIMEOUT_MS)
  return parked(waiting, rebalanceOrCompleteJoin(shard, group))
}

function updateMember(join: Join, member: ClassicMember): JoinOutcome {
  const { shard, group, request, context, protocols } = join
  const waiting = new Deferred<JoinAnswer>()
  group.update(member, { protocols, ...timeoutsOf(request, context) }, waiting)
  return parked(waiting, rebalanceOrCompleteJoin(shard, group))
}

/** A static member came back without its id: it takes the place of the one that had its instance id (KIP-345). */
function replaceStatic(join: Join, oldMemberId: string, newMemberId: string): JoinOutcome {
  const { shard, group, request, context, protocols } = join
  const leaderBefore = group.leaderId
  const instanceId = request.groupInstanceId ?? ''
  const member = group.replaceStatic(instanceId, oldMemberId, newMemberId)
  const said = { ...member }
  const waiting = new Deferred<JoinAnswer>()
  group.update(member, { protocols, ...timeoutsOf(request, context) }, waiting)
  expectHeartbeat(shard, group, member)
  switch (group.state) {
    case 'Stable':
      if (group.selectProtocol() !== group.protocolName) {
        return parked(waiting, rebalanceOrCompleteJoin(shard, group))
      }
      break
    case 'CompletingRebalance':
      // The leader may assign to the old id: it must start anew.
      return parked(waiting, prepareRebalance(shard, group))
    default:
      return parked(waiting, maybeCompleteJoin(shard, group))
  }
  return {
    records: [group.record()],
    response: waiting.promise,
    replay: false,
    settled(error) {
      if (error === null) {
        group.answerJoin(member, sameGeneration(join, newMemberId, leaderBefore))
        return
      }
      group.answerJoin(member, joinError('', errorCodeOf(error)))
      group.update(member, said, null)
      expectHeartbeat(shard, group, group.replaceStatic(instanceId, newMemberId, oldMemberId))
    },
  }
}

/** Nothing changed but the id of a static member. Old clients that lead must not believe that they do. */
function sameGeneration(
  { group, context }: Join,
  memberId: string,
  leaderBefore: string | null,
): JoinAnswer {
  const canSkip = context.apiVersion >= FIRST_VERSION_WITH_SKIPPED_ASSIGNMENT
  const isLeader = group.leaderId === memberId
  return {
    errorCode: ErrorCode.NONE,
    generationId: group.generationId,
    protocolType: group.protocolType,
    protocolName: group.protocolName,
    leader: (canSkip ? group.leaderId : leaderBefore) ?? '',
    skipAssignment: canSkip && isLeader,
    memberId,
    members: canSkip && isLeader ? group.describeMembersForLeader() : [],
  }
}

function currentGeneration({ group, request: { memberId } }: Join): JoinOutcome {
  const isLeader = group.leaderId === memberId
  return answer<GroupRecord, JoinAnswer>({
    errorCode: ErrorCode.NONE,
    generationId: group.generationId,
    protocolType: group.protocolType,
    protocolName: group.protocolName,
    leader: group.leaderId ?? '',
    memberId,
    members: isLeader ? group.describeMembersForLeader() : [],
  })
}

function parked({ promise }: Deferred<JoinAnswer>, effect: Effect): JoinOutcome {
  return { ...effect, response: promise }
}

/** As java.util.UUID prints it, which is what members of classic groups have in their ids. */
function hexForm(uuid: Uuid): string {
  const hex = uuidToBytes(uuid).toString('hex')
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join('-')
}

/** v0 has one timeout for both. */
function timeoutsOf(request: JoinGroupRequest, { apiVersion }: GroupRequestContext) {
  const { sessionTimeoutMs, rebalanceTimeoutMs } = request
  return {
    sessionTimeoutMs,
    rebalanceTimeoutMs: apiVersion === 0 ? sessionTimeoutMs : rebalanceTimeoutMs,
  }
}
