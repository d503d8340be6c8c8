/** ReadShareGroupState reads the state of share partitions; between brokers (KIP-932). */
import { array, int16, int32, int64, int8, string, struct, uuid } from '../schema/field.js'
import { ApiKey } from '../api-keys.js'
import { type Infer, defineRequest, defineResponse } from '../schema/message.js'

const head = { apiKey: ApiKey.ReadShareGroupState, versions: [0, 0], flexibleSince: 0 } as const

const PartitionData = struct('PartitionData', {
  partition: int32({ about: 'The partition.' }),
  leaderEpoch: int32({ about: 'Epoch of the leader; -1 if unknown.' }),
})

const ReadStateData = struct('ReadStateData', {
  topicId: uuid({ about: 'Id of the topic.' }),
  partitions: array(PartitionData, { about: 'The partitions.' }),
})

export const ReadShareGroupStateRequest = defineRequest(head, {
  groupId: string({ about: 'The group.' }),
  topics: array(ReadStateData, { about: 'The topics.' }),
})
export type ReadShareGroupStateRequest = Infer<typeof ReadShareGroupStateRequest>

const StateBatch = struct('StateBatch', {
  firstOffset: int64({ about: 'First offset of the range.' }),
  lastOffset: int64({ about: 'Last offset of the range.' }),
  deliveryState: int8({ about: '0 available, 2 acknowledged, 4 archived.' }),
  deliveryCount: int16({ about: 'How often the records were delivered.' }),
})

const PartitionResult = struct('PartitionResult', {
  partition: int32({ about: 'The partition.' }),
  errorCode: int16({ about: 'Error of this entry, 0 if none.' }),
  errorMessage: string({
    nullableSince: 0,
    default: null,
    about: 'What went wrong in words, or null.',
  }),
  stateEpoch: int32({ about: "Epoch of the share partition's state." }),
  startOffset: int64({ about: 'First offset of the share partition that is not finished.' }),
  stateBatches: array(StateBatch, { about: 'State of ranges of offsets.' }),
})

const ReadStateResult = struct('ReadStateResult', {
  topicId: uuid({ about: 'Id of the topic.' }),
  partitions: array(PartitionResult, { about: 'The partitions.' }),
})

export const ReadShareGroupStateResponse = defineResponse(head, {
  results: array(ReadStateResult, { about: 'One result per entry of the request.' }),
})
export type ReadShareGroupStateResponse = Infer<typeof ReadShareGroupStateResponse>
