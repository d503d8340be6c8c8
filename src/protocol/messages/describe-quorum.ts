/**
 * DescribeQuorum tells the state of the Raft quorum (KIP-595). v1 timestamps (KIP-836), v2
 * directory ids and endpoints (KIP-853).
 */
import { array, int16, int32, int64, string, struct, uint16, uuid } from '../schema/field.js'
import { ApiKey } from '../api-keys.js'
import { type Infer, defineRequest, defineResponse } from '../schema/message.js'

const head = { apiKey: ApiKey.DescribeQuorum, versions: [0, 2], flexibleSince: 0 } as const

const PartitionData = struct('PartitionData', {
  partitionIndex: int32({ about: 'The partition.' }),
})

const TopicData = struct('TopicData', {
  topicName: string({ about: 'The topic.' }),
  partitions: array(PartitionData, { about: 'The partitions.' }),
})

export const DescribeQuorumRequest = defineRequest(head, {
  topics: array(TopicData, { about: 'The topics.' }),
})
export type DescribeQuorumRequest = Infer<typeof DescribeQuorumRequest>

const ReplicaState = struct('ReplicaState', {
  replicaId: int32({ about: 'Broker that fetches; -1 for clients.' }),
  replicaDirectoryId: uuid({ since: 2, about: 'Log directory of the replica (KIP-858).' }),
  logEndOffset: int64({ about: 'Offset that the next record will get.' }),
  lastFetchTimestamp: int64({
    since: 1,
    default: -1n,
    ignorable: true,
    about: 'When the replica last fetched, in milliseconds; -1 if unknown.',
  }),
  lastCaughtUpTimestamp: int64({
    since: 1,
    default: -1n,
    ignorable: true,
    about: 'When the replica was last caught up, in milliseconds; -1 if unknown.',
  }),
})

const ResponsePartitionData = struct('ResponsePartitionData', {
  partitionIndex: int32({ about: 'The partition.' }),
  errorCode: int16({ about: 'Error of this entry, 0 if none.' }),
  errorMessage: string({
    since: 2,
    nullableSince: 2,
    ignorable: true,
    about: 'What went wrong in words, or null.',
  }),
  leaderId: int32({ about: 'Broker that leads; -1 if none is known.' }),
  leaderEpoch: int32({ about: 'Epoch of the leader; -1 if unknown.' }),
  highWatermark: int64({ about: 'Offset below which all records are replicated.' }),
  currentVoters: array(ReplicaState, { about: 'Voters of the quorum.' }),
  observers: array(ReplicaState, { about: 'Nodes that follow the quorum without a vote.' }),
})

const ResponseTopicData = struct('ResponseTopicData', {
  topicName: string({ about: 'The topic.' }),
  partitions: array(ResponsePartitionData, { about: 'The partitions.' }),
})

const Listener = struct('Listener', {
  name: string({ since: 2, about: 'The name.' }),
  host: string({ since: 2, about: 'Host name.' }),
  port: uint16({ since: 2, about: 'Port.' }),
})

const Node = struct('Node', {
  nodeId: int32({ since: 2, about: 'The broker.' }),
  listeners: array(Listener, { since: 2, about: 'Endpoints of the voter.' }),
})

export const DescribeQuorumResponse = defineResponse(head, {
  errorCode: int16({ about: 'Error of the whole request, 0 if none.' }),
  errorMessage: string({
    since: 2,
    nullableSince: 2,
    ignorable: true,
    about: 'What went wrong in words, or null.',
  }),
  topics: array(ResponseTopicData, { about: 'The topics.' }),
  nodes: array(Node, { since: 2, about: 'The nodes.' }),
})
export type DescribeQuorumResponse = Infer<typeof DescribeQuorumResponse>
