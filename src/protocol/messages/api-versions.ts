/**
 * ApiVersions tells which APIs and versions the broker serves. v3 flexible with client software
 * and features (KIP-511, KIP-584), v4 features with minimum 0, v5 a check of the cluster and node
 * reached (KIP-1242). Its response header is always v0.
 */
import { array, bool, int16, int32, int64, string, struct } from '../schema/field.js'
import { ApiKey } from '../api-keys.js'
import { type Infer, defineRequest, defineResponse } from '../schema/message.js'

const head = { apiKey: ApiKey.ApiVersions, versions: [0, 5], flexibleSince: 3 } as const

export const ApiVersionsRequest = defineRequest(head, {
  clientSoftwareName: string({
    since: 3,
    ignorable: true,
    about: 'Name of the client library (KIP-511).',
  }),
  clientSoftwareVersion: string({
    since: 3,
    ignorable: true,
    about: 'Version of the client library.',
  }),
  clusterId: string({
    since: 5,
    nullableSince: 5,
    default: null,
    ignorable: true,
    about: 'Cluster the client expects to reach (KIP-1242); null if it does not care.',
  }),
  nodeId: int32({
    since: 5,
    default: -1,
    ignorable: true,
    about: 'Broker the client expects to reach (KIP-1242); -1 if it does not care.',
  }),
})
export type ApiVersionsRequest = Infer<typeof ApiVersionsRequest>

const ApiVersion = struct('ApiVersion', {
  apiKey: int16({ about: 'The key of the API.' }),
  minVersion: int16({ about: 'Lowest version.' }),
  maxVersion: int16({ about: 'Highest version.' }),
})

const SupportedFeatureKey = struct('SupportedFeatureKey', {
  name: string({ since: 3, about: 'The name.' }),
  minVersion: int16({ since: 3, about: 'Lowest version.' }),
  maxVersion: int16({ since: 3, about: 'Highest version.' }),
})

const FinalizedFeatureKey = struct('FinalizedFeatureKey', {
  name: string({ since: 3, about: 'The name.' }),
  maxVersionLevel: int16({ since: 3, about: 'Highest level.' }),
  minVersionLevel: int16({ since: 3, about: 'Lowest level.' }),
})

export const ApiVersionsResponse = defineResponse(head, {
  errorCode: int16({ about: "0; 35 with a version-0 body if the request's version is not known." }),
  apiKeys: array(ApiVersion, { about: 'The APIs served and their version ranges.' }),
  throttleTimeMs: int32({
    since: 1,
    ignorable: true,
    about: 'How long a quota makes the client wait before its next request, in milliseconds.',
  }),
  supportedFeatures: array(SupportedFeatureKey, {
    since: 3,
    tag: 0,
    ignorable: true,
    about: 'Features this broker supports.',
  }),
  finalizedFeaturesEpoch: int64({
    since: 3,
    tag: 1,
    default: -1n,
    ignorable: true,
    about: 'Epoch of the finalized features; -1 if unknown.',
  }),
  finalizedFeatures: array(FinalizedFeatureKey, {
    since: 3,
    tag: 2,
    ignorable: true,
    about: 'Feature levels in force in the cluster.',
  }),
  zkMigrationReady: bool({
    since: 3,
    tag: 3,
    default: false,
    ignorable: true,
    about: 'True if a controller is ready to migrate from ZooKeeper.',
  }),
})
export type ApiVersionsResponse = Infer<typeof ApiVersionsResponse>
