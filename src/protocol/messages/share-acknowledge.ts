/** ShareAcknowledge acknowledges records of a share group (KIP-932). v2 renewals (KIP-1222). */
import {
  array,
  bool,
  int16,
  int32,
  int64,
  int8,
  string,
  struct,
  structOf,
  uuid,
} from '../schema/field.js'
import { ApiKey } from '../api-keys.js'
import { type Infer, defineRequest, defineResponse } from '../schema/message.js'

const head = { apiKey: ApiKey.ShareAcknowledge, versions: [1, 2], flexibleSince: 0 } as const

const AcknowledgementBatch = struct('AcknowledgementBatch', {
  firstOffset: int64({ about: 'First offset of the range.' }),
  lastOffset: int64({ about: 'Last offset of the range.' }),
  acknowledgeTypes: array(int8(), {
    about: 'Per record or once for all: 0 gap, 1 accept, 2 release, 3 reject, 4 renew.',
  }),
})

const AcknowledgePartition = struct('AcknowledgePartition', {
  partitionIndex: int32({ about: 'The partition.' }),
  acknowledgementBatches: array(AcknowledgementBatch, {
    about: 'Ranges of offsets that are acknowledged.',
  }),
})

const AcknowledgeTopic = struct('AcknowledgeTopic', {
  topicId: uuid({ about: 'Id of the topic.' }),
  partitions: array(AcknowledgePartition, { about: 'The partitions.' }),
})

export const ShareAcknowledgeRequest = defineRequest(head, {
  groupId: string({ nullableSince: 1, default: null, about: 'The group.' }),
  memberId: string({ nullableSince: 1, about: 'Id of the member.' }),
  shareSessionEpoch: int32({ about: 'Epoch of the share session; 0 opens one, -1 closes it.' }),
  isRenewAck: bool({
    since: 2,
    default: false,
    about: 'True if acknowledgements may renew the lock.',
  }),
  topics: array(AcknowledgeTopic, { about: 'The topics.' }),
})
export type ShareAcknowledgeRequest = Infer<typeof ShareAcknowledgeRequest>

const LeaderIdAndEpoch = struct('LeaderIdAndEpoch', {
  leaderId: int32({ about: 'Leader the broker knows; -1 if none.' }),
  leaderEpoch: int32({ about: 'Epoch of that leader; -1 if unknown.' }),
})

const PartitionData = struct('PartitionData', {
  partitionIndex: int32({ about: 'The partition.' }),
  errorCode: int16({ about: 'Error of this entry, 0 if none.' }),
  errorMessage: string({
    nullableSince: 1,
    default: null,
    about: 'What went wrong in words, or null.',
  }),
  currentLeader: structOf(LeaderIdAndEpoch, {
    about: 'Leader to use instead, set when this broker is not it (KIP-951).',
  }),
})

const ShareAcknowledgeTopicResponse = struct('ShareAcknowledgeTopicResponse', {
  topicId: uuid({ about: 'Id of the topic.' }),
  partitions: array(PartitionData, { about: 'The partitions.' }),
})

const NodeEndpoint = struct('NodeEndpoint', {
  nodeId: int32({ about: 'The broker.' }),
  host: string({ about: 'Host name.' }),
  port: int32({ about: 'Port.' }),
  rack: string({ nullableSince: 1, default: null, about: 'Rack; null if none is set.' }),
})

export const ShareAcknowledgeResponse = defineResponse(head, {
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
    since: 2,
    ignorable: true,
    about: 'How long acquired records stay locked, in milliseconds.',
  }),
  responses: array(ShareAcknowledgeTopicResponse, {
    about: 'One result per entry of the request.',
  }),
  nodeEndpoints: array(NodeEndpoint, {
    about: 'Addresses of the brokers named in currentLeader (KIP-951).',
  }),
})
export type ShareAcknowledgeResponse = Infer<typeof ShareAcknowledgeResponse>
