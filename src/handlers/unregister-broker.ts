/**
 * UnregisterBroker v0 (KIP-500): forgets a broker that is gone for good. A cluster of one knows only the broker that
 * answers, and that one is in use.
 * Deviation: Kafka unregisters a broker that runs, which then registers again.
 */
import { ErrorCode } from '../protocol/error-codes.js'
import type {
  UnregisterBrokerRequest,
  UnregisterBrokerResponse,
} from '../protocol/messages/unregister-broker.js'
import type { ApiHandler } from './api-handler.js'
import type { ClusterView } from './services.js'

export function unregisterBrokerHandler({
  nodeId,
}: ClusterView): ApiHandler<typeof UnregisterBrokerRequest, typeof UnregisterBrokerResponse> {
  return {
    handle: ({ brokerId }) =>
      brokerId === nodeId
        ? {
            throttleTimeMs: 0,
            errorCode: ErrorCode.INVALID_REQUEST,
            errorMessage: `Broker ${nodeId} is the one that answers; stop it instead.`,
          }
        : {
            throttleTimeMs: 0,
            errorCode: ErrorCode.BROKER_ID_NOT_REGISTERED,
            errorMessage: `Broker ID ${brokerId} is not currently registered`,
          },
    fail: (_request, failure) => ({ throttleTimeMs: 0, ...failure }),
  }
}
