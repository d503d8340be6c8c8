/**
 * A connection to one broker for tools: ApiVersions first, then one request at a time, each at the newest version
 * both sides know. Failures are BrokerErrors that name the address. Not for producing or consuming.
 */
import { type Socket, connect } from 'node:net'
import { BrokerError, codeOf, messageOf } from '../base/errors.js'
import { decodeResponse, encodeRequest } from '../protocol/codec.js'
import { ErrorCode, errorMessage, errorName } from '../protocol/error-codes.js'
import { FrameDecoder, SIZE_PREFIX_BYTES, sealFrame } from '../protocol/frame.js'
import { ApiVersionsRequest, ApiVersionsResponse } from '../protocol/messages/api-versions.js'
import type {
  Infer,
  InferInput,
  RequestSchema,
  ResponseSchema,
  VersionRange,
} from '../protocol/schema/message.js'
import type { Address } from './bootstrap-servers.js'

export interface ConnectionOptions {
  readonly clientId: string
  /** Milliseconds for connecting and for each request. */
  readonly timeoutMs: number
}

interface Pending {
  resolve(frame: Buffer): void
  reject(error: Error): void
}

/** The versions a request is written for, newest first choice. */
export interface ApiPair<Q extends RequestSchema, S extends ResponseSchema> {
  readonly request: Q
  readonly response: S
}

export class Connection {
  readonly address: Address
  readonly #socket: Socket
  readonly #options: ConnectionOptions
  readonly #frames = new FrameDecoder()
  #pending: Pending | null = null
  #failure: BrokerError | null = null
  #correlationId = 0
  #ranges: ReadonlyMap<number, VersionRange> = new Map()

  private constructor(socket: Socket, address: Address, options: ConnectionOptions) {
    this.#socket = socket
    this.address = address
    this.#options = options
    socket.on('data', bytes => this.#receive(bytes))
    socket.on('error', error => this.#fail(this.#lost(messageOf(error))))
    socket.on('close', () => this.#fail(this.#lost('the broker closed the connection')))
  }

  /** Connects and learns what the broker serves. Rejects ERR_CLIENT_CONNECT or as `request` does. */
  static async open(address: Address, options: ConnectionOptions): Promise<Connection> {
    const socket = await openSocket(address, options.timeoutMs)
    const connection = new Connection(socket, address, options)
    try {
      await connection.#negotiate()
    } catch (error) {
      connection.close()
      throw error
    }
    return connection
  }

  /** The newest version that the broker serves and the schema knows; undefined: none. */
  versionOf(schema: RequestSchema): number | undefined {
    const range = this.#ranges.get(schema.apiKey)
    if (range === undefined) return undefined
    const version = Math.min(range[1], schema.advertised[1])
    return version >= Math.max(range[0], schema.versions[0]) ? version : undefined
  }

  /**
   * Sends a request and resolves with its response; one at a time. `body` may depend on the version. Rejects
   * ERR_CLIENT_UNSUPPORTED, ERR_CLIENT_TIMEOUT, ERR_CLIENT_LOST or a ProtocolError.
   */
  async request<Q extends RequestSchema, S extends ResponseSchema>(
    { request, response }: ApiPair<Q, S>,
    body: InferInput<Q> | ((version: number) => InferInput<Q>),
    timeoutMs = this.#options.timeoutMs,
  ): Promise<Infer<S>> {
    const version = this.versionOf(request)
    if (version === undefined) {
      throw new BrokerError(
        'ERR_CLIENT_UNSUPPORTED',
        `The broker at ${this.#where} does not serve ${request.name} in a version this tool knows.`,
      )
    }
    const value = typeof body === 'function' ? body(version) : body
    return this.#call({ request, response }, version, value, timeoutMs)
  }

  close(): void {
    this.#failure ??= this.#lost('it was closed')
    this.#socket.destroy()
  }

  get #where(): string {
    return `${this.address.host}:${this.address.port}`
  }

  async #negotiate(): Promise<void> {
    const pair = { request: ApiVersionsRequest, response: ApiVersionsResponse }
    const body = { clientSoftwareName: 'millrace', clientSoftwareVersion: '0.1' }
    // Version 3 is understood since Kafka 2.4; older brokers answer 35, and anyone understands 0.
    let answer = await this.#call(pair, 3, body, this.#options.timeoutMs)
    if (answer.errorCode === ErrorCode.UNSUPPORTED_VERSION) {
      answer = await this.#call(pair, 0, {}, this.#options.timeoutMs)
    }
    if (answer.errorCode !== ErrorCode.NONE) {
      throw new BrokerError(
        'ERR_CLIENT_CONNECT',
        `${this.#where} refused ApiVersions: ${errorName(answer.errorCode)}. ` +
          errorMessage(answer.errorCode),
      )
    }
    this.#ranges = new Map(
      answer.apiKeys.map(({ apiKey, minVersion, maxVersion }) => [
        apiKey,
        [minVersion, maxVersion],
      ]),
    )
  }

