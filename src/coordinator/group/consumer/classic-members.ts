/**
 * Classic members of a consumer group (the online upgrade): their requests in the words of the consumer protocol.
 * JoinGroup is a heartbeat that tells everything, SyncGroup fetches what the member holds, and a Heartbeat tells it
 * to rejoin whenever there is a next step for it. Nobody leads; the broker assigns.
 */
import { ErrorCode } from '../../../protocol/error-codes.js'
import { ConsumerProtocolSubscription } from '../../../protocol/messages/consumer-protocol.js'
import type { HeartbeatRequest } from '../../../protocol/messages/heartbeat.js'
import type { JoinGroupRequest } from '../../../protocol/messages/join-group.js'
import type { SyncGroupRequest } from '../../../protocol/messages/sync-group.js'
import { ProtocolError } from '../../../protocol/schema/protocol-error.js'
import { decodeVersioned } from '../../../protocol/versioned-message.js'
import { type Outcome, answer } from '../../runtime/operation.js'
import type { JoinAnswer, SyncAnswer } from '../classic/classic-member.js'
import type { LeaveAnswer, Leaver } from '../classic/leave.js'
import type { GroupRequestContext, TopicsImage } from '../group-context.js'
import type { GroupRecord } from '../records/group-record.js'
import type { ConsumerGroup } from './consumer-group.js'
import { memberRecord } from './consumer-group-records.js'
import { type ConsumerMember, MemberState, withChanges } from './consumer-member.js'
import { assignmentBytes, canDowngradeReplacing, downgrade } from './downgrade.js'
import { fenceMembers, knownMember, knownStaticMember } from './fence.js'
import type { ConsumerSideState, GroupChange } from './group-change.js'
import { step } from './heartbeat.js'
import { assertRoom, memberFor } from './join-member.js'
import { sameSet, type TopicPartitions, withoutEpochs } from './partitions.js'
import { Refusal } from './refusal.js'
import { updateRegexes } from './regex-refresh.js'
import { awaitsTarget, updateGroupEpoch, updateTarget } from './target-assignment.js'
import { expectHeartbeat, expectJoin, joined, synced } from './timeouts.js'

/** From here on a client asks for an id first, and joins with it (KIP-394). */
const FIRST_VERSION_WITH_KNOWN_ID = 4

/** Throws Refusal. */
export function classicJoin(
  side: ConsumerSideState,
  group: ConsumerGroup,
  {
    request,
    context,
  }: { readonly request: JoinGroupRequest; readonly context: GroupRequestContext },
): Outcome<GroupRecord, JoinAnswer> {
  const { shard } = side
  const { groupInstanceId: instanceId } = request
  assertMayJoin(side, group, request)
  const isUnknown = request.memberId === ''
  const memberId = isUnknown ? shard.context.newUuid() : request.memberId
  assertRoom(side, group, { memberId, instanceId })
  const protocols = request.protocols.map(({ name, metadata }) => ({
    name,
    metadata: Buffer.from(metadata),
  }))
  const names = protocols.map(({ name }) => name)
  if (!group.supportsClassic(request.protocolType, names)) {
    const message = `Member ${memberId}'s protocols are not supported.`
    throw new Refusal(ErrorCode.INCONSISTENT_GROUP_PROTOCOL, message)
  }
  if (isUnknown && instanceId === null && context.apiVersion >= FIRST_VERSION_WITH_KNOWN_ID) {
    return answer(joinAnswer({ memberId, errorCode: ErrorCode.MEMBER_ID_REQUIRED }))
  }
  const change: GroupChange = { side, group, records: [], nowMs: shard.context.clock.nowMs() }
  const old = memberFor(change, {
    memberId,
    instanceId,
    isJoining: instanceId === null || isUnknown,
    usesClassicProtocol: true,
    memberEpoch: -1,
    owned: [],
  })
  const subscription = subscriptionOf(protocols[0]!.metadata)
  const told = withChanges(old, {
    instanceId: instanceId ?? old.instanceId,
    rackId:
      subscription.rackId === null || subscription.rackId === '' ? old.rackId : subscription.rackId,
    rebalanceTimeoutMs:
      request.rebalanceTimeoutMs === -1 ? old.rebalanceTimeoutMs : request.rebalanceTimeoutMs,
    subscribedTopicNames: new Set(subscription.topics),
    subscribedTopicRegex: '',
    clientId: context.clientId,
    clientHost: context.clientHost,
    classic: { sessionTimeoutMs: request.sessionTimeoutMs, protocols },
  })
  const owned = ownedOf(subscription, shard.context.topics)
  return follow(change, { old, told, owned })
}

