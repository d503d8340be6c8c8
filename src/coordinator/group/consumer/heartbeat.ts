/**
 * ConsumerGroupHeartbeat v0-v1, the one request of the consumer protocol: it joins, tells what changed, asks for what
 * to do, and leaves. See reconcile.ts for how members come to their partitions.
 */
import type { InferInput } from '../../../protocol/schema/message.js'
import { ErrorCode } from '../../../protocol/error-codes.js'
import type {
  ConsumerGroupHeartbeatRequest,
  ConsumerGroupHeartbeatResponse,
} from '../../../protocol/messages/consumer-group-heartbeat.js'
import { groupConfigValue } from '../../../config/group-config.js'
import { type Outcome, answer } from '../../runtime/operation.js'
import type { GroupRequestContext } from '../group-context.js'
import type { GroupRecord } from '../records/group-record.js'
import type { ConsumerGroup } from './consumer-group.js'
import { currentRecord, memberRecord } from './consumer-group-records.js'
import {
  AWAY_EPOCH,
  type ConsumerMember,
  LEAVING_EPOCH,
  MemberState,
  withChanges,
} from './consumer-member.js'
import { leave } from './fence.js'
import type { ConsumerSideState, GroupChange } from './group-change.js'
import { heartbeatFault } from './heartbeat-fault.js'
import { assertRoom, fenced, groupFor, memberFor } from './join-member.js'
import { sameHeld, sameSet, type TopicPartitions, topicPartitionsOf } from './partitions.js'
import { isReconciledTo } from './consumer-member.js'
import { reconcile } from './reconcile.js'
import { Refusal } from './refusal.js'
import { updateRegexes } from './regex-refresh.js'
import { type MemberTarget, updateGroupEpoch, updateTarget } from './target-assignment.js'
import { expectHeartbeat, expectRevocation } from './timeouts.js'

export type HeartbeatAnswer = Omit<
  InferInput<typeof ConsumerGroupHeartbeatResponse>,
  'throttleTimeMs'
>

export function consumerHeartbeat(
  side: ConsumerSideState,
  request: ConsumerGroupHeartbeatRequest,
  context: GroupRequestContext,
): Outcome<GroupRecord, HeartbeatAnswer> {
  const { config } = side.shard.context
  try {
    const fault = heartbeatFault(
      request,
      context.apiVersion,
      config.get('group.consumer.assignors'),
    )
    if (fault !== null) throw fault
    if (request.memberEpoch !== LEAVING_EPOCH && request.memberEpoch !== AWAY_EPOCH) {
      return beat(side, request, context)
    }
    return leave(side, request)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return answer(heartbeatFailure(error.errorCode, error.message))
  }
}

export function heartbeatFailure(
  errorCode: number,
  errorMessage: string | null = null,
): HeartbeatAnswer {
  return { errorCode, errorMessage, memberId: null, memberEpoch: 0, heartbeatIntervalMs: 0 }
}

function beat(
  side: ConsumerSideState,
  request: ConsumerGroupHeartbeatRequest,
  context: GroupRequestContext,
): Outcome<GroupRecord, HeartbeatAnswer> {
  const { groupId, memberEpoch, instanceId, topicPartitions: owned } = request
  const isJoining = memberEpoch === 0
  const records: GroupRecord[] = []
  const { clock, newUuid } = side.shard.context
  const group = groupFor(side, groupId, { isJoining, records })
  assertRoom(side, group, request)
  const memberId = request.memberId === '' ? newUuid() : request.memberId
  const change: GroupChange = { side, group, records, nowMs: clock.nowMs() }
  const claim = { memberId, instanceId, isJoining, usesClassicProtocol: false, memberEpoch, owned }
  const old = memberFor(change, claim)
  assertKnownState(old, owned)
  const told = withChanges(old, tellingOf(old, request, context))
  const { target, hasSubscriptionChanged } = followMember(change, old, told)
  const changed = step(change, told, { target, hasSubscriptionChanged, owned })
  expectHeartbeat(side, groupId, changed)
  return { records, response: responseTo(request, group, { side, old, changed }) }
}

/** A state that a newer broker wrote: only a member without partitions can start over from it. */
function assertKnownState(
  { state }: ConsumerMember,
  owned: readonly TopicPartitions[] | null,
): void {
  if (state !== MemberState.Unknown || owned?.length === 0) return
  throw fenced('The consumer group member is in a unknown state.')
}