  async #call<Q extends RequestSchema, S extends ResponseSchema>(
    { request, response }: ApiPair<Q, S>,
    version: number,
    body: InferInput<Q>,
    timeoutMs: number,
  ): Promise<Infer<S>> {
    const correlationId = this.#correlationId++
    const header = { correlationId, clientId: this.#options.clientId }
    const frame = encodeRequest(request, version, header, body, SIZE_PREFIX_BYTES)
    const answer = await this.#exchange(sealFrame(frame), request.name, timeoutMs)
    // KIP-511: to a version it does not know, a broker answers with the layout of version 0.
    const isRefusal =
      request.apiKey === ApiVersionsRequest.apiKey &&
      answer.length >= 6 &&
      answer.readInt16BE(4) === ErrorCode.UNSUPPORTED_VERSION
    const decoded = decodeResponse(response, isRefusal ? 0 : version, answer)
    if (decoded.correlationId === correlationId) return decoded.body
    throw this.#lost(`it answered request ${decoded.correlationId} instead of ${correlationId}`)
  }

  #exchange(frame: Buffer, name: string, timeoutMs: number): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== null) return reject(this.#failure)
      const timer = setTimeout(() => {
        this.#fail(
          new BrokerError(
            'ERR_CLIENT_TIMEOUT',
            `${this.#where} did not answer ${name} within ${timeoutMs} ms. ` +
              'Check that a Kafka-compatible broker listens there, in plain text.',
          ),
        )
        this.#socket.destroy()
      }, timeoutMs)
      this.#pending = {
        resolve: answer => {
          clearTimeout(timer)
          resolve(answer)
        },
        reject: error => {
          clearTimeout(timer)
          reject(error)
        },
      }
      this.#socket.write(frame)
    })
  }

  #receive(bytes: Buffer): void {
    try {
      for (const frame of this.#frames.push(bytes)) {
        const pending = this.#pending
        this.#pending = null
        pending?.resolve(frame)
      }
    } catch (error) {
      this.#fail(this.#lost(`what answers there is not a Kafka broker: ${messageOf(error)}`))
      this.#socket.destroy()
    }
  }

  #fail(error: BrokerError): void {
    this.#failure ??= error
    const pending = this.#pending
    this.#pending = null
    pending?.reject(this.#failure)
  }

  #lost(why: string): BrokerError {
    return new BrokerError('ERR_CLIENT_LOST', `The connection to ${this.#where} is lost: ${why}.`)
  }
}

function openSocket({ host, port }: Address, timeoutMs: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true })
    const refuse = (why: string, cause?: unknown) => {
      socket.destroy()
      reject(
        new BrokerError(
          'ERR_CLIENT_CONNECT',
          `Cannot connect to ${host}:${port}: ${why}. Check the address, and that the broker runs.`,
          { cause },
        ),
      )
    }
    const timer = setTimeout(() => refuse(`no answer within ${timeoutMs} ms`), timeoutMs)
    socket.once('connect', () => {
      clearTimeout(timer)
      socket.removeAllListeners('error')
      resolve(socket)
    })
    socket.once('error', error => {
      clearTimeout(timer)
      refuse(reasonOf(error), error)
    })
  })
}

function reasonOf(error: unknown): string {
  switch (codeOf(error)) {
    case 'ECONNREFUSED':
      return 'nothing listens there (connection refused)'
    case 'ENOTFOUND':
      return 'the host name is not known'
    default:
      return messageOf(error)
  }
}
