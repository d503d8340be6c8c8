/**
 * CreateTopics creates topics. v4 lets the broker choose counts (KIP-464), v5 flexible and returns
 * settings (KIP-525), v7 returns topic ids (KIP-516).
 */
import { array, bool, int16, int32, int8, string, struct, uuid } from '../schema/field.js'
import { ApiKey } from '../api-keys.js'
import { type Infer, defineRequest, defineResponse } from '../schema/message.js'

const head = { apiKey: ApiKey.CreateTopics, versions: [2, 7], flexibleSince: 5 } as const

const CreatableReplicaAssignment = struct('CreatableReplicaAssignment', {
  partitionIndex: int32({ about: 'The partition.' }),
  brokerIds: array(int32(), { about: 'The brokers asked about; empty for all.' }),
})

const CreatableTopicConfig = struct('CreatableTopicConfig', {
  name: string({ about: 'The name.' }),
  value: string({ nullableSince: 2, about: 'The value.' }),
})

const CreatableTopic = struct('CreatableTopic', {
  name: string({ about: 'Name of the new topic.' }),
  numPartitions: int32({
    about: "Number of partitions; -1 for the broker's default or an explicit assignment.",
  }),
  replicationFactor: int16({
    about: "Number of replicas; -1 for the broker's default or an explicit assignment.",
  }),
  assignments: array(CreatableReplicaAssignment, {
    about: 'Replicas of each partition; empty to let the broker place them.',
  }),
  configs: array(CreatableTopicConfig, {
    about: "Settings of the topic that differ from the broker's.",
  }),
})

export const CreateTopicsRequest = defineRequest(head, {
  topics: array(CreatableTopic, { about: 'The topics.' }),
  timeoutMs: int32({ default: 60000, about: 'How long the broker may take, in milliseconds.' }),
  validateOnly: bool({ default: false, about: 'True to check without doing.' }),
})
export type CreateTopicsRequest = Infer<typeof CreateTopicsRequest>

const CreatableTopicConfigs = struct('CreatableTopicConfigs', {
  name: string({ since: 5, about: 'The name.' }),
  value: string({ since: 5, nullableSince: 5, about: 'The value.' }),
  readOnly: bool({ since: 5, about: 'True if the value cannot be changed at run time.' }),
  configSource: int8({
    since: 5,
    default: -1,
    ignorable: true,
    about: 'Origin: 1 topic, 2 broker, 3 all brokers, 4 static, 5 default, 6 logger.',
  }),
  isSensitive: bool({ since: 5, about: 'True for secrets, whose value is not returned.' }),
})

const CreatableTopicResult = struct('CreatableTopicResult', {
  name: string({ about: 'The name.' }),
  topicId: uuid({ since: 7, ignorable: true, about: 'Id of the topic.' }),
  errorCode: int16({ about: 'Error of this entry, 0 if none.' }),
  errorMessage: string({
    nullableSince: 2,
    ignorable: true,
    about: 'What went wrong in words, or null.',
  }),
  topicConfigErrorCode: int16({
    since: 5,
    tag: 0,
    ignorable: true,
    about: 'Error that kept the configuration from being returned, 0 if none.',
  }),
  numPartitions: int32({
    since: 5,
    default: -1,
    ignorable: true,
    about: "Number of partitions; -1 for the broker's default or an explicit assignment.",
  }),
  replicationFactor: int16({
    since: 5,
    default: -1,
    ignorable: true,
    about: "Number of replicas; -1 for the broker's default or an explicit assignment.",
  }),
  configs: array(CreatableTopicConfigs, {
    since: 5,
    nullableSince: 5,
    ignorable: true,
    about: 'All settings of the new topic; null if they may not be seen.',
  }),
})

export const CreateTopicsResponse = defineResponse(head, {
  throttleTimeMs: int32({
    ignorable: true,
    about: 'How long a quota makes the client wait before its next request, in milliseconds.',
  }),
  topics: array(CreatableTopicResult, { about: 'The topics.' }),
})
export type CreateTopicsResponse = Infer<typeof CreateTopicsResponse>
