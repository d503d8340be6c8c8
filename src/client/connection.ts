/**
 * A connection to one broker: ApiVersions first, then any number of requests in flight, each at the newest version
 * both sides know. Brokers answer in request order. A request that times out ends the connection, since what
 * follows on it would come late as well. Failures are KafkaErrors that name the address.
 */
import { messageOf } from '../base/errors.js'
import { decodeResponse, encodeRequest } from '../protocol/codec.js'
import { ErrorCode } from '../protocol/error-codes.js'
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
import { KafkaError, brokerError, networkError, timeoutError } from './errors.js'
import { openTcp } from './transport/tcp.js'
import type { OpenTransport, Transport } from './transport/transport.js'

export interface ConnectionOptions {
  readonly clientId: string
  /** Milliseconds for each request. */
  readonly timeoutMs: number
  /** Milliseconds for connecting; default: `timeoutMs`. */
  readonly connectTimeoutMs?: number
  /** Default: TCP. */
  readonly transport?: OpenTransport
}

/** Both schemas of an API. */
export interface ApiPair<Q extends RequestSchema, S extends ResponseSchema> {
  readonly request: Q
  readonly response: S
}

/** A body, or one that depends on the version that was negotiated. */
export type RequestBody<Q extends RequestSchema> =
  InferInput<Q> | ((version: number) => InferInput<Q>)

interface Pending {
  readonly correlationId: number
  readonly name: string
  readonly deadline: number
  readonly timeoutMs: number
  resolve(frame: Buffer): void
  reject(error: Error): void
}

/** Larger answers are refused: the first four letters of an HTTP answer read as a size are beyond it. */
const RESPONSE_BYTES_MAX = 1024 ** 3

export class Connection {
  readonly address: Address
  readonly #options: ConnectionOptions
  readonly #frames = new FrameDecoder(RESPONSE_BYTES_MAX)
  readonly #pending: Pending[] = []
  #transport: Transport | null = null
  #timer: ReturnType<typeof setTimeout> | undefined
  #failure: KafkaError | null = null
  #correlationId = 0
  #lastUsedMs = performance.now()
  #throttledUntilMs = 0
  #ranges: ReadonlyMap<number, VersionRange> = new Map()

  private constructor(address: Address, options: ConnectionOptions) {
    this.address = address
    this.#options = options
  }

