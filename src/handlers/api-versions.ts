/**
 * ApiVersions v0-v5: what this broker serves. v3 checks the client's software name (KIP-511), v5 the cluster
 * and node the client meant to reach (KIP-1242). A version above 5 never arrives here: the request pipeline
 * answers it with a version-0 body and error 35.
 * Features (KIP-584, KIP-1022): those of metadata/features.ts. Clients before v4 fail at a feature whose least version
 * is 0, so it is left out for them.
 */
import { ErrorCode } from '../protocol/error-codes.js'
import type { ApiVersionsRequest, ApiVersionsResponse } from '../protocol/messages/api-versions.js'
import type { ApiHandler } from './api-handler.js'
import type { BrokerServices, ClusterView } from './services.js'

const SOFTWARE_NAME = /^[a-zA-Z0-9](?:[a-zA-Z0-9\-.]*[a-zA-Z0-9])?$/

const FIRST_VERSION_WITH_ZERO = 4

type FeaturesView = Pick<BrokerServices['features'], 'supported' | 'finalized' | 'epoch'>

export interface ApiVersionRange {
  readonly apiKey: number
  readonly minVersion: number
  readonly maxVersion: number
}

/** `apiKeys` are the ranges to list, in the order of the keys. */
export function apiVersionsHandler(
  cluster: ClusterView,
  apiKeys: readonly ApiVersionRange[],
  features: FeaturesView,
): ApiHandler<typeof ApiVersionsRequest, typeof ApiVersionsResponse> {
  return {
    handle(request, { apiVersion }) {
      const errorCode = problemOf(request, apiVersion, cluster)
      if (errorCode !== ErrorCode.NONE) return { errorCode, apiKeys: [] }
      return { errorCode, apiKeys, ...featuresOf(features, apiVersion) }
    },
    fail: (_request, { errorCode }) => ({ errorCode, apiKeys: [] }),
  }
}

function featuresOf(features: FeaturesView, apiVersion: number) {
  return {
    supportedFeatures: features.supported.filter(
      ({ minVersion }) => minVersion > 0 || apiVersion >= FIRST_VERSION_WITH_ZERO,
    ),
    finalizedFeaturesEpoch: BigInt(features.epoch),
    finalizedFeatures: features.finalized().map(({ name, level }) => ({
      name,
      minVersionLevel: level,
      maxVersionLevel: level,
    })),
  }
}

function problemOf(request: ApiVersionsRequest, version: number, cluster: ClusterView): number {
  const { clientSoftwareName, clientSoftwareVersion, clusterId, nodeId } = request
  if (version >= 3) {
    const isValid =
      SOFTWARE_NAME.test(clientSoftwareName) && SOFTWARE_NAME.test(clientSoftwareVersion)
    if (!isValid) return ErrorCode.INVALID_REQUEST
  }
  if (version < 5 || (clusterId === null && nodeId === -1)) return ErrorCode.NONE
  if (clusterId === null || nodeId === -1) return ErrorCode.INVALID_REQUEST
  const isThisBroker = clusterId === cluster.clusterId && nodeId === cluster.nodeId
  return isThisBroker ? ErrorCode.NONE : ErrorCode.REBOOTSTRAP_REQUIRED
}
