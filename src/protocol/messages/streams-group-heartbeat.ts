/**
 * StreamsGroupHeartbeat joins, keeps and leaves streams groups (KIP-1071). v1 asks for topology
 * descriptions (KIP-1331).
 */
import {
  array,
  bool,
  int16,
  int32,
  int64,
  int8,
  string,
  struct,
  structOf,
  uint16,
} from '../schema/field.js'
import { ApiKey } from '../api-keys.js'
import { type Infer, defineRequest, defineResponse } from '../schema/message.js'

const head = { apiKey: ApiKey.StreamsGroupHeartbeat, versions: [0, 1], flexibleSince: 0 } as const

const KeyValue = struct('KeyValue', {
  key: string({ about: 'The key.' }),
  value: string({ about: 'The value.' }),
})

const TopicInfo = struct('TopicInfo', {
  name: string({ about: 'The name.' }),
  partitions: int32({ about: 'The partitions.' }),
  replicationFactor: int16({
    about: "Number of replicas; -1 for the broker's default or an explicit assignment.",
  }),
  topicConfigs: array(KeyValue, { about: 'Configuration of the topic.' }),
})

const CopartitionGroup = struct('CopartitionGroup', {
  sourceTopics: array(int16(), { about: 'Topics the subtopology reads.' }),
  sourceTopicRegex: array(int16(), { about: 'Patterns of the topics the subtopology reads.' }),
  repartitionSourceTopics: array(int16(), { about: 'Repartition topics the subtopology reads.' }),
})

const Subtopology = struct('Subtopology', {
  subtopologyId: string({ about: 'Id of the subtopology.' }),
  sourceTopics: array(string(), { about: 'Topics the subtopology reads.' }),
  sourceTopicRegex: array(string(), { about: 'Patterns of the topics the subtopology reads.' }),
  stateChangelogTopics: array(TopicInfo, { about: 'Changelog topics of the state stores.' }),
  repartitionSinkTopics: array(string(), { about: 'Repartition topics the subtopology writes.' }),
  repartitionSourceTopics: array(TopicInfo, { about: 'Repartition topics the subtopology reads.' }),
  copartitionGroups: array(CopartitionGroup, {
    about: 'Groups of source topics that need equal partitioning.',
  }),
})

const Topology = struct('Topology', {
  epoch: int32({ about: 'The epoch.' }),
  subtopologies: array(Subtopology, { about: 'Parts of the topology that share no topic.' }),
})

const TaskIds = struct('TaskIds', {
  subtopologyId: string({ about: 'Id of the subtopology.' }),
  partitions: array(int32(), { about: 'The partitions.' }),
})

const Endpoint = struct('Endpoint', {
  host: string({ about: 'Host name.' }),
  port: uint16({ about: 'Port.' }),
})

const TaskOffset = struct('TaskOffset', {
  subtopologyId: string({ about: 'Id of the subtopology.' }),
  partition: int32({ about: 'The partition.' }),
  offset: int64({ about: 'The offset.' }),
})

