/** AlterShareGroupOffsets sets the start offsets of a share group (KIP-932). */
import { array, int16, int32, int64, string, struct, uuid } from '../schema/field.js'
import { ApiKey } from '../api-keys.js'
import { type Infer, defineRequest, defineResponse } from '../schema/message.js'

const head = { apiKey: ApiKey.AlterShareGroupOffsets, versions: [0, 0], flexibleSince: 0 } as const

const AlterShareGroupOffsetsRequestPartition = struct('AlterShareGroupOffsetsRequestPartition', {
  partitionIndex: int32({ about: 'The partition.' }),
  startOffset: int64({ about: 'First offset of the share partition that is not finished.' }),
})

const AlterShareGroupOffsetsRequestTopic = struct('AlterShareGroupOffsetsRequestTopic', {
  topicName: string({ about: 'The topic.' }),
  partitions: array(AlterShareGroupOffsetsRequestPartition, { about: 'The partitions.' }),
})

export const AlterShareGroupOffsetsRequest = defineRequest(head, {
  groupId: string({ about: 'The group.' }),
  topics: array(AlterShareGroupOffsetsRequestTopic, { about: 'The topics.' }),
})
export type AlterShareGroupOffsetsRequest = Infer<typeof AlterShareGroupOffsetsRequest>

const AlterShareGroupOffsetsResponsePartition = struct('AlterShareGroupOffsetsResponsePartition', {
  partitionIndex: int32({ about: 'The partition.' }),
  errorCode: int16({ about: 'Error of this entry, 0 if none.' }),
  errorMessage: string({
    nullableSince: 0,
    default: null,
    about: 'What went wrong in words, or null.',
  }),
})

const AlterShareGroupOffsetsResponseTopic = struct('AlterShareGroupOffsetsResponseTopic', {
  topicName: string({ about: 'The topic.' }),
  topicId: uuid({ about: 'Id of the topic.' }),
  partitions: array(AlterShareGroupOffsetsResponsePartition, { about: 'The partitions.' }),
})

export const AlterShareGroupOffsetsResponse = defineResponse(head, {
  throttleTimeMs: int32({
    about: 'How long a quota makes the client wait before its next request, in milliseconds.',
  }),
  errorCode: int16({ about: 'Error of the whole request, 0 if none.' }),
  errorMessage: string({
    nullableSince: 0,
    default: null,
    about: 'What went wrong in words, or null.',
  }),
  responses: array(AlterShareGroupOffsetsResponseTopic, {
    about: 'One result per entry of the request.',
  }),
})
export type AlterShareGroupOffsetsResponse = Infer<typeof AlterShareGroupOffsetsResponse>
