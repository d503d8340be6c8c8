/**
 * OffsetCommit stores the offsets of a group. v7 static members (KIP-345), v8 flexible, v9 member
 * epochs (KIP-848), v10 topic ids.
 */
import { array, int16, int32, int64, string, struct, uuid } from '../schema/field.js'
import { ApiKey } from '../api-keys.js'
import { type Infer, defineRequest, defineResponse } from '../schema/message.js'

const head = { apiKey: ApiKey.OffsetCommit, versions: [2, 10], flexibleSince: 8 } as const

const OffsetCommitRequestPartition = struct('OffsetCommitRequestPartition', {
  partitionIndex: int32({ about: 'The partition.' }),
  committedOffset: int64({ about: 'The offset to store, or stored.' }),
  committedLeaderEpoch: int32({
    since: 6,
    default: -1,
    ignorable: true,
    about: 'Leader epoch of the last record consumed; -1 if unknown.',
  }),
  committedMetadata: string({ nullableSince: 2, about: 'Free text stored with the offset.' }),
})

const OffsetCommitRequestTopic = struct('OffsetCommitRequestTopic', {
  name: string({ until: 9, ignorable: true, about: 'The name.' }),
  topicId: uuid({ since: 10, ignorable: true, about: 'Id of the topic.' }),
  partitions: array(OffsetCommitRequestPartition, { about: 'The offsets to store.' }),
})

export const OffsetCommitRequest = defineRequest(head, {
  groupId: string({ about: 'The group.' }),
  generationIdOrMemberEpoch: int32({
    default: -1,
    ignorable: true,
    about: 'Generation (classic) or member epoch (KIP-848); -1 outside a group.',
  }),
  memberId: string({ ignorable: true, about: 'Id of the member.' }),
  groupInstanceId: string({
    since: 7,
    nullableSince: 7,
    default: null,
    about: 'Id of a static member (KIP-345); null for a dynamic one.',
  }),
  retentionTimeMs: int64({
    until: 4,
    default: -1n,
    ignorable: true,
    about: "How long to keep the offset, in milliseconds; -1 for the broker's setting.",
  }),
  topics: array(OffsetCommitRequestTopic, { about: 'The topics.' }),
})
export type OffsetCommitRequest = Infer<typeof OffsetCommitRequest>

const OffsetCommitResponsePartition = struct('OffsetCommitResponsePartition', {
  partitionIndex: int32({ about: 'The partition.' }),
  errorCode: int16({ about: 'Error of this entry, 0 if none.' }),
})

const OffsetCommitResponseTopic = struct('OffsetCommitResponseTopic', {
  name: string({ until: 9, ignorable: true, about: 'The name.' }),
  topicId: uuid({ since: 10, ignorable: true, about: 'Id of the topic.' }),
  partitions: array(OffsetCommitResponsePartition, { about: 'The partitions.' }),
})

export const OffsetCommitResponse = defineResponse(head, {
  throttleTimeMs: int32({
    since: 3,
    ignorable: true,
    about: 'How long a quota makes the client wait before its next request, in milliseconds.',
  }),
  topics: array(OffsetCommitResponseTopic, { about: 'The topics.' }),
})
export type OffsetCommitResponse = Infer<typeof OffsetCommitResponse>
