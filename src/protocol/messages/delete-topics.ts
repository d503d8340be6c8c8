/** DeleteTopics deletes topics. v4 flexible, v5 error messages, v6 topic ids (KIP-516). */
import { array, int16, int32, string, struct, uuid } from '../schema/field.js'
import { ApiKey } from '../api-keys.js'
import { type Infer, defineRequest, defineResponse } from '../schema/message.js'

const head = { apiKey: ApiKey.DeleteTopics, versions: [1, 6], flexibleSince: 4 } as const

const DeleteTopicState = struct('DeleteTopicState', {
  name: string({
    since: 6,
    nullableSince: 6,
    default: null,
    about: 'Name of the topic; null to delete by id.',
  }),
  topicId: uuid({ since: 6, about: 'Id of the topic; zero to delete by name.' }),
})

export const DeleteTopicsRequest = defineRequest(head, {
  topics: array(DeleteTopicState, { since: 6, about: 'Topics to delete, by name or id.' }),
  topicNames: array(string(), {
    until: 5,
    ignorable: true,
    about: 'Names of the topics to delete.',
  }),
  timeoutMs: int32({ about: 'How long the broker may take, in milliseconds.' }),
})
export type DeleteTopicsRequest = Infer<typeof DeleteTopicsRequest>

const DeletableTopicResult = struct('DeletableTopicResult', {
  name: string({ nullableSince: 6, about: 'The name.' }),
  topicId: uuid({ since: 6, ignorable: true, about: 'Id of the topic.' }),
  errorCode: int16({ about: 'Error of this entry, 0 if none.' }),
  errorMessage: string({
    since: 5,
    nullableSince: 5,
    default: null,
    ignorable: true,
    about: 'What went wrong in words, or null.',
  }),
})

export const DeleteTopicsResponse = defineResponse(head, {
  throttleTimeMs: int32({
    ignorable: true,
    about: 'How long a quota makes the client wait before its next request, in milliseconds.',
  }),
  responses: array(DeletableTopicResult, { about: 'One result per entry of the request.' }),
})
export type DeleteTopicsResponse = Infer<typeof DeleteTopicsResponse>
