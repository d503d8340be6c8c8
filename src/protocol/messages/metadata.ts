/**
 * Metadata tells brokers, topics, partitions and leaders, and may create topics on the way. v1
 * distinguishes no topics from all, v4 controls auto-creation, v7 leader epochs, v8 authorized
 * operations (KIP-430), v9 flexible, v10 topic ids in the answer and v12 in the request (KIP-516),
 * v13 an error for the whole request.
 */
import { array, bool, int16, int32, string, struct, uuid } from '../schema/field.js'
import { ApiKey } from '../api-keys.js'
import { type Infer, defineRequest, defineResponse } from '../schema/message.js'

const head = { apiKey: ApiKey.Metadata, versions: [0, 13], flexibleSince: 9 } as const

const MetadataRequestTopic = struct('MetadataRequestTopic', {
  topicId: uuid({
    since: 10,
    ignorable: true,
    about: 'Id of the topic (from version 12 in place of the name).',
  }),
  name: string({ nullableSince: 10, about: 'Name of the topic; null to ask by id.' }),
})

export const MetadataRequest = defineRequest(head, {
  topics: array(MetadataRequestTopic, {
    nullableSince: 1,
    about: 'Topics wanted; null for all (version 0: empty for all), empty for none.',
  }),
  allowAutoTopicCreation: bool({
    since: 4,
    default: true,
    about: 'Whether the broker may create the topics that are missing.',
  }),
  includeClusterAuthorizedOperations: bool({
    since: 8,
    until: 10,
    about: 'Whether to return the operations allowed on the cluster.',
  }),
  includeTopicAuthorizedOperations: bool({
    since: 8,
    about: 'Whether to return the operations allowed on each topic.',
  }),
})
export type MetadataRequest = Infer<typeof MetadataRequest>

const MetadataResponseBroker = struct('MetadataResponseBroker', {
  nodeId: int32({ about: 'The broker.' }),
  host: string({ about: 'Host name.' }),
  port: int32({ about: 'Port.' }),
  rack: string({
    since: 1,
    nullableSince: 1,
    default: null,
    ignorable: true,
    about: 'Rack; null if none is set.',
  }),
})

const MetadataResponsePartition = struct('MetadataResponsePartition', {
  errorCode: int16({ about: 'Error of this entry, 0 if none.' }),
  partitionIndex: int32({ about: 'The partition.' }),
  leaderId: int32({ about: 'Broker that leads; -1 if none.' }),
  leaderEpoch: int32({
    since: 7,
    default: -1,
    ignorable: true,
    about: 'Epoch of the leader; -1 if unknown.',
  }),
  replicaNodes: array(int32(), { about: 'All replicas.' }),
  isrNodes: array(int32(), { about: 'Replicas in sync with the leader.' }),
  offlineReplicas: array(int32(), {
    since: 5,
    ignorable: true,
    about: 'Replicas that cannot be reached.',
  }),
})

const MetadataResponseTopic = struct('MetadataResponseTopic', {
  errorCode: int16({ about: 'Error of this entry, 0 if none.' }),
  name: string({
    nullableSince: 12,
    about: 'Name of the topic; null if it was asked for by an unknown id.',
  }),
  topicId: uuid({ since: 10, ignorable: true, about: 'Id of the topic.' }),
  isInternal: bool({
    since: 1,
    default: false,
    ignorable: true,
    about: 'True for the topics of the broker itself.',
  }),
  partitions: array(MetadataResponsePartition, { about: 'The partitions.' }),
  topicAuthorizedOperations: int32({
    since: 8,
    default: -2147483648,
    about: 'Bit field of the operations the caller may do on the topic.',
  }),
})

export const MetadataResponse = defineResponse(head, {
  throttleTimeMs: int32({
    since: 3,
    ignorable: true,
    about: 'How long a quota makes the client wait before its next request, in milliseconds.',
  }),
  brokers: array(MetadataResponseBroker, { about: 'Brokers of the cluster.' }),
  clusterId: string({
    since: 2,
    nullableSince: 2,
    default: null,
    ignorable: true,
    about: 'The id of the cluster.',
  }),
  controllerId: int32({
    since: 1,
    default: -1,
    ignorable: true,
    about: 'Broker that is the controller; -1 if none is known.',
  }),
  topics: array(MetadataResponseTopic, { about: 'The topics.' }),
  clusterAuthorizedOperations: int32({
    since: 8,
    until: 10,
    default: -2147483648,
    about: 'Bit field of the operations the caller may do on the cluster.',
  }),
  errorCode: int16({
    since: 13,
    ignorable: true,
    about: 'Error of the whole request (KIP-1242), 0 if none.',
  }),
})
export type MetadataResponse = Infer<typeof MetadataResponse>