function follow(
  change: GroupChange,
  { old, told, owned }: { old: ConsumerMember; told: ConsumerMember; owned: TopicPartitions[] },
): Outcome<GroupRecord, JoinAnswer> {
  const { side, group, records, nowMs } = change
  const { groupId } = group
  const update = { old, changed: told }
  const replaced = group.staticMember(told.instanceId)
  const goesBack = replaced !== undefined && canDowngradeReplacing(side, group, replaced)
  if (told !== old) records.push(memberRecord(groupId, told))
  const regex = updateRegexes(change, update)
  const mustMove = !sameSet(told.subscribedTopicNames, old.subscribedTopicNames) || regex.hasChanged
  const groupEpoch =
    mustMove || group.needsRefresh(nowMs)
      ? updateGroupEpoch(change, update, mustMove)
      : group.groupEpoch
  if (goesBack) {
    const mustRebalance = group.assignmentEpoch < groupEpoch
    const target = { assignmentEpoch: group.assignmentEpoch, target: group.targetOf(told) }
    const joining = mustRebalance
      ? told
      : step(change, told, { target, hasSubscriptionChanged: mustMove, owned })
    const outcome = downgrade(side, group, { joining, mustRebalance, records })
    return { ...outcome, response: joinedAnswer(joining) }
  }
  const target = updateTarget(change, update, groupEpoch)
  const changed = step(change, told, { target, hasSubscriptionChanged: mustMove, owned })
  return {
    records,
    response: joinedAnswer(changed),
    settled(error) {
      if (error !== null) return
      expectHeartbeat(side, groupId, changed)
      joined(side, groupId, changed)
    },
  }
}

/** Throws Refusal. */
export function classicSync(
  side: ConsumerSideState,
  group: ConsumerGroup,
  request: SyncGroupRequest,
): Outcome<GroupRecord, SyncAnswer> {
  const member = classicMember(group, request)
  assertGeneration(member, request.generationId)
  assertProtocol(member, request)
  const isBehind = group.assignmentEpoch > member.memberEpoch
  if (isBehind && member.state !== MemberState.UnrevokedPartitions) {
    expectJoin(side, group.groupId, member)
    throw new Refusal(
      ErrorCode.REBALANCE_IN_PROGRESS,
      `A rebalance of group ${group.groupId} goes on: member ${member.memberId} should rejoin.`,
    )
  }
  synced(side, group.groupId, member.memberId)
  expectHeartbeat(side, group.groupId, member)
  const { topics } = side.shard.context
  const subscription = member.classic!.protocols[0]!.metadata
  return answer({
    errorCode: ErrorCode.NONE,
    protocolType: request.protocolType,
    protocolName: request.protocolName,
    assignment: assignmentBytes(withoutEpochs(member.assigned), subscription, topics),
  })
}

/** Throws Refusal. */
export function classicHeartbeat(
  side: ConsumerSideState,
  group: ConsumerGroup,
  request: HeartbeatRequest,
): Outcome<GroupRecord, { errorCode: number }> {
  const member = classicMember(group, request)
  assertGeneration(member, request.generationId)
  expectHeartbeat(side, group.groupId, member)
  const change: GroupChange = { side, group, records: [], nowMs: side.shard.context.clock.nowMs() }
  const mustRejoin =
    member.memberEpoch < group.assignmentEpoch ||
    // A heartbeat of a classic member assigns nothing; without this a group of classic members would stay behind.
    awaitsTarget(change) ||
    member.state === MemberState.UnrevokedPartitions ||
    (member.state === MemberState.UnreleasedPartitions && !isWaiting(group, member))
  if (!mustRejoin) return answer({ errorCode: ErrorCode.NONE })
  expectJoin(side, group.groupId, member)
  return answer({ errorCode: ErrorCode.REBALANCE_IN_PROGRESS })
}

/** Others still hold something that the member is to have. */
function isWaiting(group: ConsumerGroup, member: ConsumerMember): boolean {
  for (const [topicId, partitions] of group.targetOf(member)) {
    const assigned = member.assigned.get(topicId)
    for (const partition of partitions) {
      if (assigned?.has(partition) !== true && group.isHeld(topicId, partition)) return true
    }
  }
  return false
}

