/**
 * InitProducerId v0-v5: a fresh producer id with epoch 0 for idempotent producers (KIP-98). v3 carries the id
 * and epoch of a producer that wants a larger epoch (KIP-360); without a transactional id Kafka answers it
 * with a fresh id too. v6 (KIP-939) is unstable and not advertised, as in Kafka.
 * Deviation: transactional ids are refused with TRANSACTIONAL_ID_AUTHORIZATION_FAILED (53), at which clients
 * fail at once (see find-coordinator.ts); Kafka would initialise the transaction.
 */
import { ErrorCode } from '../protocol/error-codes.js'
import type {
  InitProducerIdRequest,
  InitProducerIdResponse,
} from '../protocol/messages/init-producer-id.js'
import type { ApiHandler } from './api-handler.js'
import type { ProducerIds } from './services.js'

const NO_PRODUCER_ID = -1n
const NO_PRODUCER_EPOCH = -1

export function initProducerIdHandler(
  producerIds: ProducerIds,
): ApiHandler<typeof InitProducerIdRequest, typeof InitProducerIdResponse> {
  return {
    async handle(request) {
      const errorCode = problemOf(request)
      if (errorCode !== ErrorCode.NONE) return refusal(errorCode)
      return {
        throttleTimeMs: 0,
        errorCode: ErrorCode.NONE,
        producerId: await producerIds.next(),
        producerEpoch: 0,
      }
    },
    fail: (_request, { errorCode }) => refusal(errorCode),
  }
}

function problemOf(request: InitProducerIdRequest): number {
  const hasId = request.producerId !== NO_PRODUCER_ID
  const hasEpoch = request.producerEpoch !== NO_PRODUCER_EPOCH
  if (hasId !== hasEpoch) return ErrorCode.INVALID_REQUEST
  if (request.transactionalId === null) return ErrorCode.NONE
  if (request.transactionalId === '') return ErrorCode.INVALID_REQUEST
  return ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED
}

function refusal(errorCode: number) {
  return {
    throttleTimeMs: 0,
    errorCode,
    producerId: NO_PRODUCER_ID,
    producerEpoch: NO_PRODUCER_EPOCH,
  }
}
