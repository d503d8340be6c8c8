/**
 * Produce appends record batches to partition leaders. v7 allows zstd, v8 names refused records
 * (KIP-467), v9 is flexible, v10 adds the current leader (KIP-951), v12 adds partitions to the
 * transaction implicitly (KIP-890), v13 uses topic ids (KIP-516). ApiVersions lists it from 0,
 * because librdkafka below 2.11.1 turns compression off otherwise; versions 0-2 cannot be decoded
 * and close the connection, as in Kafka 4 (KIP-896).
 */
import {
  array,
  int16,
  int32,
  int64,
  records,
  string,
  struct,
  structOf,
  uuid,
} from '../schema/field.js'
import { ApiKey } from '../api-keys.js'
import { type Infer, defineRequest, defineResponse } from '../schema/message.js'

const head = {
  apiKey: ApiKey.Produce,
  versions: [3, 13],
  flexibleSince: 9,
  advertisedSince: 0,
} as const

const PartitionProduceData = struct('PartitionProduceData', {
  index: int32({ about: 'The partition.' }),
  records: records({ nullableSince: 3, about: 'The batches to append; null for none.' }),
})

const TopicProduceData = struct('TopicProduceData', {
  name: string({ until: 12, ignorable: true, about: 'The name.' }),
  topicId: uuid({ since: 13, ignorable: true, about: 'Id of the topic.' }),
  partitionData: array(PartitionProduceData, { about: 'The partitions and their records.' }),
})

export const ProduceRequest = defineRequest(head, {
  transactionalId: string({
    nullableSince: 3,
    default: null,
    about: 'Id of the transactional producer; null for none.',
  }),
  acks: int16({ about: '0: no answer; 1: leader only; -1: all in-sync replicas.' }),
  timeoutMs: int32({ about: 'How long to wait for the other replicas, in milliseconds.' }),
  topicData: array(TopicProduceData, { about: 'The topics to write to.' }),
})
export type ProduceRequest = Infer<typeof ProduceRequest>

const BatchIndexAndErrorMessage = struct('BatchIndexAndErrorMessage', {
  batchIndex: int32({ since: 8, about: 'Position of the record within its batch.' }),
  batchIndexErrorMessage: string({
    since: 8,
    nullableSince: 8,
    default: null,
    about: 'Why this record was refused, or null.',
  }),
})

const LeaderIdAndEpoch = struct('LeaderIdAndEpoch', {
  leaderId: int32({ since: 10, default: -1, about: 'Leader the broker knows; -1 if none.' }),
  leaderEpoch: int32({ since: 10, default: -1, about: 'Epoch of that leader; -1 if unknown.' }),
})

const PartitionProduceResponse = struct('PartitionProduceResponse', {
  index: int32({ about: 'The partition.' }),
  errorCode: int16({ about: 'Error of this entry, 0 if none.' }),
  baseOffset: int64({ about: 'Offset that the first record was given.' }),
  logAppendTimeMs: int64({
    default: -1n,
    ignorable: true,
    about: "Broker's time of the append if the topic uses LogAppendTime, else -1.",
  }),
  logStartOffset: int64({
    since: 5,
    default: -1n,
    ignorable: true,
    about: 'First offset that is still kept; -1 if unknown.',
  }),
  recordErrors: array(BatchIndexAndErrorMessage, {
    since: 8,
    ignorable: true,
    about: 'The records that caused the batch to be refused (KIP-467).',
  }),
  errorMessage: string({
    since: 8,
    nullableSince: 8,
    default: null,
    ignorable: true,
    about: 'Why the batch was refused, or null.',
  }),
  currentLeader: structOf(LeaderIdAndEpoch, {
    since: 10,
    tag: 0,
    about: 'Leader to use instead, set when this broker is not it (KIP-951).',
  }),
})

const TopicProduceResponse = struct('TopicProduceResponse', {
  name: string({ until: 12, ignorable: true, about: 'The name.' }),
  topicId: uuid({ since: 13, ignorable: true, about: 'Id of the topic.' }),
  partitionResponses: array(PartitionProduceResponse, { about: 'One result per partition.' }),
})

const NodeEndpoint = struct('NodeEndpoint', {
  nodeId: int32({ since: 10, about: 'The broker.' }),
  host: string({ since: 10, about: 'Host name.' }),
  port: int32({ since: 10, about: 'Port.' }),
  rack: string({
    since: 10,
    nullableSince: 10,
    default: null,
    about: 'Rack; null if none is set.',
  }),
})

export const ProduceResponse = defineResponse(head, {
  responses: array(TopicProduceResponse, { about: 'One result per entry of the request.' }),
  throttleTimeMs: int32({
    default: 0,
    ignorable: true,
    about: 'How long a quota makes the client wait before its next request, in milliseconds.',
  }),
  nodeEndpoints: array(NodeEndpoint, {
    since: 10,
    tag: 0,
    about: 'Addresses of the brokers named in currentLeader (KIP-951).',
  }),
})
export type ProduceResponse = Infer<typeof ProduceResponse>
