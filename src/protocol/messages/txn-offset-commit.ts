/**
 * TxnOffsetCommit stores offsets inside a transaction. v2 leader epochs, v3 flexible and fenced by
 * generation (KIP-447), v5 adds the group implicitly (KIP-890), v6 topic ids.
 */
import { array, int16, int32, int64, string, struct, uuid } from '../schema/field.js'
import { ApiKey } from '../api-keys.js'
import { type Infer, defineRequest, defineResponse } from '../schema/message.js'

const head = { apiKey: ApiKey.TxnOffsetCommit, versions: [0, 6], flexibleSince: 3 } as const

const TxnOffsetCommitRequestPartition = struct('TxnOffsetCommitRequestPartition', {
  partitionIndex: int32({ about: 'The partition.' }),
  committedOffset: int64({ about: 'The offset to store, or stored.' }),
  committedLeaderEpoch: int32({
    since: 2,
    default: -1,
    ignorable: true,
    about: 'Leader epoch of the last record consumed; -1 if unknown.',
  }),
  committedMetadata: string({ nullableSince: 0, about: 'Free text stored with the offset.' }),
})

const TxnOffsetCommitRequestTopic = struct('TxnOffsetCommitRequestTopic', {
  name: string({ until: 5, ignorable: true, about: 'The name.' }),
  topicId: uuid({ since: 6, ignorable: true, about: 'Id of the topic.' }),
  partitions: array(TxnOffsetCommitRequestPartition, { about: 'The partitions.' }),
})

export const TxnOffsetCommitRequest = defineRequest(head, {
  transactionalId: string({ about: 'Id of the transactional producer; null for none.' }),
  groupId: string({ about: 'The group.' }),
  producerId: int64({ about: 'Id of the producer; -1 if it has none.' }),
  producerEpoch: int16({ about: 'Epoch of the producer; -1 if it has none.' }),
  generationIdOrMemberEpoch: int32({
    since: 3,
    default: -1,
    about: 'Generation (classic) or member epoch (KIP-848); -1 outside a group.',
  }),
  memberId: string({ since: 3, default: '', about: 'Id of the member.' }),
  groupInstanceId: string({
    since: 3,
    nullableSince: 3,
    default: null,
    about: 'Id of a static member (KIP-345); null for a dynamic one.',
  }),
  topics: array(TxnOffsetCommitRequestTopic, { about: 'The topics.' }),
})
export type TxnOffsetCommitRequest = Infer<typeof TxnOffsetCommitRequest>

const TxnOffsetCommitResponsePartition = struct('TxnOffsetCommitResponsePartition', {
  partitionIndex: int32({ about: 'The partition.' }),
  errorCode: int16({ about: 'Error of this entry, 0 if none.' }),
})

const TxnOffsetCommitResponseTopic = struct('TxnOffsetCommitResponseTopic', {
  name: string({ until: 5, ignorable: true, about: 'The name.' }),
  topicId: uuid({ since: 6, ignorable: true, about: 'Id of the topic.' }),
  partitions: array(TxnOffsetCommitResponsePartition, { about: 'The partitions.' }),
})

export const TxnOffsetCommitResponse = defineResponse(head, {
  throttleTimeMs: int32({
    about: 'How long a quota makes the client wait before its next request, in milliseconds.',
  }),
  topics: array(TxnOffsetCommitResponseTopic, { about: 'The topics.' }),
})
export type TxnOffsetCommitResponse = Infer<typeof TxnOffsetCommitResponse>