export const StreamsGroupHeartbeatRequest = defineRequest(head, {
  groupId: string({ about: 'The group.' }),
  memberId: string({ about: 'Id of the member.' }),
  memberEpoch: int32({
    about: 'Epoch of the member; 0 joins, -1 leaves, -2 leaves as a static member.',
  }),
  endpointInformationEpoch: int32({ about: 'Epoch of the endpoint information the member has.' }),
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
  topology: structOf(Topology, {
    nullableSince: 0,
    default: null,
    about: 'Topology of the application; null if unchanged.',
  }),
  activeTasks: array(TaskIds, {
    nullableSince: 0,
    default: null,
    about: 'Tasks that this member runs.',
  }),
  standbyTasks: array(TaskIds, {
    nullableSince: 0,
    default: null,
    about: 'Tasks whose state the member keeps ready.',
  }),
  warmupTasks: array(TaskIds, {
    nullableSince: 0,
    default: null,
    about: 'Tasks whose state the member builds up before it takes them over.',
  }),
  processId: string({
    nullableSince: 0,
    default: null,
    about: 'Id of the process; tasks are spread over processes.',
  }),
  userEndpoint: structOf(Endpoint, {
    nullableSince: 0,
    default: null,
    about: 'Where the instance answers interactive queries; null for none or unchanged.',
  }),
  clientTags: array(KeyValue, {
    nullableSince: 0,
    default: null,
    about: 'Tags of the instance, for rack-aware standby tasks.',
  }),
  taskOffsets: array(TaskOffset, {
    nullableSince: 0,
    default: null,
    about: 'Offset up to which each task has restored its changelog.',
  }),
  taskEndOffsets: array(TaskOffset, {
    nullableSince: 0,
    default: null,
    about: 'End offset of the changelog of each task.',
  }),
  shutdownApplication: bool({
    default: false,
    about: 'True to ask all instances of the application to stop.',
  }),
})
export type StreamsGroupHeartbeatRequest = Infer<typeof StreamsGroupHeartbeatRequest>

const Status = struct('Status', {
  statusCode: int8({ about: 'Number of the status.' }),
  statusDetail: string({ about: 'The status in words.' }),
})

const TopicPartition = struct('TopicPartition', {
  topic: string({ about: 'The topic.' }),
  partitions: array(int32(), { about: 'The partitions.' }),
})

const EndpointToPartitions = struct('EndpointToPartitions', {
  userEndpoint: structOf(Endpoint, {
    about: 'Where the instance answers interactive queries; null for none or unchanged.',
  }),
  activePartitions: array(TopicPartition, { about: 'Partitions of the active tasks.' }),
  standbyPartitions: array(TopicPartition, { about: 'Partitions of the standby tasks.' }),
})

export const StreamsGroupHeartbeatResponse = defineResponse(head, {
  throttleTimeMs: int32({
    about: 'How long a quota makes the client wait before its next request, in milliseconds.',
  }),
  errorCode: int16({ about: 'Error of the whole request, 0 if none.' }),
  errorMessage: string({
    nullableSince: 0,
    default: null,
    about: 'What went wrong in words, or null.',
  }),
  memberId: string({ about: 'Id of the member.' }),
  memberEpoch: int32({
    about: 'Epoch of the member; 0 joins, -1 leaves, -2 leaves as a static member.',
  }),
  heartbeatIntervalMs: int32({
    about: 'How often the member shall send a heartbeat, in milliseconds.',
  }),
  acceptableRecoveryLagLegacy: int32({
    until: 0,
    about: 'Older place of the recovery lag; see acceptableRecoveryLag.',
  }),
  taskOffsetIntervalMs: int32({ about: 'How often to report task offsets, in milliseconds.' }),
  acceptableRecoveryLag: int64({
    since: 1,
    default: -1n,
    ignorable: true,
    about: 'Lag below which a task counts as caught up.',
  }),
  status: array(Status, {
    nullableSince: 0,
    about: 'What the member shall know about the group; null if unchanged.',
  }),
  activeTasks: array(TaskIds, {
    nullableSince: 0,
    default: null,
    about: 'Tasks that this member runs.',
  }),
  standbyTasks: array(TaskIds, {
    nullableSince: 0,
    default: null,
    about: 'Tasks whose state the member keeps ready.',
  }),
  warmupTasks: array(TaskIds, {
    nullableSince: 0,
    default: null,
    about: 'Tasks whose state the member builds up before it takes them over.',
  }),
  topologyDescriptionRequired: bool({
    since: 1,
    default: false,
    about: 'True if the member shall send the description of its topology.',
  }),
  endpointInformationEpoch: int32({ about: 'Epoch of the endpoint information the member has.' }),
  partitionsByUserEndpoint: array(EndpointToPartitions, {
    nullableSince: 0,
    default: null,
    about: 'Which partitions live at which endpoint, for interactive queries.',
  }),
})
export type StreamsGroupHeartbeatResponse = Infer<typeof StreamsGroupHeartbeatResponse>
