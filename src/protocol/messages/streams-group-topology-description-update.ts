/** StreamsGroupTopologyDescriptionUpdate sends the description of a streams topology (KIP-1331). */
import { array, int16, int32, int8, string, struct, structOf } from '../schema/field.js'
import { ApiKey } from '../api-keys.js'
import { type Infer, defineRequest, defineResponse } from '../schema/message.js'

const head = {
  apiKey: ApiKey.StreamsGroupTopologyDescriptionUpdate,
  versions: [0, 0],
  flexibleSince: 0,
} as const

const TopologyDescriptionNode = struct('TopologyDescriptionNode', {
  name: string({ about: 'The name.' }),
  nodeType: int8({ about: '1 source, 2 processor, 3 sink.' }),
  sourceTopics: array(string(), { about: 'Topics the subtopology reads.' }),
  sinkTopic: string({
    nullableSince: 0,
    default: null,
    about: 'Topic the node writes; null if it is chosen at run time.',
  }),
  stores: array(string(), { about: 'State stores of the processor.' }),
  successors: array(string(), { about: 'Nodes that take the output.' }),
})

const TopologyDescriptionSubtopology = struct('TopologyDescriptionSubtopology', {
  subtopologyId: string({ about: 'Id of the subtopology.' }),
  nodes: array(TopologyDescriptionNode, { about: 'The nodes.' }),
})

const TopologyDescriptionGlobalStore = struct('TopologyDescriptionGlobalStore', {
  source: structOf(TopologyDescriptionNode, {
    about: 'Where the value comes from, or the source node.',
  }),
  processor: structOf(TopologyDescriptionNode, { about: 'The processor.' }),
})

const TopologyDescription = struct('TopologyDescription', {
  subtopologies: array(TopologyDescriptionSubtopology, {
    about: 'Parts of the topology that share no topic.',
  }),
  globalStores: array(TopologyDescriptionGlobalStore, { about: 'Global state stores.' }),
})

export const StreamsGroupTopologyDescriptionUpdateRequest = defineRequest(head, {
  groupId: string({ about: 'The group.' }),
  memberId: string({ about: 'Id of the member.' }),
  topologyEpoch: int32({ about: 'Epoch of the topology.' }),
  topologyDescription: structOf(TopologyDescription, {
    about: 'Nodes of the topology, for people and tools (KIP-1331).',
  }),
})
export type StreamsGroupTopologyDescriptionUpdateRequest = Infer<
  typeof StreamsGroupTopologyDescriptionUpdateRequest
>

export const StreamsGroupTopologyDescriptionUpdateResponse = defineResponse(head, {
  throttleTimeMs: int32({
    about: 'How long a quota makes the client wait before its next request, in milliseconds.',
  }),
  errorCode: int16({ about: 'Error of the whole request, 0 if none.' }),
  errorMessage: string({
    nullableSince: 0,
    default: null,
    about: 'What went wrong in words, or null.',
  }),
})
export type StreamsGroupTopologyDescriptionUpdateResponse = Infer<
  typeof StreamsGroupTopologyDescriptionUpdateResponse
>
