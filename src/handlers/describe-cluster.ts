/**
 * DescribeCluster v0-v2: cluster id, controller and brokers, each by the listener the request came in by.
 * v1 endpoint type (KIP-919): this broker describes brokers only; asked for controllers it answers 114, for
 * anything else 115, as Kafka's broker listeners do. v2 fenced brokers (KIP-1073).
 */
import { ErrorCode } from '../protocol/error-codes.js'
import type {
  DescribeClusterRequest,
  DescribeClusterResponse,
} from '../protocol/messages/describe-cluster.js'
import type { ApiHandler } from './api-handler.js'
import { CLUSTER_OPERATIONS, OPERATIONS_NOT_ASKED } from './authorized-operations.js'
import type { ClusterView } from './services.js'

const ENDPOINT_TYPE_BROKER = 1
const ENDPOINT_TYPE_CONTROLLER = 2

export function describeClusterHandler(
  cluster: ClusterView,
): ApiHandler<typeof DescribeClusterRequest, typeof DescribeClusterResponse> {
  return {
    handle(request, { listenerName }) {
      if (request.endpointType !== ENDPOINT_TYPE_BROKER)
        return wrongEndpointType(request.endpointType)
      const brokers = cluster
        .brokers(listenerName)
        .filter(({ isFenced }) => request.includeFencedBrokers || !isFenced)
      return {
        throttleTimeMs: 0,
        errorCode: ErrorCode.NONE,
        endpointType: ENDPOINT_TYPE_BROKER,
        clusterId: cluster.clusterId,
        controllerId: cluster.controllerId,
        brokers: brokers.map(({ nodeId, ...broker }) => ({ brokerId: nodeId, ...broker })),
        clusterAuthorizedOperations: request.includeClusterAuthorizedOperations
          ? CLUSTER_OPERATIONS
          : OPERATIONS_NOT_ASKED,
      }
    },
    fail: (_request, failure) => emptyResponse(failure.errorCode, failure.errorMessage),
  }
}

function wrongEndpointType(endpointType: number) {
  if (endpointType !== ENDPOINT_TYPE_CONTROLLER) {
    return emptyResponse(
      ErrorCode.UNSUPPORTED_ENDPOINT_TYPE,
      `Unsupported endpoint type ${endpointType}`,
    )
  }
  return emptyResponse(
    ErrorCode.MISMATCHED_ENDPOINT_TYPE,
    'The request was sent to an endpoint of type BROKER, but we wanted an endpoint of type CONTROLLER',
  )
}

function emptyResponse(errorCode: number, errorMessage: string | null) {
  return { throttleTimeMs: 0, errorCode, errorMessage, clusterId: '', brokers: [] }
}
