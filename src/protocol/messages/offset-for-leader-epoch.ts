/**
 * OffsetForLeaderEpoch tells where a leader epoch ends, so that logs can be compared (KIP-101,
 * KIP-320). v3 the replica that asks, v4 flexible.
 */
import { array, int16, int32, int64, string, struct } from '../schema/field.js'
import { ApiKey } from '../api-keys.js'
import { type Infer, defineRequest, defineResponse } from '../schema/message.js'

const head = { apiKey: ApiKey.OffsetForLeaderEpoch, versions: [2, 4], flexibleSince: 4 } as const

const OffsetForLeaderPartition = struct('OffsetForLeaderPartition', {
  partition: int32({ about: 'The partition.' }),
  currentLeaderEpoch: int32({
    default: -1,
    ignorable: true,
    about: 'Leader epoch the sender knows, to fence stale ones; -1 to skip the check.',
  }),
  leaderEpoch: int32({ about: 'Epoch whose end offset is wanted.' }),
})

const OffsetForLeaderTopic = struct('OffsetForLeaderTopic', {
  topic: string({ about: 'The topic.' }),
  partitions: array(OffsetForLeaderPartition, { about: 'The partitions.' }),
})

export const OffsetForLeaderEpochRequest = defineRequest(head, {
  replicaId: int32({
    since: 3,
    default: -2,
    ignorable: true,
    about: 'Broker that asks; -1 for clients.',
  }),
  topics: array(OffsetForLeaderTopic, { about: 'The topics.' }),
})
export type OffsetForLeaderEpochRequest = Infer<typeof OffsetForLeaderEpochRequest>

const EpochEndOffset = struct('EpochEndOffset', {
  errorCode: int16({ about: 'Error of this entry, 0 if none.' }),
  partition: int32({ about: 'The partition.' }),
  leaderEpoch: int32({
    default: -1,
    ignorable: true,
    about: 'Largest epoch not above the one asked for; -1 if none.',
  }),
  endOffset: int64({
    default: -1n,
    about: 'Offset after the last record of that epoch; -1 if unknown.',
  }),
})

const OffsetForLeaderTopicResult = struct('OffsetForLeaderTopicResult', {
  topic: string({ about: 'The topic.' }),
  partitions: array(EpochEndOffset, { about: 'The partitions.' }),
})

export const OffsetForLeaderEpochResponse = defineResponse(head, {
  throttleTimeMs: int32({
    ignorable: true,
    about: 'How long a quota makes the client wait before its next request, in milliseconds.',
  }),
  topics: array(OffsetForLeaderTopicResult, { about: 'The topics.' }),
})
export type OffsetForLeaderEpochResponse = Infer<typeof OffsetForLeaderEpochResponse>
