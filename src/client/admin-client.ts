/**
 * What the tools need of a cluster: a connection to the first bootstrap server that answers, and typed calls on it.
 * Neighbour: connection.ts, which speaks with one broker.
 */
import { BrokerError } from '../base/errors.js'
import type {
  Infer,
  InferInput,
  RequestSchema,
  ResponseSchema,
} from '../protocol/schema/message.js'
import { parseBootstrapServers } from './bootstrap-servers.js'
import { type ApiPair, Connection, type ConnectionOptions } from './connection.js'

export class AdminClient {
  readonly #connection: Connection

  private constructor(connection: Connection) {
    this.#connection = connection
  }

  /** Tries the servers in turn. Rejects with the last failure, or ERR_CLIENT_ADDRESS. */
  static async connect(bootstrapServers: string, options: ConnectionOptions): Promise<AdminClient> {
    let failure: unknown
    for (const address of parseBootstrapServers(bootstrapServers)) {
      try {
        return new AdminClient(await Connection.open(address, options))
      } catch (error) {
        if (!(error instanceof BrokerError)) throw error
        failure = error
      }
    }
    throw failure
  }

  /** True if the broker serves the API in a version this client knows. */
  serves(request: RequestSchema): boolean {
    return this.#connection.versionOf(request) !== undefined
  }

  /** As Connection.request. */
  request<Q extends RequestSchema, S extends ResponseSchema>(
    api: ApiPair<Q, S>,
    body: InferInput<Q> | ((version: number) => InferInput<Q>),
    timeoutMs?: number,
  ): Promise<Infer<S>> {
    return this.#connection.request(api, body, timeoutMs)
  }

  close(): void {
    this.#connection.close()
  }
}
