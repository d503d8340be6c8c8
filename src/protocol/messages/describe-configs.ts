/**
 * DescribeConfigs reads the configuration of topics, brokers and other resources. v1 synonyms
 * (KIP-226), v3 types and documentation, v4 flexible.
 */
import { array, bool, int16, int32, int8, string, struct } from '../schema/field.js'
import { ApiKey } from '../api-keys.js'
import { type Infer, defineRequest, defineResponse } from '../schema/message.js'

const head = { apiKey: ApiKey.DescribeConfigs, versions: [1, 4], flexibleSince: 4 } as const

const DescribeConfigsResource = struct('DescribeConfigsResource', {
  resourceType: int8({ about: 'Kind of the resource.' }),
  resourceName: string({ about: 'Name of the resource.' }),
  configurationKeys: array(string(), { nullableSince: 1, about: 'Keys wanted; null for all.' }),
})

export const DescribeConfigsRequest = defineRequest(head, {
  resources: array(DescribeConfigsResource, { about: 'The resources.' }),
  includeSynonyms: bool({
    default: false,
    about: 'Whether to return the other places a value may come from.',
  }),
  includeDocumentation: bool({
    since: 3,
    default: false,
    about: 'Whether to return the documentation of each setting.',
  }),
})
export type DescribeConfigsRequest = Infer<typeof DescribeConfigsRequest>

const DescribeConfigsSynonym = struct('DescribeConfigsSynonym', {
  name: string({ about: 'The name.' }),
  value: string({ nullableSince: 1, about: 'The value.' }),
  source: int8({ about: 'Where the value comes from, or the source node.' }),
})

const DescribeConfigsResourceResult = struct('DescribeConfigsResourceResult', {
  name: string({ about: 'The name.' }),
  value: string({ nullableSince: 1, about: 'The value; null if unset or a secret.' }),
  readOnly: bool({ about: 'True if the value cannot be changed at run time.' }),
  configSource: int8({
    default: -1,
    ignorable: true,
    about: 'Origin: 1 topic, 2 broker, 3 all brokers, 4 static, 5 default, 6 logger.',
  }),
  isSensitive: bool({ about: 'True for secrets, whose value is not returned.' }),
  synonyms: array(DescribeConfigsSynonym, {
    ignorable: true,
    about: 'Other places the value may come from, in order of precedence.',
  }),
  configType: int8({
    since: 3,
    default: 0,
    ignorable: true,
    about: '1 bool, 2 string, 3 int, 4 short, 5 long, 6 double, 7 list, 8 class, 9 password.',
  }),
  documentation: string({
    since: 3,
    nullableSince: 3,
    ignorable: true,
    about: 'What the setting means, if asked for.',
  }),
})

const DescribeConfigsResult = struct('DescribeConfigsResult', {
  errorCode: int16({ about: 'Error of this entry, 0 if none.' }),
  errorMessage: string({ nullableSince: 1, about: 'What went wrong in words, or null.' }),
  resourceType: int8({ about: 'Kind of the resource.' }),
  resourceName: string({ about: 'Name of the resource.' }),
  configs: array(DescribeConfigsResourceResult, { about: 'The settings.' }),
})

export const DescribeConfigsResponse = defineResponse(head, {
  throttleTimeMs: int32({
    about: 'How long a quota makes the client wait before its next request, in milliseconds.',
  }),
  results: array(DescribeConfigsResult, { about: 'One result per resource.' }),
})
export type DescribeConfigsResponse = Infer<typeof DescribeConfigsResponse>
