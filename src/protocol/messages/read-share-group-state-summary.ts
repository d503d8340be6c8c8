/**
 * ReadShareGroupStateSummary reads the start offsets of share partitions; between brokers
 * (KIP-932). v1 counts finished deliveries (KIP-1226).
 */
import { array, int16, int32, int64, string, struct, uuid } from '../schema/field.js'
import { ApiKey } from '../api-keys.js'
import { type Infer, defineRequest, defineResponse } from '../schema/message.js'

const head = {
  apiKey: ApiKey.ReadShareGroupStateSummary,
  versions: [0, 1],
  flexibleSince: 0,
} as const

const PartitionData = struct('PartitionData', {
  partition: int32({ about: 'The partition.' }),
  leaderEpoch: int32({ about: 'Epoch of the leader; -1 if unknown.' }),
})

const ReadStateSummaryData = struct('ReadStateSummaryData', {
  topicId: uuid({ about: 'Id of the topic.' }),
  partitions: array(PartitionData, { about: 'The partitions.' }),
})

export const ReadShareGroupStateSummaryRequest = defineRequest(head, {
  groupId: string({ about: 'The group.' }),
  topics: array(ReadStateSummaryData, { about: 'The topics.' }),
})
export type ReadShareGroupStateSummaryRequest = Infer<typeof ReadShareGroupStateSummaryRequest>

const PartitionResult = struct('PartitionResult', {
  partition: int32({ about: 'The partition.' }),
  errorCode: int16({ about: 'Error of this entry, 0 if none.' }),
  errorMessage: string({
    nullableSince: 0,
    default: null,
    about: 'What went wrong in words, or null.',
  }),
  stateEpoch: int32({ about: "Epoch of the share partition's state." }),
  leaderEpoch: int32({ about: 'Epoch of the leader; -1 if unknown.' }),
  startOffset: int64({ about: 'First offset of the share partition that is not finished.' }),
  deliveryCompleteCount: int32({
    since: 1,
    default: -1,
    ignorable: true,
    about: 'Records after the start offset whose delivery is over; -1 if unknown.',
  }),
})

const ReadStateSummaryResult = struct('ReadStateSummaryResult', {
  topicId: uuid({ about: 'Id of the topic.' }),
  partitions: array(PartitionResult, { about: 'The partitions.' }),
})

export const ReadShareGroupStateSummaryResponse = defineResponse(head, {
  results: array(ReadStateSummaryResult, { about: 'One result per entry of the request.' }),
})
export type ReadShareGroupStateSummaryResponse = Infer<typeof ReadShareGroupStateSummaryResponse>
