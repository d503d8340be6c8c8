/**
 * ElectLeaders elects preferred or unclean leaders (KIP-460). v1 the election type, v2 flexible.
 */
import { array, int16, int32, int8, string, struct } from '../schema/field.js'
import { ApiKey } from '../api-keys.js'
import { type Infer, defineRequest, defineResponse } from '../schema/message.js'

const head = { apiKey: ApiKey.ElectLeaders, versions: [0, 2], flexibleSince: 2 } as const

const TopicPartitions = struct('TopicPartitions', {
  topic: string({ about: 'The topic.' }),
  partitions: array(int32(), { about: 'The partitions.' }),
})

export const ElectLeadersRequest = defineRequest(head, {
  electionType: int8({ since: 1, about: '0 preferred leader, 1 unclean.' }),
  topicPartitions: array(TopicPartitions, {
    nullableSince: 0,
    about: 'Partitions to elect for; null for all.',
  }),
  timeoutMs: int32({ default: 60000, about: 'How long the broker may take, in milliseconds.' }),
})
export type ElectLeadersRequest = Infer<typeof ElectLeadersRequest>

const PartitionResult = struct('PartitionResult', {
  partitionId: int32({ about: 'The partition.' }),
  errorCode: int16({ about: 'Error of this entry, 0 if none.' }),
  errorMessage: string({ nullableSince: 0, about: 'What went wrong in words, or null.' }),
})

const ReplicaElectionResult = struct('ReplicaElectionResult', {
  topic: string({ about: 'The topic.' }),
  partitionResult: array(PartitionResult, { about: 'One result per partition.' }),
})

export const ElectLeadersResponse = defineResponse(head, {
  throttleTimeMs: int32({
    about: 'How long a quota makes the client wait before its next request, in milliseconds.',
  }),
  errorCode: int16({ since: 1, about: 'Error of the whole request, 0 if none.' }),
  replicaElectionResults: array(ReplicaElectionResult, { about: 'One result per topic.' }),
})
export type ElectLeadersResponse = Infer<typeof ElectLeadersResponse>
