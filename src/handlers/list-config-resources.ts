/**
 * ListConfigResources v0-v1 (KIP-1142): what has, or can have, settings. v0 lists client metrics subscriptions only;
 * v1 any kinds, all of them when it names none. A kind that Kafka does not know fails the request with 35.
 */
import { RESOURCE_TYPE } from '../metadata/config-admin.js'
import { ErrorCode } from '../protocol/error-codes.js'
import type {
  ListConfigResourcesRequest,
  ListConfigResourcesResponse,
} from '../protocol/messages/list-config-resources.js'
import type { ApiHandler } from './api-handler.js'
import type { BrokerServices } from './services.js'

const ALL: readonly number[] = [
  RESOURCE_TYPE.group,
  RESOURCE_TYPE.clientMetrics,
  RESOURCE_TYPE.brokerLogger,
  RESOURCE_TYPE.broker,
  RESOURCE_TYPE.topic,
]

export function listConfigResourcesHandler({
  cluster,
  configs,
  topics,
}: Pick<BrokerServices, 'cluster' | 'configs' | 'topics'>): ApiHandler<
  typeof ListConfigResourcesRequest,
  typeof ListConfigResourcesResponse
> {
  const namesOf = (type: number): readonly string[] => {
    switch (type) {
      case RESOURCE_TYPE.topic:
        return topics.topicNames()
      case RESOURCE_TYPE.clientMetrics:
        return configs.entityNames('client-metrics')
      case RESOURCE_TYPE.group:
        return configs.entityNames('groups')
      default:
        return [String(cluster.nodeId)]
    }
  }
  return {
    handle({ resourceTypes }, { apiVersion }) {
      if (resourceTypes.some(type => !ALL.includes(type))) {
        return answer(ErrorCode.UNSUPPORTED_VERSION)
      }
      const anyway = apiVersion === 0 ? [RESOURCE_TYPE.clientMetrics] : ALL
      const wanted = resourceTypes.length === 0 ? anyway : new Set(resourceTypes)
      const listed = ALL.filter(type => [...wanted].includes(type)).flatMap(resourceType =>
        namesOf(resourceType).map(resourceName => ({ resourceType, resourceName })),
      )
      return answer(ErrorCode.NONE, listed)
    },
    fail: (_request, { errorCode }) => answer(errorCode),
  }
}

function answer(
  errorCode: number,
  configResources: { resourceType: number; resourceName: string }[] = [],
) {
  return { throttleTimeMs: 0, errorCode, configResources }
}
