/** InitializeShareGroupState starts the state of share partitions; between brokers (KIP-932). */
import { array, int16, int32, int64, string, struct, uuid } from '../schema/field.js'
import { ApiKey } from '../api-keys.js'
import { type Infer, defineRequest, defineResponse } from '../schema/message.js'

const head = {
  apiKey: ApiKey.InitializeShareGroupState,
  versions: [0, 0],
  flexibleSince: 0,
} as const

const PartitionData = struct('PartitionData', {
  partition: int32({ about: 'The partition.' }),
  stateEpoch: int32({ about: "Epoch of the share partition's state." }),
  startOffset: int64({ about: 'First offset of the share partition that is not finished.' }),
})

const InitializeStateData = struct('InitializeStateData', {
  topicId: uuid({ about: 'Id of the topic.' }),
  partitions: array(PartitionData, { about: 'The partitions.' }),
})

export const InitializeShareGroupStateRequest = defineRequest(head, {
  groupId: string({ about: 'The group.' }),
  topics: array(InitializeStateData, { about: 'The topics.' }),
})
export type InitializeShareGroupStateRequest = Infer<typeof InitializeShareGroupStateRequest>

const PartitionResult = struct('PartitionResult', {
  partition: int32({ about: 'The partition.' }),
  errorCode: int16({ about: 'Error of this entry, 0 if none.' }),
  errorMessage: string({
    nullableSince: 0,
    default: null,
    about: 'What went wrong in words, or null.',
  }),
})

const InitializeStateResult = struct('InitializeStateResult', {
  topicId: uuid({ about: 'Id of the topic.' }),
  partitions: array(PartitionResult, { about: 'The partitions.' }),
})

export const InitializeShareGroupStateResponse = defineResponse(head, {
  results: array(InitializeStateResult, { about: 'One result per entry of the request.' }),
})
export type InitializeShareGroupStateResponse = Infer<typeof InitializeShareGroupStateResponse>
