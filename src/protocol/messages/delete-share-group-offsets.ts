/** DeleteShareGroupOffsets deletes the offsets of a share group (KIP-932). */
import { array, int16, int32, string, struct, uuid } from '../schema/field.js'
import { ApiKey } from '../api-keys.js'
import { type Infer, defineRequest, defineResponse } from '../schema/message.js'

const head = { apiKey: ApiKey.DeleteShareGroupOffsets, versions: [0, 0], flexibleSince: 0 } as const

const DeleteShareGroupOffsetsRequestTopic = struct('DeleteShareGroupOffsetsRequestTopic', {
  topicName: string({ about: 'The topic.' }),
})

export const DeleteShareGroupOffsetsRequest = defineRequest(head, {
  groupId: string({ about: 'The group.' }),
  topics: array(DeleteShareGroupOffsetsRequestTopic, { about: 'The topics.' }),
})
export type DeleteShareGroupOffsetsRequest = Infer<typeof DeleteShareGroupOffsetsRequest>

const DeleteShareGroupOffsetsResponseTopic = struct('DeleteShareGroupOffsetsResponseTopic', {
  topicName: string({ about: 'The topic.' }),
  topicId: uuid({ about: 'Id of the topic.' }),
  errorCode: int16({ about: 'Error of this entry, 0 if none.' }),
  errorMessage: string({
    nullableSince: 0,
    default: null,
    about: 'What went wrong in words, or null.',
  }),
})

export const DeleteShareGroupOffsetsResponse = defineResponse(head, {
  throttleTimeMs: int32({
    about: 'How long a quota makes the client wait before its next request, in milliseconds.',
  }),
  errorCode: int16({ about: 'Error of the whole request, 0 if none.' }),
  errorMessage: string({
    nullableSince: 0,
    default: null,
    about: 'What went wrong in words, or null.',
  }),
  responses: array(DeleteShareGroupOffsetsResponseTopic, {
    about: 'One result per entry of the request.',
  }),
})
export type DeleteShareGroupOffsetsResponse = Infer<typeof DeleteShareGroupOffsetsResponse>
