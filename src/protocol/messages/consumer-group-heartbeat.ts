/**
 * ConsumerGroupHeartbeat joins, keeps and leaves groups of the new consumer protocol (KIP-848). v1
 * patterns and client-made member ids (KIP-1082).
 */
import { array, int16, int32, string, struct, structOf, uuid } from '../schema/field.js'
import { ApiKey } from '../api-keys.js'
import { type Infer, defineRequest, defineResponse } from '../schema/message.js'

const head = { apiKey: ApiKey.ConsumerGroupHeartbeat, versions: [0, 1], flexibleSince: 0 } as const

const TopicPartitions = struct('TopicPartitions', {
  topicId: uuid({ about: 'Id of the topic.' }),
  partitions: array(int32(), { about: 'The partitions.' }),
})

export const ConsumerGroupHeartbeatRequest = defineRequest(head, {
  groupId: string({ about: 'The group.' }),
  memberId: string({ about: 'Id of the member.' }),
  memberEpoch: int32({
    about: 'Epoch of the member; 0 joins, -1 leaves, -2 leaves as a static member.',
  }),
  instanceId: string({
    nullableSince: 0,
    default: null,
    about: 'Static id of the member; null for none.',
  }),
  rackId: string({
    nullableSince: 0,
    default: null,
    about: 'Rack of the consumer; empty or null for none.',
  }),
  rebalanceTimeoutMs: int32({
    default: -1,
    about: 'How long the member may take to rejoin or to give partitions up, in milliseconds.',
  }),
  subscribedTopicNames: array(string(), {
    nullableSince: 0,
    default: null,
    about: 'Topics subscribed to by name; null if unchanged.',
  }),
  subscribedTopicRegex: string({
    since: 1,
    nullableSince: 1,
    default: null,
    about: 'Pattern of topics subscribed to (RE2); null if unchanged or none.',
  }),
  serverAssignor: string({
    nullableSince: 0,
    default: null,
    about: 'Assignor wanted on the broker; null to leave the choice to it (or unchanged).',
  }),
  topicPartitions: array(TopicPartitions, {
    nullableSince: 0,
    default: null,
    about: 'The partitions, by topic.',
  }),
})
export type ConsumerGroupHeartbeatRequest = Infer<typeof ConsumerGroupHeartbeatRequest>

const Assignment = struct('Assignment', {
  topicPartitions: array(TopicPartitions, { about: 'The partitions, by topic.' }),
})

export const ConsumerGroupHeartbeatResponse = defineResponse(head, {
  throttleTimeMs: int32({
    about: 'How long a quota makes the client wait before its next request, in milliseconds.',
  }),
  errorCode: int16({ about: 'Error of the whole request, 0 if none.' }),
  errorMessage: string({
    nullableSince: 0,
    default: null,
    about: 'What went wrong in words, or null.',
  }),
  memberId: string({ nullableSince: 0, default: null, about: 'Id of the member.' }),
  memberEpoch: int32({
    about: 'Epoch of the member; 0 joins, -1 leaves, -2 leaves as a static member.',
  }),
  heartbeatIntervalMs: int32({
    about: 'How often the member shall send a heartbeat, in milliseconds.',
  }),
  assignment: structOf(Assignment, {
    nullableSince: 0,
    default: null,
    about: 'What is assigned to the member.',
  }),
})
export type ConsumerGroupHeartbeatResponse = Infer<typeof ConsumerGroupHeartbeatResponse>
