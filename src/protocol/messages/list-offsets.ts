/**
 * ListOffsets finds offsets by time or special timestamp: -1 latest, -2 earliest, -3 the record
 * with the largest timestamp (v7, KIP-734), -4 earliest local (v8) and -5 last tiered (v9,
 * KIP-405), -6 earliest pending upload (v11, KIP-1023). v2 isolation level, v4 leader epochs, v10 a
 * timeout.
 */
import { array, int16, int32, int64, int8, string, struct } from '../schema/field.js'
import { ApiKey } from '../api-keys.js'
import { type Infer, defineRequest, defineResponse } from '../schema/message.js'

const head = { apiKey: ApiKey.ListOffsets, versions: [1, 11], flexibleSince: 6 } as const

const ListOffsetsPartition = struct('ListOffsetsPartition', {
  partitionIndex: int32({ about: 'The partition.' }),
  currentLeaderEpoch: int32({
    since: 4,
    default: -1,
    ignorable: true,
    about: 'Leader epoch the sender knows, to fence stale ones; -1 to skip the check.',
  }),
  timestamp: int64({
    about: 'A time, or one of the special values -1 to -6 that the head of this file names.',
  }),
})

const ListOffsetsTopic = struct('ListOffsetsTopic', {
  name: string({ about: 'The name.' }),
  partitions: array(ListOffsetsPartition, { about: 'The partitions.' }),
})

export const ListOffsetsRequest = defineRequest(head, {
  replicaId: int32({ about: 'Broker that asks; -1 for clients.' }),
  isolationLevel: int8({ since: 2, about: '0 read uncommitted, 1 read committed.' }),
  topics: array(ListOffsetsTopic, { about: 'The topics.' }),
  timeoutMs: int32({
    since: 10,
    ignorable: true,
    about: 'How long the broker may take, in milliseconds.',
  }),
})
export type ListOffsetsRequest = Infer<typeof ListOffsetsRequest>

const ListOffsetsPartitionResponse = struct('ListOffsetsPartitionResponse', {
  partitionIndex: int32({ about: 'The partition.' }),
  errorCode: int16({ about: 'Error of this entry, 0 if none.' }),
  timestamp: int64({
    default: -1n,
    about: 'Time of the record found; -1 for special offsets and if none was found.',
  }),
  offset: int64({ default: -1n, about: 'Offset found; -1 if none.' }),
  leaderEpoch: int32({ since: 4, default: -1, about: 'Epoch of the leader; -1 if unknown.' }),
})

const ListOffsetsTopicResponse = struct('ListOffsetsTopicResponse', {
  name: string({ about: 'The name.' }),
  partitions: array(ListOffsetsPartitionResponse, { about: 'The partitions.' }),
})

export const ListOffsetsResponse = defineResponse(head, {
  throttleTimeMs: int32({
    since: 2,
    ignorable: true,
    about: 'How long a quota makes the client wait before its next request, in milliseconds.',
  }),
  topics: array(ListOffsetsTopicResponse, { about: 'One result per topic.' }),
})
export type ListOffsetsResponse = Infer<typeof ListOffsetsResponse>
