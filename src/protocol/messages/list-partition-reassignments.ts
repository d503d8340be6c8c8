/** ListPartitionReassignments lists reassignments under way (KIP-455). */
import { array, int16, int32, string, struct } from '../schema/field.js'
import { ApiKey } from '../api-keys.js'
import { type Infer, defineRequest, defineResponse } from '../schema/message.js'

const head = {
  apiKey: ApiKey.ListPartitionReassignments,
  versions: [0, 0],
  flexibleSince: 0,
} as const

const ListPartitionReassignmentsTopics = struct('ListPartitionReassignmentsTopics', {
  name: string({ about: 'The name.' }),
  partitionIndexes: array(int32(), { about: 'The partitions.' }),
})

export const ListPartitionReassignmentsRequest = defineRequest(head, {
  timeoutMs: int32({ default: 60000, about: 'How long the broker may take, in milliseconds.' }),
  topics: array(ListPartitionReassignmentsTopics, {
    nullableSince: 0,
    default: null,
    about: 'Partitions asked about; null for all.',
  }),
})
export type ListPartitionReassignmentsRequest = Infer<typeof ListPartitionReassignmentsRequest>

const OngoingPartitionReassignment = struct('OngoingPartitionReassignment', {
  partitionIndex: int32({ about: 'The partition.' }),
  replicas: array(int32(), { about: 'The replicas.' }),
  addingReplicas: array(int32(), { about: 'Replicas that are being added.' }),
  removingReplicas: array(int32(), { about: 'Replicas that are being removed.' }),
})

const OngoingTopicReassignment = struct('OngoingTopicReassignment', {
  name: string({ about: 'The name.' }),
  partitions: array(OngoingPartitionReassignment, { about: 'The partitions.' }),
})

export const ListPartitionReassignmentsResponse = defineResponse(head, {
  throttleTimeMs: int32({
    about: 'How long a quota makes the client wait before its next request, in milliseconds.',
  }),
  errorCode: int16({ about: 'Error of the whole request, 0 if none.' }),
  errorMessage: string({ nullableSince: 0, about: 'What went wrong in words, or null.' }),
  topics: array(OngoingTopicReassignment, { about: 'The topics.' }),
})
export type ListPartitionReassignmentsResponse = Infer<typeof ListPartitionReassignmentsResponse>
