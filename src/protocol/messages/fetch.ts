/**
 * Fetch reads record batches, for consumers and for followers. v4 isolation levels, v7 sessions
 * (KIP-227), v9 epoch fencing (KIP-320), v11 racks (KIP-392), v12 flexible and diverging epochs
 * (KIP-595), v13 topic ids (KIP-516), v15 replica state (KIP-903), v16 node endpoints (KIP-951),
 * v17 directory id (KIP-853), v18 the follower's high watermark (KIP-1166).
 */
import {
  array,
  int16,
  int32,
  int64,
  int8,
  records,
  string,
  struct,
  structOf,
  uuid,
} from '../schema/field.js'
import { ApiKey } from '../api-keys.js'
import { type Infer, defineRequest, defineResponse } from '../schema/message.js'

const head = { apiKey: ApiKey.Fetch, versions: [4, 18], flexibleSince: 12 } as const

const ReplicaState = struct('ReplicaState', {
  replicaId: int32({ since: 15, default: -1, about: 'Broker that fetches; -1 for clients.' }),
  replicaEpoch: int64({
    since: 15,
    default: -1n,
    about: 'Epoch of the broker that fetches; -1 for clients.',
  }),
})

const FetchPartition = struct('FetchPartition', {
  partition: int32({ about: 'The partition.' }),
  currentLeaderEpoch: int32({
    since: 9,
    default: -1,
    ignorable: true,
    about: 'Leader epoch the sender knows, to fence stale ones; -1 to skip the check.',
  }),
  fetchOffset: int64({ about: 'Offset to read from.' }),
  lastFetchedEpoch: int32({
    since: 12,
    default: -1,
    about: 'Epoch of the last record the follower has; -1 if unknown.',
  }),
  logStartOffset: int64({
    since: 5,
    default: -1n,
    ignorable: true,
    about: 'First offset the follower keeps; -1 from clients.',
  }),
  partitionMaxBytes: int32({ about: 'Most bytes to return for this partition.' }),
  replicaDirectoryId: uuid({
    since: 17,
    tag: 0,
    ignorable: true,
    about: 'Log directory of the replica (KIP-858).',
  }),
  highWatermark: int64({
    since: 18,
    tag: 1,
    default: 9223372036854775807n,
    ignorable: true,
    about:
      'High watermark the follower has, to let the leader answer at once when it moves (KIP-1166).',
  }),
})

const FetchTopic = struct('FetchTopic', {
  topic: string({ until: 12, ignorable: true, about: 'The topic.' }),
  topicId: uuid({ since: 13, ignorable: true, about: 'Id of the topic.' }),
  partitions: array(FetchPartition, { about: 'The partitions.' }),
})

const ForgottenTopic = struct('ForgottenTopic', {
  topic: string({ since: 7, until: 12, ignorable: true, about: 'The topic.' }),
  topicId: uuid({ since: 13, ignorable: true, about: 'Id of the topic.' }),
  partitions: array(int32(), { since: 7, about: 'The partitions.' }),
})

export const FetchRequest = defineRequest(head, {
  clusterId: string({
    since: 12,
    nullableSince: 12,
    tag: 0,
    default: null,
    ignorable: true,
    about: 'Cluster the sender expects; used by Raft only.',
  }),
  replicaId: int32({ until: 14, default: -1, about: 'Broker that asks; -1 for clients.' }),
  replicaState: structOf(ReplicaState, {
    since: 15,
    tag: 1,
    about: 'The follower that fetches (KIP-903).',
  }),
  maxWaitMs: int32({ about: 'How long to wait for minBytes, in milliseconds.' }),
  minBytes: int32({ about: 'Least bytes to wait for.' }),
  maxBytes: int32({
    default: 2147483647,
    ignorable: true,
    about: 'Most bytes to return; at least one batch always comes.',
  }),
  isolationLevel: int8({
    default: 0,
    ignorable: true,
    about: '0 read uncommitted, 1 read committed.',
  }),
  sessionId: int32({
    since: 7,
    default: 0,
    ignorable: true,
    about: 'Id of the fetch session; 0 for none.',
  }),
  sessionEpoch: int32({
    since: 7,
    default: -1,
    ignorable: true,
    about: 'Epoch of the fetch session; 0 opens one, -1 uses none (KIP-227).',
  }),
  topics: array(FetchTopic, {
    about: 'Partitions to fetch; in a session, those that are new or changed.',
  }),
  forgottenTopicsData: array(ForgottenTopic, {
    since: 7,
    about: 'Partitions to drop from the fetch session (KIP-227).',
  }),
  rackId: string({
    since: 11,
    default: '',
    ignorable: true,
    about: 'Rack of the consumer; empty or null for none.',
  }),
})
export type FetchRequest = Infer<typeof FetchRequest>

