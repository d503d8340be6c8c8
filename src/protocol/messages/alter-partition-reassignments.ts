/**
 * AlterPartitionReassignments starts and cancels reassignments (KIP-455). v1 may forbid another
 * replication factor (KIP-860).
 */
import { array, bool, int16, int32, string, struct } from '../schema/field.js'
import { ApiKey } from '../api-keys.js'
import { type Infer, defineRequest, defineResponse } from '../schema/message.js'

const head = {
  apiKey: ApiKey.AlterPartitionReassignments,
  versions: [0, 1],
  flexibleSince: 0,
} as const

const ReassignablePartition = struct('ReassignablePartition', {
  partitionIndex: int32({ about: 'The partition.' }),
  replicas: array(int32(), {
    nullableSince: 0,
    default: null,
    about: 'Target replicas; null to cancel.',
  }),
})

const ReassignableTopic = struct('ReassignableTopic', {
  name: string({ about: 'The name.' }),
  partitions: array(ReassignablePartition, { about: 'The partitions.' }),
})

export const AlterPartitionReassignmentsRequest = defineRequest(head, {
  timeoutMs: int32({ default: 60000, about: 'How long the broker may take, in milliseconds.' }),
  allowReplicationFactorChange: bool({
    since: 1,
    default: true,
    about: 'Whether the target may have another number of replicas.',
  }),
  topics: array(ReassignableTopic, { about: 'The topics.' }),
})
export type AlterPartitionReassignmentsRequest = Infer<typeof AlterPartitionReassignmentsRequest>

const ReassignablePartitionResponse = struct('ReassignablePartitionResponse', {
  partitionIndex: int32({ about: 'The partition.' }),
  errorCode: int16({ about: 'Error of this entry, 0 if none.' }),
  errorMessage: string({ nullableSince: 0, about: 'What went wrong in words, or null.' }),
})

const ReassignableTopicResponse = struct('ReassignableTopicResponse', {
  name: string({ about: 'The name.' }),
  partitions: array(ReassignablePartitionResponse, { about: 'The partitions.' }),
})

export const AlterPartitionReassignmentsResponse = defineResponse(head, {
  throttleTimeMs: int32({
    about: 'How long a quota makes the client wait before its next request, in milliseconds.',
  }),
  allowReplicationFactorChange: bool({
    since: 1,
    default: true,
    ignorable: true,
    about: 'Whether the target may have another number of replicas.',
  }),
  errorCode: int16({ about: 'Error of the whole request, 0 if none.' }),
  errorMessage: string({ nullableSince: 0, about: 'What went wrong in words, or null.' }),
  responses: array(ReassignableTopicResponse, { about: 'One result per entry of the request.' }),
})
export type AlterPartitionReassignmentsResponse = Infer<typeof AlterPartitionReassignmentsResponse>