  /** Connects and learns what the broker serves. Rejects ERR_CLIENT_CONNECT or as `request` does. */
  static async open(address: Address, options: ConnectionOptions): Promise<Connection> {
    const connection = new Connection(address, options)
    const events = {
      onData: (bytes: Buffer) => connection.#receive(bytes),
      onClosed: (reason: string) => connection.#fail(connection.#lost(reason)),
    }
    const open = options.transport ?? openTcp
    connection.#transport = await open(
      address,
      events,
      options.connectTimeoutMs ?? options.timeoutMs,
    )
    try {
      await connection.#negotiate()
    } catch (error) {
      connection.close()
      throw error
    }
    return connection
  }

  /** False once it failed or was closed; requests are refused then. */
  get isOpen(): boolean {
    return this.#failure === null
  }

  /** Requests that wait for their answers. */
  get inFlightCount(): number {
    return this.#pending.length
  }

  /** Milliseconds since the last request or answer. */
  get idleMs(): number {
    return this.#pending.length > 0 ? 0 : performance.now() - this.#lastUsedMs
  }

  /** Milliseconds that a quota of the broker still asks to wait before the next request. */
  get throttleMs(): number {
    return Math.max(0, this.#throttledUntilMs - performance.now())
  }

  /**
   * The newest version that the broker serves and the schema knows, at most `limit`; undefined: none.
   */
  versionOf(schema: RequestSchema, limit = Infinity): number | undefined {
    const range = this.#ranges.get(schema.apiKey)
    if (range === undefined) return undefined
    const version = Math.min(range[1], schema.advertised[1], limit)
    return version >= Math.max(range[0], schema.versions[0]) ? version : undefined
  }

  /**
   * Sends a request and resolves with its answer. Rejects with UNSUPPORTED_VERSION, REQUEST_TIMED_OUT or
   * NETWORK_EXCEPTION, or a ProtocolError for a body or an answer that does not fit its schema.
   */
  async request<Q extends RequestSchema, S extends ResponseSchema>(
    { request, response }: ApiPair<Q, S>,
    body: RequestBody<Q>,
    timeoutMs = this.#options.timeoutMs,
    versionMax = Infinity,
  ): Promise<Infer<S>> {
    const version = this.requireVersion(request, versionMax)
    const value = typeof body === 'function' ? body(version) : body
    return this.#call({ request, response }, version, value, timeoutMs)
  }

  /** Sends a request that brokers do not answer (Produce with acks=0). Throws as `request` rejects. */
  sendOneWay<Q extends RequestSchema>(request: Q, body: RequestBody<Q>): void {
    if (this.#failure !== null) throw this.#failure
    const version = this.requireVersion(request)
    const value = typeof body === 'function' ? body(version) : body
    this.#transport!.write([this.#encode(request, version, this.#correlationId++, value)])
  }

  /** As versionOf; throws UNSUPPORTED_VERSION if there is none. */
  requireVersion(request: RequestSchema, versionMax = Infinity): number {
    const version = this.versionOf(request, versionMax)
    if (version !== undefined) return version
    throw new KafkaError(
      ErrorCode.UNSUPPORTED_VERSION,
      `The broker at ${this.#where} does not serve ${request.name} in a version this client knows.`,
      { code: 'ERR_CLIENT_UNSUPPORTED' },
    )
  }

  /** Ends the connection; requests in flight reject with NETWORK_EXCEPTION. */
  close(): void {
    this.#fail(this.#lost('it was closed'))
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
      throw brokerError(answer.errorCode, `${this.#where} refused ApiVersions`)
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
    const frame = this.#encode(request, version, correlationId, body)
    const answer = await this.#exchange(frame, correlationId, request.name, timeoutMs)
    // KIP-511: to a version it does not know, a broker answers with the layout of version 0.
    const isRefusal =
      request.apiKey === ApiVersionsRequest.apiKey &&
      answer.length >= 6 &&
      answer.readInt16BE(4) === ErrorCode.UNSUPPORTED_VERSION
    const decoded = decodeResponse(response, isRefusal ? 0 : version, answer).body
    this.#noteThrottle(decoded)
    return decoded
  }

  #encode<Q extends RequestSchema>(
    request: Q,
    version: number,
    correlationId: number,
    body: InferInput<Q>,
  ): Buffer {
    const header = { correlationId, clientId: this.#options.clientId }
    return sealFrame(encodeRequest(request, version, header, body, SIZE_PREFIX_BYTES))
  }

  /** KIP-219: brokers answer at once and leave the waiting to the client. */
  #noteThrottle(body: object): void {
    const ms = (body as { readonly throttleTimeMs?: number }).throttleTimeMs ?? 0
    if (ms > 0) this.#throttledUntilMs = performance.now() + ms
  }

  #exchange(
    frame: Buffer,
    correlationId: number,
    name: string,
    timeoutMs: number,
  ): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== null) return reject(this.#failure)
      const now = performance.now()
      this.#lastUsedMs = now
      const deadline = now + timeoutMs
      this.#pending.push({ correlationId, name, deadline, timeoutMs, resolve, reject })
      // One timer for all: it is armed for the first deadline it meets and looks again when it fires.
      this.#timer ??= setTimeout(() => this.#checkDeadlines(), timeoutMs)
      this.#transport!.write([frame])
    })
  }

  #checkDeadlines(): void {
    this.#timer = undefined
    const now = performance.now()
    let next = Infinity
    for (const { name, deadline, timeoutMs } of this.#pending) {
      if (deadline <= now) {
        this.#fail(
          timeoutError(
            `${this.#where} did not answer ${name} within ${timeoutMs} ms. ` +
              'Check that a Kafka-compatible broker listens there, in plain text.',
          ),
        )
        return
      }
      next = Math.min(next, deadline)
    }
    if (next < Infinity) this.#timer = setTimeout(() => this.#checkDeadlines(), next - now)
  }

  #receive(bytes: Buffer): void {
    try {
      for (const frame of this.#frames.push(bytes)) this.#answer(frame)
    } catch (error) {
      this.#fail(this.#lost(`what answers there is not a Kafka broker: ${messageOf(error)}`))
    }
  }

  #answer(frame: Buffer): void {
    const pending = this.#pending.shift()
    const correlationId = frame.length >= 4 ? frame.readInt32BE(0) : undefined
    if (pending === undefined || correlationId !== pending.correlationId) {
      const reason = `it answered request ${correlationId} instead of ${pending?.correlationId}`
      if (pending !== undefined) this.#pending.unshift(pending)
      this.#fail(this.#lost(reason))
      return
    }
    this.#lastUsedMs = performance.now()
    if (this.#pending.length === 0) {
      clearTimeout(this.#timer)
      this.#timer = undefined
    }
    pending.resolve(frame)
  }

  #fail(error: KafkaError): void {
    if (this.#failure !== null) return
    this.#failure = error
    clearTimeout(this.#timer)
    this.#transport?.close()
    for (const pending of this.#pending.splice(0)) pending.reject(error)
  }

  #lost(why: string): KafkaError {
    return networkError('ERR_CLIENT_LOST', `The connection to ${this.#where} is lost: ${why}.`)
  }
}