/** Members of both protocols; each leaver has an error of its own. */
export function classicLeave(
  side: ConsumerSideState,
  group: ConsumerGroup,
  leavers: readonly Leaver[],
): Outcome<GroupRecord, LeaveAnswer> {
  const leaving = new Set<ConsumerMember>()
  const members = leavers.map(({ memberId, groupInstanceId }) => {
    let errorCode: number = ErrorCode.NONE
    try {
      leaving.add(leaverOf(group, memberId, groupInstanceId))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      errorCode = error.errorCode
    }
    return { memberId, groupInstanceId, errorCode }
  })
  const outcome = fenceMembers(side, group, [...leaving])
  return { ...outcome, response: { errorCode: ErrorCode.NONE, members } }
}

function leaverOf(
  group: ConsumerGroup,
  memberId: string,
  instanceId: string | null,
): ConsumerMember {
  if (instanceId === null) return knownMember(group, memberId)
  const id = memberId === '' ? (group.staticMember(instanceId)?.memberId ?? '') : memberId
  return knownStaticMember(group, id, instanceId)
}

function assertMayJoin(
  { shard }: ConsumerSideState,
  group: ConsumerGroup,
  { memberId }: JoinGroupRequest,
): void {
  if (group.isEmpty) {
    throw new Refusal(ErrorCode.UNKNOWN_MEMBER_ID, `Member ${memberId} is unknown.`)
  }
  const policy = shard.context.config.get('group.consumer.migration.policy').toLowerCase()
  if (policy !== 'disabled') return
  throw new Refusal(
    ErrorCode.INCONSISTENT_GROUP_PROTOCOL,
    `Cannot join the consumer group ${group.groupId} with the classic protocol: group migration is disabled.`,
  )
}

function classicMember(
  group: ConsumerGroup,
  { memberId, groupInstanceId }: { memberId: string; groupInstanceId: string | null },
): ConsumerMember {
  const member =
    groupInstanceId === null
      ? knownMember(group, memberId)
      : knownStaticMember(group, memberId, groupInstanceId)
  if (member.classic !== null) return member
  const message = `Member ${memberId} does not use the classic protocol.`
  throw new Refusal(ErrorCode.UNKNOWN_MEMBER_ID, message)
}

function assertGeneration({ memberId, memberEpoch }: ConsumerMember, generationId: number): void {
  if (memberEpoch === generationId) return
  throw new Refusal(
    ErrorCode.ILLEGAL_GENERATION,
    `The request generation id ${generationId} is not equal to the member epoch ${memberEpoch} of member ${memberId}.`,
  )
}

function assertProtocol(
  { memberId, classic }: ConsumerMember,
  { protocolType, protocolName }: SyncGroupRequest,
): void {
  const isFitting =
    (protocolType ?? 'consumer') === 'consumer' &&
    (protocolName === null || protocolName === classic!.protocols[0]!.name)
  if (isFitting) return
  const message = `The protocol of member ${memberId} is not the one returned in the join response.`
  throw new Refusal(ErrorCode.INCONSISTENT_GROUP_PROTOCOL, message)
}

function subscriptionOf(metadata: Buffer): ConsumerProtocolSubscription {
  try {
    return decodeVersioned(ConsumerProtocolSubscription, metadata)
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    throw new Refusal(
      ErrorCode.INCONSISTENT_GROUP_PROTOCOL,
      'Malformed embedded consumer protocol in subscription deserialization.',
    )
  }
}

function ownedOf(
  { ownedPartitions }: ConsumerProtocolSubscription,
  topics: TopicsImage,
): TopicPartitions[] {
  const owned: TopicPartitions[] = []
  for (const { topic, partitions } of ownedPartitions) {
    const topicId = topics.topic(topic)?.topicId
    if (topicId !== undefined) owned.push({ topicId, partitions })
  }
  return owned
}

function joinedAnswer({ memberId, memberEpoch, classic }: ConsumerMember): JoinAnswer {
  return joinAnswer({
    memberId,
    errorCode: ErrorCode.NONE,
    generationId: memberEpoch,
    protocolType: 'consumer',
    protocolName: classic!.protocols[0]!.name,
  })
}

function joinAnswer(
  fields: Pick<JoinAnswer, 'memberId' | 'errorCode'> & Partial<JoinAnswer>,
): JoinAnswer {
  return {
    generationId: -1,
    protocolType: null,
    protocolName: null,
    leader: '',
    members: [],
    ...fields,
  }
}