const EpochEndOffset = struct('EpochEndOffset', {
  epoch: int32({ since: 12, default: -1, about: 'The epoch.' }),
  endOffset: int64({
    since: 12,
    default: -1n,
    about: 'Offset after the last record of that epoch; -1 if unknown.',
  }),
})

const LeaderIdAndEpoch = struct('LeaderIdAndEpoch', {
  leaderId: int32({ since: 12, default: -1, about: 'Leader the broker knows; -1 if none.' }),
  leaderEpoch: int32({ since: 12, default: -1, about: 'Epoch of that leader; -1 if unknown.' }),
})

const SnapshotId = struct('SnapshotId', {
  endOffset: int64({ default: -1n, about: 'Offset after the last one of the epoch.' }),
  epoch: int32({ default: -1, about: 'The epoch.' }),
})

const AbortedTransaction = struct('AbortedTransaction', {
  producerId: int64({ about: 'Id of the producer; -1 if it has none.' }),
  firstOffset: int64({ about: 'First offset of the transaction.' }),
})

const PartitionData = struct('PartitionData', {
  partitionIndex: int32({ about: 'The partition.' }),
  errorCode: int16({ about: 'Error of this entry, 0 if none.' }),
  highWatermark: int64({ about: 'Offset below which all records are replicated.' }),
  lastStableOffset: int64({
    default: -1n,
    ignorable: true,
    about: 'Offset before which no transaction is open.',
  }),
  logStartOffset: int64({
    since: 5,
    default: -1n,
    ignorable: true,
    about: 'First offset that is still kept; -1 if unknown.',
  }),
  divergingEpoch: structOf(EpochEndOffset, {
    since: 12,
    tag: 0,
    about: 'Last epoch and end offset both logs share, if they diverge (KIP-595).',
  }),
  currentLeader: structOf(LeaderIdAndEpoch, {
    since: 12,
    tag: 1,
    about: 'Leader to use instead, set when this broker is not it (KIP-951).',
  }),
  snapshotId: structOf(SnapshotId, {
    since: 12,
    tag: 2,
    about: 'Snapshot to fetch first; used by Raft only.',
  }),
  abortedTransactions: array(AbortedTransaction, {
    nullableSince: 4,
    ignorable: true,
    about: 'Aborted transactions that overlap the returned range; null unless read committed.',
  }),
  preferredReadReplica: int32({
    since: 11,
    default: -1,
    about: 'Replica the consumer shall read from instead; -1 for the leader (KIP-392).',
  }),
  records: records({ nullableSince: 4, about: 'The batches read; may end in the middle of one.' }),
})

const FetchableTopicResponse = struct('FetchableTopicResponse', {
  topic: string({ until: 12, ignorable: true, about: 'The topic.' }),
  topicId: uuid({ since: 13, ignorable: true, about: 'Id of the topic.' }),
  partitions: array(PartitionData, { about: 'The partitions.' }),
})

const NodeEndpoint = struct('NodeEndpoint', {
  nodeId: int32({ since: 16, about: 'The broker.' }),
  host: string({ since: 16, about: 'Host name.' }),
  port: int32({ since: 16, about: 'Port.' }),
  rack: string({
    since: 16,
    nullableSince: 16,
    default: null,
    about: 'Rack; null if none is set.',
  }),
})

export const FetchResponse = defineResponse(head, {
  throttleTimeMs: int32({
    ignorable: true,
    about: 'How long a quota makes the client wait before its next request, in milliseconds.',
  }),
  errorCode: int16({ since: 7, ignorable: true, about: 'Error of the whole request, 0 if none.' }),
  sessionId: int32({ since: 7, default: 0, about: 'Id of the fetch session; 0 if there is none.' }),
  responses: array(FetchableTopicResponse, { about: 'The partitions with data or news.' }),
  nodeEndpoints: array(NodeEndpoint, {
    since: 16,
    tag: 0,
    about: 'Addresses of the brokers named in currentLeader (KIP-951).',
  }),
})
export type FetchResponse = Infer<typeof FetchResponse>
