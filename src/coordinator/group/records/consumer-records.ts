/** Records of __consumer_offsets that hold consumer groups (KIP-848, types 3 to 8 and 16). */
import {
  array,
  bytes,
  int32,
  int64,
  int8,
  string,
  struct,
  structOf,
  uuid,
} from '../../../protocol/schema/field.js'
import { type Fields, type FieldOptions } from '../../../protocol/schema/field.js'
import { type Infer, defineMessage } from '../../../protocol/schema/message.js'

const groupId = string({ about: 'The group.' })
const memberId = string({ about: 'Id of the member.' })

/** A key's version is the type of its record. */
function keyOf<const F extends Fields>(name: string, type: number, fields: F) {
  return defineMessage({ name, versions: [type, type], flexibleSince: null }, fields)
}
const value = { versions: [0, 0], flexibleSince: 0 } as const
const NULL = { nullableSince: 0 } as const satisfies FieldOptions<never>

export const ConsumerGroupMetadataKey = keyOf('ConsumerGroupMetadataKey', 3, { groupId })
export const ConsumerGroupMetadataValue = defineMessage(
  { ...value, name: 'ConsumerGroupMetadataValue' },
  {
    epoch: int32({ about: 'The group epoch.' }),
    metadataHash: int64({ tag: 0, default: 0n, about: 'Hash of all subscribed topics.' }),
  },
)
export type ConsumerGroupMetadataValue = Infer<typeof ConsumerGroupMetadataValue>

const PartitionMetadata = struct('PartitionMetadata', {
  partition: int32({ about: 'The partition.' }),
  racks: array(string(), { about: 'Racks of its replicas.' }),
})
const TopicMetadata = struct('TopicMetadata', {
  topicId: uuid({ about: 'Id of the topic.' }),
  topicName: string({ about: 'Name of the topic.' }),
  numPartitions: int32({ about: 'How many partitions it has.' }),
  partitionMetadata: array(PartitionMetadata, { about: 'Its partitions.' }),
})
/** Written before 4.1 only. */
export const ConsumerGroupPartitionMetadataKey = keyOf('ConsumerGroupPartitionMetadataKey', 4, {
  groupId,
})
export const ConsumerGroupPartitionMetadataValue = defineMessage(
  { ...value, name: 'ConsumerGroupPartitionMetadataValue' },
  { topics: array(TopicMetadata, { about: 'The subscribed topics.' }) },
)
export type ConsumerGroupPartitionMetadataValue = Infer<typeof ConsumerGroupPartitionMetadataValue>

const ClassicProtocol = struct('ClassicProtocol', {
  name: string({ about: 'Name of the protocol.' }),
  metadata: bytes({ about: 'The metadata of the member for it.' }),
})
const ClassicMemberMetadata = struct('ClassicMemberMetadata', {
  sessionTimeoutMs: int32({ about: 'Session timeout of the member, in milliseconds.' }),
  supportedProtocols: array(ClassicProtocol, { about: 'The protocols it supports.' }),
})
export const ConsumerGroupMemberMetadataKey = keyOf('ConsumerGroupMemberMetadataKey', 5, {
  groupId,
  memberId,
})
export const ConsumerGroupMemberMetadataValue = defineMessage(
  { ...value, name: 'ConsumerGroupMemberMetadataValue' },
  {
    instanceId: string({ ...NULL, about: 'Id of a static member.' }),
    rackId: string({ ...NULL, about: 'Where the member runs.' }),
    clientId: string({ about: 'How the client calls itself.' }),
    clientHost: string({ about: 'Where the client runs.' }),
    subscribedTopicNames: array(string(), { about: 'The topics it wants.' }),
    subscribedTopicRegex: string({ ...NULL, about: 'Topics it wants, as a pattern.' }),
    rebalanceTimeoutMs: int32({ default: -1, about: 'Its rebalance timeout, in milliseconds.' }),
    serverAssignor: string({ ...NULL, about: 'The assignor it wants.' }),
    classicMemberMetadata: structOf(ClassicMemberMetadata, {
      ...NULL,
      tag: 0,
      default: null,
      about: 'Set if the member speaks the classic protocol.',
    }),
  },
)
export type ConsumerGroupMemberMetadataValue = Infer<typeof ConsumerGroupMemberMetadataValue>