function tellingOf(
  old: ConsumerMember,
  request: ConsumerGroupHeartbeatRequest,
  { clientId, clientHost }: GroupRequestContext,
) {
  const { subscribedTopicNames: names } = request
  return {
    instanceId: request.instanceId ?? old.instanceId,
    rackId: request.rackId ?? old.rackId,
    rebalanceTimeoutMs:
      request.rebalanceTimeoutMs === -1 ? old.rebalanceTimeoutMs : request.rebalanceTimeoutMs,
    serverAssignor: request.serverAssignor ?? old.serverAssignor,
    subscribedTopicNames: names === null ? old.subscribedTopicNames : new Set(names),
    subscribedTopicRegex: request.subscribedTopicRegex ?? old.subscribedTopicRegex,
    clientId,
    clientHost,
    classic: null,
  }
}

/** What a member told moves the group epoch and, if it is due, the target assignment. */
function followMember(
  change: GroupChange,
  old: ConsumerMember,
  told: ConsumerMember,
): { target: MemberTarget; hasSubscriptionChanged: boolean } {
  const { group, records, nowMs } = change
  const update = { old, changed: told }
  if (told !== old) records.push(memberRecord(group.groupId, told))
  const hasNewNames = !sameSet(told.subscribedTopicNames, old.subscribedTopicNames)
  const regex = updateRegexes(change, update)
  const mustMove = hasNewNames || regex.isResolved || prefersOtherAssignor(change, old, told)
  const groupEpoch =
    mustMove || group.needsRefresh(nowMs)
      ? updateGroupEpoch(change, update, mustMove)
      : group.groupEpoch
  return {
    target: updateTarget(change, update, groupEpoch),
    hasSubscriptionChanged: hasNewNames || regex.hasChanged,
  }
}

function prefersOtherAssignor(
  { side, group }: GroupChange,
  old: ConsumerMember,
  told: ConsumerMember,
): boolean {
  if (old.serverAssignor === told.serverAssignor) return false
  const [fallback] = side.shard.context.config.get('group.consumer.assignors')
  const before = group.preferredAssignor() ?? fallback
  return before !== (group.preferredAssignor(old, told) ?? fallback)
}

export interface Step {
  readonly target: MemberTarget
  readonly hasSubscriptionChanged: boolean
  readonly owned: readonly TopicPartitions[] | null
}

/** Takes the member one step towards its target, written down if it moved. */
export function step(
  { side, group, records }: GroupChange,
  member: ConsumerMember,
  { target: { assignmentEpoch, target }, hasSubscriptionChanged, owned }: Step,
): ConsumerMember {
  if (!hasSubscriptionChanged && isReconciledTo(member, assignmentEpoch)) return member
  const next = reconcile(member, {
    assignmentEpoch,
    target,
    owned,
    hasSubscriptionChanged,
    topics: side.shard.context.topics,
    resolvedRegexes: group.resolvedRegexes,
    isHeld: (topicId, partition) => group.isHeld(topicId, partition),
  })
  const changed = withChanges(member, next)
  if (changed === member) return member
  records.push(currentRecord(group.groupId, changed))
  if (changed.classic === null) expectRevocation(side, group.groupId, changed)
  return changed
}

/** The assignment is told when it changed, and to whoever tells everything about itself. */
function responseTo(
  request: ConsumerGroupHeartbeatRequest,
  { groupId }: ConsumerGroup,
  { side, old, changed }: { side: ConsumerSideState; old: ConsumerMember; changed: ConsumerMember },
): HeartbeatAnswer {
  const { config, groupOverrides } = side.shard.context
  const isFull =
    request.rebalanceTimeoutMs !== -1 &&
    (request.subscribedTopicNames !== null || request.subscribedTopicRegex !== null) &&
    request.topicPartitions !== null
  const isTold = request.memberEpoch === 0 || isFull || !sameHeld(old.assigned, changed.assigned)
  return {
    errorCode: ErrorCode.NONE,
    memberId: changed.memberId,
    memberEpoch: changed.memberEpoch,
    heartbeatIntervalMs: groupConfigValue(
      'consumer.heartbeat.interval.ms',
      groupOverrides(groupId),
      config,
    ),
    assignment: isTold ? { topicPartitions: topicPartitionsOf(changed.assigned) } : null,
  }
}
