/**
 * StreamsGroupDescribe describes streams groups (KIP-1071). v1 topology descriptions (KIP-1331).
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

const head = { apiKey: ApiKey.StreamsGroupDescribe, versions: [0, 1], flexibleSince: 0 } as const

export const StreamsGroupDescribeRequest = defineRequest(head, {
  groupIds: array(string(), { about: 'The groups.' }),
  includeAuthorizedOperations: bool({
    about: 'Whether to return the operations the caller may do.',
  }),
  includeTopologyDescription: bool({
    since: 1,
    default: false,
    about: 'Whether to return the description of the topology (KIP-1331).',
  }),
})
export type StreamsGroupDescribeRequest = Infer<typeof StreamsGroupDescribeRequest>

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

const Subtopology = struct('Subtopology', {
  subtopologyId: string({ about: 'Id of the subtopology.' }),
  sourceTopics: array(string(), { about: 'Topics the subtopology reads.' }),
  repartitionSinkTopics: array(string(), { about: 'Repartition topics the subtopology writes.' }),
  stateChangelogTopics: array(TopicInfo, { about: 'Changelog topics of the state stores.' }),
  repartitionSourceTopics: array(TopicInfo, { about: 'Repartition topics the subtopology reads.' }),
})

const Topology = struct('Topology', {
  epoch: int32({ about: 'The epoch.' }),
  subtopologies: array(Subtopology, {
    nullableSince: 0,
    default: null,
    about: 'Parts of the topology that share no topic.',
  }),
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

const TaskIds = struct('TaskIds', {
  subtopologyId: string({ about: 'Id of the subtopology.' }),
  partitions: array(int32(), { about: 'The partitions.' }),
})

const Assignment = struct('Assignment', {
  activeTasks: array(TaskIds, { about: 'Tasks that this member runs.' }),
  standbyTasks: array(TaskIds, { about: 'Tasks whose state the member keeps ready.' }),
  warmupTasks: array(TaskIds, {
    about: 'Tasks whose state the member builds up before it takes them over.',
  }),
})

const Member = struct('Member', {
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
  clientId: string({ about: 'Client id of the member.' }),
  clientHost: string({ about: 'Host the member connects from.' }),
  topologyEpoch: int32({ about: 'Epoch of the topology.' }),
  processId: string({ about: 'Id of the process; tasks are spread over processes.' }),
  userEndpoint: structOf(Endpoint, {
    nullableSince: 0,
    default: null,
    about: 'Where the instance answers interactive queries; null for none or unchanged.',
  }),
  clientTags: array(KeyValue, { about: 'Tags of the instance, for rack-aware standby tasks.' }),
  taskOffsets: array(TaskOffset, {
    about: 'Offset up to which each task has restored its changelog.',
  }),
  taskEndOffsets: array(TaskOffset, { about: 'End offset of the changelog of each task.' }),
  assignment: structOf(Assignment, { about: 'What is assigned to the member.' }),
  targetAssignment: structOf(Assignment, { about: 'What the member shall own in the end.' }),
  isClassic: bool({ about: 'True if the member speaks the classic protocol.' }),
})

const TopologyDescriptionNode = struct('TopologyDescriptionNode', {
  name: string({ since: 1, about: 'The name.' }),
  nodeType: int8({ since: 1, about: '1 source, 2 processor, 3 sink.' }),
  sourceTopics: array(string(), { since: 1, about: 'Topics the subtopology reads.' }),
  sinkTopic: string({
    since: 1,
    nullableSince: 1,
    default: null,
    about: 'Topic the node writes; null if it is chosen at run time.',
  }),
  stores: array(string(), { since: 1, about: 'State stores of the processor.' }),
  successors: array(string(), { since: 1, about: 'Nodes that take the output.' }),
})

const TopologyDescriptionSubtopology = struct('TopologyDescriptionSubtopology', {
  subtopologyId: string({ since: 1, about: 'Id of the subtopology.' }),
  nodes: array(TopologyDescriptionNode, { since: 1, about: 'The nodes.' }),
})

const TopologyDescriptionGlobalStore = struct('TopologyDescriptionGlobalStore', {
  source: structOf(TopologyDescriptionNode, {
    since: 1,
    about: 'Where the value comes from, or the source node.',
  }),
  processor: structOf(TopologyDescriptionNode, { since: 1, about: 'The processor.' }),
})

const TopologyDescription = struct('TopologyDescription', {
  subtopologies: array(TopologyDescriptionSubtopology, {
    since: 1,
    about: 'Parts of the topology that share no topic.',
  }),
  globalStores: array(TopologyDescriptionGlobalStore, { since: 1, about: 'Global state stores.' }),
})

const DescribedGroup = struct('DescribedGroup', {
  errorCode: int16({ about: 'Error of this entry, 0 if none.' }),
  errorMessage: string({
    nullableSince: 0,
    default: null,
    about: 'What went wrong in words, or null.',
  }),
  groupId: string({ about: 'The group.' }),
  groupState: string({ about: 'State of the group, by name.' }),
  groupEpoch: int32({ about: 'Epoch of the group.' }),
  assignmentEpoch: int32({ about: 'Epoch of the target assignment.' }),
  topology: structOf(Topology, {
    nullableSince: 0,
    default: null,
    about: 'Topology of the application; null if unchanged.',
  }),
  members: array(Member, { about: 'Members of the group.' }),
  authorizedOperations: int32({
    default: -2147483648,
    about: 'Bit field of the operations the caller may do; -2147483648 if not asked for.',
  }),
  topologyDescription: structOf(TopologyDescription, {
    since: 1,
    nullableSince: 1,
    default: null,
    about: 'Nodes of the topology, for people and tools (KIP-1331).',
  }),
  topologyDescriptionStatus: int8({
    since: 1,
    default: 0,
    about: 'Whether the description is there.',
  }),
  assignorName: string({
    since: 1,
    nullableSince: 1,
    default: null,
    ignorable: true,
    about: 'Name of the server-side assignor.',
  }),
})

export const StreamsGroupDescribeResponse = defineResponse(head, {
  throttleTimeMs: int32({
    about: 'How long a quota makes the client wait before its next request, in milliseconds.',
  }),
  groups: array(DescribedGroup, { about: 'The groups.' }),
})
export type StreamsGroupDescribeResponse = Infer<typeof StreamsGroupDescribeResponse>
