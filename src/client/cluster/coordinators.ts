/** Which broker coordinates a group or transactional id; remembered until told otherwise. */
import { ErrorCode } from '../../protocol/error-codes.js'
import {
  FindCoordinatorRequest,
  FindCoordinatorResponse,
} from '../../protocol/messages/find-coordinator.js'
import type { Connection } from '../connection.js'
import { KafkaError, throwIfError } from '../errors.js'
import type { BrokerNode } from './metadata.js'

/** Kafka's key types. */
export const CoordinatorType = { group: 0, transaction: 1 } as const
export type CoordinatorType = keyof typeof CoordinatorType

const FIND_COORDINATOR = { request: FindCoordinatorRequest, response: FindCoordinatorResponse }

/** First version that asks for many keys at once (KIP-699). */
const BATCHED_SINCE = 4

export class Coordinators {
  readonly #known = new Map<string, BrokerNode>()

  known(type: CoordinatorType, key: string): BrokerNode | undefined {
    return this.#known.get(`${type} ${key}`)
  }

  /** After NOT_COORDINATOR, COORDINATOR_NOT_AVAILABLE or a lost connection. */
  forget(type: CoordinatorType, key: string): void {
    this.#known.delete(`${type} ${key}`)
  }

  /** Asks once. Rejects with COORDINATOR_NOT_AVAILABLE and the like. */
  async find(connection: Connection, type: CoordinatorType, key: string): Promise<BrokerNode> {
    const keyType = CoordinatorType[type]
    const answer = await connection.request(FIND_COORDINATOR, version =>
      version >= BATCHED_SINCE ? { keyType, coordinatorKeys: [key] } : { keyType, key },
    )
    const found = answer.coordinators[0] ?? answer
    throwIfError(found.errorCode, `The coordinator of ${type} "${key}"`, found.errorMessage)
    const { nodeId, host, port } = found
    if (nodeId < 0) throw new KafkaError(ErrorCode.COORDINATOR_NOT_AVAILABLE)
    const node = { nodeId, host, port, rack: null }
    this.#known.set(`${type} ${key}`, node)
    return node
  }
}
