/**
 * WriteShareGroupState writes the state of share partitions; between brokers (KIP-932). v1 counts
 * finished deliveries (KIP-1226).
 */
import { array, int16, int32, int64, int8, string, struct, uuid } from '../schema/field.js'
import { ApiKey } from '../api-keys.js'
import { type Infer, defineRequest, defineResponse } from '../schema/message.js'

const head = { apiKey: ApiKey.WriteShareGroupState, versions: [0, 1], flexibleSince: 0 } as const

const StateBatch = struct('StateBatch', {
  firstOffset: int64({ about: 'First offset of the range.' }),
  lastOffset: int64({ about: 'Last offset of the range.' }),
  deliveryState: int8({ about: '0 available, 2 acknowledged, 4 archived.' }),
  deliveryCount: int16({ about: 'How often the records were delivered.' }),
})

const PartitionData = struct('PartitionData', {
  partition: int32({ about: 'The partition.' }),
  stateEpoch: int32({ about: "Epoch of the share partition's state." }),
  leaderEpoch: int32({ about: 'Epoch of the leader; -1 if unknown.' }),
  startOffset: int64({ about: 'First offset of the share partition that is not finished.' }),
  deliveryCompleteCount: int32({
    since: 1,
    default: -1,
    ignorable: true,
    about: 'Records after the start offset whose delivery is over; -1 if unknown.',
  }),
  stateBatches: array(StateBatch, { about: 'State of ranges of offsets.' }),
})

const WriteStateData = struct('WriteStateData', {
  topicId: uuid({ about: 'Id of the topic.' }),
  partitions: array(PartitionData, { about: 'The partitions.' }),
})

export const WriteShareGroupStateRequest = defineRequest(head, {
  groupId: string({ about: 'The group.' }),
  topics: array(WriteStateData, { about: 'The topics.' }),
})
export type WriteShareGroupStateRequest = Infer<typeof WriteShareGroupStateRequest>

const PartitionResult = struct('PartitionResult', {
  partition: int32({ about: 'The partition.' }),
  errorCode: int16({ about: 'Error of this entry, 0 if none.' }),
  errorMessage: string({
    nullableSince: 0,
    default: null,
    about: 'What went wrong in words, or null.',
  }),
})

const WriteStateResult = struct('WriteStateResult', {
  topicId: uuid({ about: 'Id of the topic.' }),
  partitions: array(PartitionResult, { about: 'The partitions.' }),
})

export const WriteShareGroupStateResponse = defineResponse(head, {
  results: array(WriteStateResult, { about: 'One result per entry of the request.' }),
})
export type WriteShareGroupStateResponse = Infer<typeof WriteShareGroupStateResponse>
