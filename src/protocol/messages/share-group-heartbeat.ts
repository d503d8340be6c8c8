/** ShareGroupHeartbeat joins, keeps and leaves share groups (KIP-932). */
import { array, int16, int32, string, struct, structOf, uuid } from '../schema/field.js'
import { ApiKey } from '../api-keys.js'
import { type Infer, defineRequest, defineResponse } from '../schema/message.js'

const head = { apiKey: ApiKey.ShareGroupHeartbeat, versions: [1, 1], flexibleSince: 0 } as const

export const ShareGroupHeartbeatRequest = defineRequest(head, {
  groupId: string({ about: 'The group.' }),
  memberId: string({ about: 'Id of the member.' }),
  memberEpoch: int32({
    about: 'Epoch of the member; 0 joins, -1 leaves, -2 leaves as a static member.',
  }),
  rackId: string({
    nullableSince: 1,
    default: null,
    about: 'Rack of the consumer; empty or null for none.',
  }),
  subscribedTopicNames: array(string(), {
    nullableSince: 1,
    default: null,
    about: 'Topics subscribed to by name; null if unchanged.',
  }),
})
export type ShareGroupHeartbeatRequest = Infer<typeof ShareGroupHeartbeatRequest>

const TopicPartitions = struct('TopicPartitions', {
  topicId: uuid({ about: 'Id of the topic.' }),
  partitions: array(int32(), { about: 'The partitions.' }),
})

const Assignment = struct('Assignment', {
  topicPartitions: array(TopicPartitions, { about: 'The partitions, by topic.' }),
})

export const ShareGroupHeartbeatResponse = defineResponse(head, {
  throttleTimeMs: int32({
    about: 'How long a quota makes the client wait before its next request, in milliseconds.',
  }),
  errorCode: int16({ about: 'Error of the whole request, 0 if none.' }),
  errorMessage: string({
    nullableSince: 1,
    default: null,
    about: 'What went wrong in words, or null.',
  }),
  memberId: string({ nullableSince: 1, default: null, about: 'Id of the member.' }),
  memberEpoch: int32({
    about: 'Epoch of the member; 0 joins, -1 leaves, -2 leaves as a static member.',
  }),
  heartbeatIntervalMs: int32({
    about: 'How often the member shall send a heartbeat, in milliseconds.',
  }),
  assignment: structOf(Assignment, {
    nullableSince: 1,
    default: null,
    about: 'What is assigned to the member.',
  }),
})
export type ShareGroupHeartbeatResponse = Infer<typeof ShareGroupHeartbeatResponse>
