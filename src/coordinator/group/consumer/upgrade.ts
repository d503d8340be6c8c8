/**
 * The online upgrade: a classic group of consumers becomes a consumer group as soon as a member of the new protocol
 * comes. Its members keep what they have, with the generation as their epoch, and go on in the classic protocol.
 */
import { ErrorCode } from '../../../protocol/error-codes.js'
import {
  ConsumerProtocolAssignment,
  ConsumerProtocolSubscription,
} from '../../../protocol/messages/consumer-protocol.js'
import { ProtocolError } from '../../../protocol/schema/protocol-error.js'
import { decodeVersioned } from '../../../protocol/versioned-message.js'
import { type ClassicGroup, NO_SYNC, joinError } from '../classic/classic-group.js'
import type { ClassicMember } from '../classic/classic-member.js'
import type { TopicsImage } from '../group-context.js'
import type { GroupRecord } from '../records/group-record.js'
import { ConsumerGroup } from './consumer-group.js'
import {
  currentRecord,
  groupRecord,
  memberRecord,
  targetEpochRecord,
  targetRecord,
} from './consumer-group-records.js'
import { type ConsumerMember, newMember } from './consumer-member.js'
import type { ConsumerSideState } from './group-change.js'
import { type Partitions, withEpoch, withoutEpochs } from './partitions.js'
import { Refusal } from './refusal.js'
import { expectHeartbeat } from './timeouts.js'

/**
 * The consumer group that the records make of the classic one. Classic members that wait are told to rejoin. Throws
 * Refusal: GROUP_ID_NOT_FOUND.
 */
export function upgrade(
  side: ConsumerSideState,
  classic: ClassicGroup,
  records: GroupRecord[],
): ConsumerGroup {
  const { groupId } = classic
  assertAllowed(side, classic)
  const group = convert(side, classic)
  for (const member of classic.members) {
    classic.answerJoin(member, joinError(member.memberId, ErrorCode.REBALANCE_IN_PROGRESS))
    classic.answerSync(member, { ...NO_SYNC, errorCode: ErrorCode.REBALANCE_IN_PROGRESS })
  }
  const members = [...group.members.values()]
  records.push(
    ...classic.tombstones(),
    ...members.map(member => memberRecord(groupId, member)),
    groupRecord(groupId, group.groupEpoch, group.metadataHash),
    ...members.map(member => targetRecord(groupId, member.memberId, group.targetOf(member))),
    targetEpochRecord(groupId, group.assignmentEpoch, 0),
    ...members.map(member => currentRecord(groupId, member)),
  )
  for (const member of members) expectHeartbeat(side, groupId, member)
  return group
}

function assertAllowed({ shard }: ConsumerSideState, classic: ClassicGroup): void {
  const { config } = shard.context
  const policy = config.get('group.consumer.migration.policy').toLowerCase()
  if (policy !== 'upgrade' && policy !== 'bidirectional') {
    throw refusal(classic, 'online upgrade is disabled.')
  }
  if (classic.protocolType !== 'consumer') {
    throw refusal(classic, 'the group does not use the consumer embedded protocol.')
  }
  if (classic.memberCount > config.get('group.consumer.max.size')) {
    throw refusal(classic, 'the group size exceeds the consumer group maximum size.')
  }
}

function convert(side: ConsumerSideState, classic: ClassicGroup): ConsumerGroup {
  const group = new ConsumerGroup(classic.groupId)
  group.groupEpoch = classic.generationId
  group.assignmentEpoch = classic.generationId
  const protocol = classic.protocolName ?? classic.selectProtocol()
  for (const member of classic.members) {
    const converted = convertMember(side, classic, { member, protocol })
    group.putMember(converted)
    group.targets.set(converted.memberId, withoutEpochs(converted.assigned))
  }
  group.metadataHash = side.hashes.ofGroup(group.subscriptions.topicNames())
  return group
}

function convertMember(
  { shard }: ConsumerSideState,
  classic: ClassicGroup,
  { member, protocol }: { readonly member: ClassicMember; readonly protocol: string },
): ConsumerMember {
  try {
    const subscription = decodeVersioned(ConsumerProtocolSubscription, member.metadataOf(protocol))
    const assigned = assignedPartitionsOf(classic, member, shard.context.topics)
    return {
      ...newMember(member.memberId),
      memberEpoch: classic.generationId,
      previousMemberEpoch: classic.generationId,
      instanceId: member.groupInstanceId,
      rackId: subscription.rackId === '' ? null : subscription.rackId,
      rebalanceTimeoutMs: member.rebalanceTimeoutMs,
      clientId: member.clientId,
      clientHost: member.clientHost,
      subscribedTopicNames: new Set(subscription.topics),
      assigned: withEpoch(assigned, classic.generationId),
      classic: { sessionTimeoutMs: member.sessionTimeoutMs, protocols: member.protocols },
    }
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    throw refusal(classic, 'the embedded consumer protocol is malformed.')
  }
}

function assignedPartitionsOf(
  classic: ClassicGroup,
  { assignment }: ClassicMember,
  topics: TopicsImage,
): Partitions {
  if (assignment.length === 0) return new Map()
  const { assignedPartitions, userData } = decodeVersioned(ConsumerProtocolAssignment, assignment)
  if (userData !== null && userData.length > 0) {
    throw refusal(
      classic,
      'an unsupported custom assignor is in use. Switch the members to a default assignor first.',
    )
  }
  const partitions = new Map<
    NonNullable<ReturnType<TopicsImage['topic']>>['topicId'],
    Set<number>
  >()
  for (const { topic, partitions: ofTopic } of assignedPartitions) {
    const topicId = topics.topic(topic)?.topicId
    if (topicId !== undefined) partitions.set(topicId, new Set(ofTopic))
  }
  return partitions
}

function refusal({ groupId }: ClassicGroup, because: string): Refusal {
  return new Refusal(
    ErrorCode.GROUP_ID_NOT_FOUND,
    `Cannot upgrade classic group ${groupId} to consumer group because ${because}`,
  )
}
