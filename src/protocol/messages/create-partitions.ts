/**
 * CreatePartitions gives topics more partitions (KIP-195). v2 flexible, v3 quota errors (KIP-599).
 */
import { array, bool, int16, int32, string, struct } from '../schema/field.js'
import { ApiKey } from '../api-keys.js'
import { type Infer, defineRequest, defineResponse } from '../schema/message.js'

const head = { apiKey: ApiKey.CreatePartitions, versions: [0, 3], flexibleSince: 2 } as const

const CreatePartitionsAssignment = struct('CreatePartitionsAssignment', {
  brokerIds: array(int32(), { about: 'The brokers asked about; empty for all.' }),
})

const CreatePartitionsTopic = struct('CreatePartitionsTopic', {
  name: string({ about: 'The name.' }),
  count: int32({ about: 'How many partitions the topic shall have in all.' }),
  assignments: array(CreatePartitionsAssignment, {
    nullableSince: 0,
    about: 'Replicas of each new partition; null to let the broker place them.',
  }),
})

export const CreatePartitionsRequest = defineRequest(head, {
  topics: array(CreatePartitionsTopic, { about: 'The topics.' }),
  timeoutMs: int32({ about: 'How long the broker may take, in milliseconds.' }),
  validateOnly: bool({ about: 'True to check without doing.' }),
})
export type CreatePartitionsRequest = Infer<typeof CreatePartitionsRequest>

const CreatePartitionsTopicResult = struct('CreatePartitionsTopicResult', {
  name: string({ about: 'The name.' }),
  errorCode: int16({ about: 'Error of this entry, 0 if none.' }),
  errorMessage: string({
    nullableSince: 0,
    default: null,
    about: 'What went wrong in words, or null.',
  }),
})

export const CreatePartitionsResponse = defineResponse(head, {
  throttleTimeMs: int32({
    about: 'How long a quota makes the client wait before its next request, in milliseconds.',
  }),
  results: array(CreatePartitionsTopicResult, { about: 'One result per entry of the request.' }),
})
export type CreatePartitionsResponse = Infer<typeof CreatePartitionsResponse>
