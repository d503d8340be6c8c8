/** DeleteShareGroupState deletes the state of share partitions; between brokers (KIP-932). */
import { array, int16, int32, string, struct, uuid } from '../schema/field.js'
import { ApiKey } from '../api-keys.js'
import { type Infer, defineRequest, defineResponse } from '../schema/message.js'

const head = { apiKey: ApiKey.DeleteShareGroupState, versions: [0, 0], flexibleSince: 0 } as const

const PartitionData = struct('PartitionData', {
  partition: int32({ about: 'The partition.' }),
})

const DeleteStateData = struct('DeleteStateData', {
  topicId: uuid({ about: 'Id of the topic.' }),
  partitions: array(PartitionData, { about: 'The partitions.' }),
})

export const DeleteShareGroupStateRequest = defineRequest(head, {
  groupId: string({ about: 'The group.' }),
  topics: array(DeleteStateData, { about: 'The topics.' }),
})
export type DeleteShareGroupStateRequest = Infer<typeof DeleteShareGroupStateRequest>

const PartitionResult = struct('PartitionResult', {
  partition: int32({ about: 'The partition.' }),
  errorCode: int16({ about: 'Error of this entry, 0 if none.' }),
  errorMessage: string({
    nullableSince: 0,
    default: null,
    about: 'What went wrong in words, or null.',
  }),
})

const DeleteStateResult = struct('DeleteStateResult', {
  topicId: uuid({ about: 'Id of the topic.' }),
  partitions: array(PartitionResult, { about: 'The partitions.' }),
})

export const DeleteShareGroupStateResponse = defineResponse(head, {
  results: array(DeleteStateResult, { about: 'One result per entry of the request.' }),
})
export type DeleteShareGroupStateResponse = Infer<typeof DeleteShareGroupStateResponse>
