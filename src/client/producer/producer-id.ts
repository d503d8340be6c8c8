/** The producer id that idempotence needs: asked for once, and again when the epochs of one are used up. */
import {
  InitProducerIdRequest,
  InitProducerIdResponse,
} from '../../protocol/messages/init-producer-id.js'
import type { Cluster } from '../cluster/cluster.js'
import { throwIfError } from '../errors.js'

const INIT_PRODUCER_ID = { request: InitProducerIdRequest, response: InitProducerIdResponse }

export interface ProducerIdentity {
  readonly producerId: bigint
  readonly producerEpoch: number
}

/** Asks any broker, with retries. Rejects with CLUSTER_AUTHORIZATION_FAILED and other final errors. */
export function initProducerId(cluster: Cluster, timeoutMs: number): Promise<ProducerIdentity> {
  return cluster.retrying(
    'Asking for a producer id',
    async () => {
      const connection = await cluster.any()
      const answer = await connection.request(INIT_PRODUCER_ID, {
        transactionalId: null,
        transactionTimeoutMs: 0x7fffffff,
        producerId: -1n,
        producerEpoch: -1,
      })
      throwIfError(answer.errorCode, 'Asking for a producer id')
      return { producerId: answer.producerId, producerEpoch: answer.producerEpoch }
    },
    { timeoutMs },
  )
}