export const ConsumerGroupTargetAssignmentMetadataKey = keyOf(
  'ConsumerGroupTargetAssignmentMetadataKey',
  6,
  { groupId },
)
export const ConsumerGroupTargetAssignmentMetadataValue = defineMessage(
  { ...value, name: 'ConsumerGroupTargetAssignmentMetadataValue' },
  {
    assignmentEpoch: int32({ about: 'The group epoch it was made for.' }),
    assignmentTimestamp: int64({
      tag: 0,
      default: 0n,
      ignorable: true,
      about: 'When it was made, in milliseconds.',
    }),
  },
)
export type ConsumerGroupTargetAssignmentMetadataValue = Infer<
  typeof ConsumerGroupTargetAssignmentMetadataValue
>

const TargetTopicPartition = struct('TopicPartition', {
  topicId: uuid({ about: 'Id of the topic.' }),
  partitions: array(int32(), { about: 'Its partitions.' }),
})
export const ConsumerGroupTargetAssignmentMemberKey = keyOf(
  'ConsumerGroupTargetAssignmentMemberKey',
  7,
  { groupId, memberId },
)
export const ConsumerGroupTargetAssignmentMemberValue = defineMessage(
  { ...value, name: 'ConsumerGroupTargetAssignmentMemberValue' },
  { topicPartitions: array(TargetTopicPartition, { about: 'What the member is to have.' }) },
)
export type ConsumerGroupTargetAssignmentMemberValue = Infer<
  typeof ConsumerGroupTargetAssignmentMemberValue
>

const CurrentTopicPartitions = struct('TopicPartitions', {
  topicId: uuid({ about: 'Id of the topic.' }),
  partitions: array(int32(), { about: 'Its partitions.' }),
  assignmentEpochs: array(int32(), {
    ...NULL,
    tag: 0,
    default: null,
    about: 'The member epoch at which each partition came to the member.',
  }),
})
export const ConsumerGroupCurrentMemberAssignmentKey = keyOf(
  'ConsumerGroupCurrentMemberAssignmentKey',
  8,
  { groupId, memberId },
)
export const ConsumerGroupCurrentMemberAssignmentValue = defineMessage(
  { ...value, name: 'ConsumerGroupCurrentMemberAssignmentValue' },
  {
    memberEpoch: int32({ about: 'The epoch of the member.' }),
    previousMemberEpoch: int32({ about: 'The one before.' }),
    state: int8({ about: '0 stable, 1 has to revoke, 2 waits for partitions.' }),
    assignedPartitions: array(CurrentTopicPartitions, { about: 'What the member has.' }),
    partitionsPendingRevocation: array(CurrentTopicPartitions, { about: 'What it is to give up.' }),
  },
)
export type ConsumerGroupCurrentMemberAssignmentValue = Infer<
  typeof ConsumerGroupCurrentMemberAssignmentValue
>

export const ConsumerGroupRegularExpressionKey = keyOf('ConsumerGroupRegularExpressionKey', 16, {
  groupId,
  regularExpression: string({ about: 'The pattern.' }),
})
export const ConsumerGroupRegularExpressionValue = defineMessage(
  { ...value, name: 'ConsumerGroupRegularExpressionValue' },
  {
    topics: array(string(), { about: 'The topics that match.' }),
    version: int64({ about: 'The version of the metadata that it was resolved against.' }),
    timestamp: int64({ about: 'When it was resolved, in milliseconds.' }),
  },
)
export type ConsumerGroupRegularExpressionValue = Infer<typeof ConsumerGroupRegularExpressionValue>
