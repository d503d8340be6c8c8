/**
 * ShareFetch acquires records for a share group and acknowledges earlier ones (KIP-932). v2
 * renewals and acquire modes (KIP-1222, KIP-1206).
 */
import {
  array,
  bool,
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

const head = { apiKey: ApiKey.ShareFetch, versions: [1, 2], flexibleSince: 0 } as const

const AcknowledgementBatch = struct('AcknowledgementBatch', {
  firstOffset: int64({ about: 'First offset of the range.' }),
  lastOffset: int64({ about: 'Last offset of the range.' }),
  acknowledgeTypes: array(int8(), {
    about: 'Per record or once for all: 0 gap, 1 accept, 2 release, 3 reject, 4 renew.',
  }),
})

const FetchPartition = struct('FetchPartition', {
  partitionIndex: int32({ about: 'The partition.' }),
  acknowledgementBatches: array(AcknowledgementBatch, {
    about: 'Ranges of offsets that are acknowledged.',
  }),
})

const FetchTopic = struct('FetchTopic', {
  topicId: uuid({ about: 'Id of the topic.' }),
  partitions: array(FetchPartition, { about: 'The partitions.' }),
})

const ForgottenTopic = struct('ForgottenTopic', {
  topicId: uuid({ about: 'Id of the topic.' }),
  partitions: array(int32(), { about: 'The partitions.' }),
})

export const ShareFetchRequest = defineRequest(head, {
  groupId: string({ nullableSince: 1, default: null, about: 'The group.' }),
  memberId: string({ nullableSince: 1, about: 'Id of the member.' }),
  shareSessionEpoch: int32({ about: 'Epoch of the share session; 0 opens one, -1 closes it.' }),
  maxWaitMs: int32({ about: 'How long to wait for minBytes, in milliseconds.' }),
  minBytes: int32({ about: 'Least bytes to wait for.' }),
  maxBytes: int32({
    default: 2147483647,
    about: 'Most bytes to return; at least one batch always comes.',
  }),
  maxRecords: int32({ about: 'Most records to acquire.' }),
  batchSize: int32({ about: 'Number of records per acquired batch the member prefers.' }),
  shareAcquireMode: int8({
    since: 2,
    default: 0,
    ignorable: true,
    about: '0 batch optimised, 1 exact record limit (KIP-1206).',
  }),
  isRenewAck: bool({
    since: 2,
    default: false,
    about: 'True if acknowledgements may renew the lock.',
  }),
  topics: array(FetchTopic, { about: 'The topics.' }),
  forgottenTopicsData: array(ForgottenTopic, {
    about: 'Partitions to drop from the fetch session (KIP-227).',
  }),
})
export type ShareFetchRequest = Infer<typeof ShareFetchRequest>

const LeaderIdAndEpoch = struct('LeaderIdAndEpoch', {
  leaderId: int32({ about: 'Leader the broker knows; -1 if none.' }),
  leaderEpoch: int32({ about: 'Epoch of that leader; -1 if unknown.' }),
})

const AcquiredRecords = struct('AcquiredRecords', {
  firstOffset: int64({ about: 'First offset of the range.' }),
  lastOffset: int64({ about: 'Last offset of the range.' }),
  deliveryCount: int16({ about: 'How often the records were delivered.' }),
})

const PartitionData = struct('PartitionData', {
  partitionIndex: int32({ about: 'The partition.' }),
  errorCode: int16({ about: 'Error of this entry, 0 if none.' }),
  errorMessage: string({
    nullableSince: 1,
    default: null,
    about: 'What went wrong in words, or null.',
  }),
  acknowledgeErrorCode: int16({ about: 'Error of the acknowledgement, 0 if none.' }),
  acknowledgeErrorMessage: string({
    nullableSince: 1,
    default: null,
    about: 'What went wrong with the acknowledgement, or null.',
  }),
  currentLeader: structOf(LeaderIdAndEpoch, {
    about: 'Leader to use instead, set when this broker is not it (KIP-951).',
  }),
  records: records({ about: 'The batches read; may end in the middle of one.' }),
  acquiredRecords: array(AcquiredRecords, {
    about: 'Ranges of offsets that this member now holds.',
  }),
})

const ShareFetchableTopicResponse = struct('ShareFetchableTopicResponse', {
  topicId: uuid({ about: 'Id of the topic.' }),
  partitions: array(PartitionData, { about: 'The partitions.' }),
})

const NodeEndpoint = struct('NodeEndpoint', {
  nodeId: int32({ about: 'The broker.' }),
  host: string({ about: 'Host name.' }),
  port: int32({ about: 'Port.' }),
  rack: string({ nullableSince: 1, default: null, about: 'Rack; null if none is set.' }),
})

export const ShareFetchResponse = defineResponse(head, {
  throttleTimeMs: int32({
    about: 'How long a quota makes the client wait before its next request, in milliseconds.',
  }),
  errorCode: int16({ about: 'Error of the whole request, 0 if none.' }),
  errorMessage: string({
    nullableSince: 1,
    default: null,
    about: 'What went wrong in words, or null.',
  }),
  acquisitionLockTimeoutMs: int32({
    about: 'How long acquired records stay locked, in milliseconds.',
  }),
  responses: array(ShareFetchableTopicResponse, { about: 'One result per entry of the request.' }),
  nodeEndpoints: array(NodeEndpoint, {
    about: 'Addresses of the brokers named in currentLeader (KIP-951).',
  }),
})
export type ShareFetchResponse = Infer<typeof ShareFetchResponse>
