/**
 * OffsetFetch reads the offsets of groups. v2 null means all topics, v7 stable offsets (KIP-447),
 * v8 several groups (KIP-709), v9 member epochs (KIP-848), v10 topic ids.
 */
import { array, bool, int16, int32, int64, string, struct, uuid } from '../schema/field.js'
import { ApiKey } from '../api-keys.js'
import { type Infer, defineRequest, defineResponse } from '../schema/message.js'

const head = { apiKey: ApiKey.OffsetFetch, versions: [1, 10], flexibleSince: 6 } as const

const OffsetFetchRequestTopic = struct('OffsetFetchRequestTopic', {
  name: string({ until: 7, about: 'The name.' }),
  partitionIndexes: array(int32(), { until: 7, about: 'The partitions.' }),
})

const OffsetFetchRequestTopics = struct('OffsetFetchRequestTopics', {
  name: string({ since: 8, until: 9, ignorable: true, about: 'The name.' }),
  topicId: uuid({ since: 10, ignorable: true, about: 'Id of the topic.' }),
  partitionIndexes: array(int32(), { since: 8, about: 'The partitions.' }),
})

const OffsetFetchRequestGroup = struct('OffsetFetchRequestGroup', {
  groupId: string({ since: 8, about: 'The group.' }),
  memberId: string({
    since: 9,
    nullableSince: 9,
    default: null,
    ignorable: true,
    about: 'Id of the member.',
  }),
  memberEpoch: int32({
    since: 9,
    default: -1,
    ignorable: true,
    about: 'Epoch of the member; 0 joins, -1 leaves, -2 leaves as a static member.',
  }),
  topics: array(OffsetFetchRequestTopics, {
    since: 8,
    nullableSince: 8,
    about: 'Topics asked about; null for all.',
  }),
})

export const OffsetFetchRequest = defineRequest(head, {
  groupId: string({ until: 7, about: 'The group.' }),
  topics: array(OffsetFetchRequestTopic, {
    until: 7,
    nullableSince: 2,
    about: 'Topics asked about; null for all.',
  }),
  groups: array(OffsetFetchRequestGroup, { since: 8, about: 'The groups.' }),
  requireStable: bool({
    since: 7,
    default: false,
    about: 'Whether to refuse offsets with an open transaction (KIP-447).',
  }),
})
export type OffsetFetchRequest = Infer<typeof OffsetFetchRequest>

const OffsetFetchResponsePartition = struct('OffsetFetchResponsePartition', {
  partitionIndex: int32({ until: 7, about: 'The partition.' }),
  committedOffset: int64({ until: 7, about: 'The offset to store, or stored.' }),
  committedLeaderEpoch: int32({
    since: 5,
    until: 7,
    default: -1,
    ignorable: true,
    about: 'Leader epoch of the last record consumed; -1 if unknown.',
  }),
  metadata: string({ until: 7, nullableSince: 1, about: 'Opaque data of the client.' }),
  errorCode: int16({ until: 7, about: 'Error of this entry, 0 if none.' }),
})

const OffsetFetchResponseTopic = struct('OffsetFetchResponseTopic', {
  name: string({ until: 7, about: 'The name.' }),
  partitions: array(OffsetFetchResponsePartition, { until: 7, about: 'The partitions.' }),
})

const OffsetFetchResponsePartitions = struct('OffsetFetchResponsePartitions', {
  partitionIndex: int32({ since: 8, about: 'The partition.' }),
  committedOffset: int64({ since: 8, about: 'The offset to store, or stored.' }),
  committedLeaderEpoch: int32({
    since: 8,
    default: -1,
    ignorable: true,
    about: 'Leader epoch of the last record consumed; -1 if unknown.',
  }),
  metadata: string({ since: 8, nullableSince: 8, about: 'Opaque data of the client.' }),
  errorCode: int16({ since: 8, about: 'Error of this entry, 0 if none.' }),
})

const OffsetFetchResponseTopics = struct('OffsetFetchResponseTopics', {
  name: string({ since: 8, until: 9, ignorable: true, about: 'The name.' }),
  topicId: uuid({ since: 10, ignorable: true, about: 'Id of the topic.' }),
  partitions: array(OffsetFetchResponsePartitions, { since: 8, about: 'The partitions.' }),
})

const OffsetFetchResponseGroup = struct('OffsetFetchResponseGroup', {
  groupId: string({ since: 8, about: 'The group.' }),
  topics: array(OffsetFetchResponseTopics, { since: 8, about: 'The topics.' }),
  errorCode: int16({ since: 8, default: 0, about: 'Error of this entry, 0 if none.' }),
})

export const OffsetFetchResponse = defineResponse(head, {
  throttleTimeMs: int32({
    since: 3,
    ignorable: true,
    about: 'How long a quota makes the client wait before its next request, in milliseconds.',
  }),
  topics: array(OffsetFetchResponseTopic, { until: 7, about: 'The topics.' }),
  errorCode: int16({
    since: 2,
    until: 7,
    default: 0,
    ignorable: true,
    about: 'Error of the whole request, 0 if none.',
  }),
  groups: array(OffsetFetchResponseGroup, { since: 8, about: 'The groups.' }),
})
export type OffsetFetchResponse = Infer<typeof OffsetFetchResponse>
