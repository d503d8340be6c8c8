/**
 * DescribeTopicPartitions describes topics page by page, with eligible leader replicas (KIP-966).
 */
import { array, bool, int16, int32, string, struct, structOf, uuid } from '../schema/field.js'
import { ApiKey } from '../api-keys.js'
import { type Infer, defineRequest, defineResponse } from '../schema/message.js'

const head = { apiKey: ApiKey.DescribeTopicPartitions, versions: [0, 0], flexibleSince: 0 } as const

const TopicRequest = struct('TopicRequest', {
  name: string({ about: 'The name.' }),
})

const Cursor = struct('Cursor', {
  topicName: string({ about: 'The topic.' }),
  partitionIndex: int32({ about: 'The partition.' }),
})

export const DescribeTopicPartitionsRequest = defineRequest(head, {
  topics: array(TopicRequest, { about: 'The topics.' }),
  responsePartitionLimit: int32({
    default: 2000,
    about: 'Most partitions to return; the broker has a limit of its own.',
  }),
  cursor: structOf(Cursor, {
    nullableSince: 0,
    default: null,
    about: 'Where to go on; null to begin.',
  }),
})
export type DescribeTopicPartitionsRequest = Infer<typeof DescribeTopicPartitionsRequest>

const DescribeTopicPartitionsResponsePartition = struct(
  'DescribeTopicPartitionsResponsePartition',
  {
    errorCode: int16({ about: 'Error of this entry, 0 if none.' }),
    partitionIndex: int32({ about: 'The partition.' }),
    leaderId: int32({ about: 'Broker that leads; -1 if none is known.' }),
    leaderEpoch: int32({
      default: -1,
      ignorable: true,
      about: 'Epoch of the leader; -1 if unknown.',
    }),
    replicaNodes: array(int32(), { about: 'All replicas.' }),
    isrNodes: array(int32(), { about: 'Replicas in sync with the leader.' }),
    eligibleLeaderReplicas: array(int32(), {
      nullableSince: 0,
      default: null,
      about: 'Replicas outside the ISR that have all committed records (KIP-966).',
    }),
    lastKnownElr: array(int32(), {
      nullableSince: 0,
      default: null,
      about: 'Last replicas known to be eligible for leadership (KIP-966).',
    }),
    offlineReplicas: array(int32(), { ignorable: true, about: 'Replicas that cannot be reached.' }),
  },
)

const DescribeTopicPartitionsResponseTopic = struct('DescribeTopicPartitionsResponseTopic', {
  errorCode: int16({ about: 'Error of this entry, 0 if none.' }),
  name: string({ nullableSince: 0, about: 'The name.' }),
  topicId: uuid({ ignorable: true, about: 'Id of the topic.' }),
  isInternal: bool({
    default: false,
    ignorable: true,
    about: 'True for the topics of the broker itself.',
  }),
  partitions: array(DescribeTopicPartitionsResponsePartition, { about: 'The partitions.' }),
  topicAuthorizedOperations: int32({
    default: -2147483648,
    about: 'Bit field of the operations the caller may do on the topic.',
  }),
})

export const DescribeTopicPartitionsResponse = defineResponse(head, {
  throttleTimeMs: int32({
    ignorable: true,
    about: 'How long a quota makes the client wait before its next request, in milliseconds.',
  }),
  topics: array(DescribeTopicPartitionsResponseTopic, { about: 'The topics.' }),
  nextCursor: structOf(Cursor, {
    nullableSince: 0,
    default: null,
    about: 'Where the next request shall go on; null at the end.',
  }),
})
export type DescribeTopicPartitionsResponse = Infer<typeof DescribeTopicPartitionsResponse>
