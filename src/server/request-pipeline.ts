/**
 * The way of a control request: taken from the data plane, decoded within a memory budget, handled, encoded,
 * given back. What does not parse, an unknown API and a version out of range close the connection, as in
 * Kafka; only ApiVersions answers an unknown version (KIP-511). Neighbours: connection-queues.ts keeps the
 * order, handlers/registry.ts says what is served.
 */
import { messageOf } from '../base/errors.js'
import type { Clock } from '../base/clock.js'
import type { ControlRequest } from '../binding/native-addon.js'
import type { RequestContext, RequestFailure, ServedApi } from '../handlers/registry.js'
import type { Logger } from '../observability/logger.js'
import type { RequestQuota } from '../quotas/request-quota.js'
import { ANONYMOUS } from '../quotas/client-quota.js'
import { ApiKey, isApiKey, apiName } from '../protocol/api-keys.js'
import { decodeRequest, decodeRequestHeader, encodeResponse } from '../protocol/codec.js'
import { ErrorCode } from '../protocol/error-codes.js'
import type { RequestHeader } from '../protocol/request-header.js'
import { ConnectionQueues } from './connection-queues.js'
import type { ControlPort } from './control-port.js'

/** How long requests are handled in one turn of the event loop before timers and I/O get theirs. */
const TURN_MS_MAX = 5

export interface RequestPipelineParts {
  readonly port: ControlPort
  /** The served APIs by key. Those the data plane serves never arrive here. */
  readonly apis: ReadonlyMap<number, ServedApi>
  /** Listener names by the numbers given to the data plane. */
  readonly listenerNames: readonly string[]
  readonly log: Logger
  readonly clock: Clock
  /** Null: nothing limits the time that clients take. */
  readonly requestQuota: Pick<RequestQuota, 'record'> | null
}

export class RequestPipeline {
  readonly #parts: RequestPipelineParts
  readonly #queues: ConnectionQueues<ControlRequest>
  #taken: ControlRequest[] = []
  #pumping = false
  #idle: (() => void)[] = []

  constructor(parts: RequestPipelineParts) {
    this.#parts = parts
    this.#queues = new ConnectionQueues(request => this.#run(request))
  }

  /** Requests wait in the data plane. Called on its event; handles them in turns of a few milliseconds. */
  wake(): void {
    if (this.#pumping) return
    this.#pumping = true
    this.#pump()
  }

  /** A connection is gone: what it still has waiting is dropped. */
  connectionClosed(connection: bigint): void {
    this.#queues.forget(connection)
  }

  /** Settles when no request is in work. New ones may arrive meanwhile if the data plane still reads. */
  whenIdle(): Promise<void> {
    return new Promise(resolve => {
      this.#idle.push(resolve)
      this.#settleIfIdle()
    })
  }

  #pump(): void {
    const { port, clock } = this.#parts
    const start = clock.monotonicMs()
    for (;;) {
      if (this.#taken.length === 0) this.#taken = port.take().reverse()
      const request = this.#taken.pop()
      if (request === undefined) break
      this.#queues.push(request.connection, request)
      if (clock.monotonicMs() - start < TURN_MS_MAX) continue
      setImmediate(() => this.#pump())
      return
    }
    this.#pumping = false
    this.#settleIfIdle()
  }

  #settleIfIdle(): void {
    if (this.#pumping || this.#queues.busyConnections > 0) return
    for (const resolve of this.#idle.splice(0)) resolve()
  }

  /** Undefined when the request was answered at once. */
  #run(request: ControlRequest): Promise<void> | undefined {
    const startMs = this.#parts.clock.monotonicMs()
    const call = this.#decode(request)
    if (call === null) return undefined
    const spent = () => this.#parts.clock.monotonicMs() - startMs
    let answer: unknown
    try {
      answer = call.api.instance.handle(call.body, call.context)
    } catch (thrown) {
      this.#answerFailure(call, thrown)
      return undefined
    }
    if (!(answer instanceof Promise)) {
      this.#answer(call, answer, spent())
      return undefined
    }
    const spentMs = spent()
    return answer.then(
      body => this.#finish(() => this.#answer(call, body, spentMs)),
      (thrown: unknown) => this.#finish(() => this.#answerFailure(call, thrown)),
    )
  }

  #finish(answer: () => void): void {
    answer()
    // The queue counts this request until its promise has settled.
    if (this.#idle.length > 0) setImmediate(() => this.#settleIfIdle())
  }

  /** Null: the request was answered or its connection closed. */
  #decode(request: ControlRequest): Call | null {
    try {
      const { header, bodyOffset } = decodeRequestHeader(request.frame, key =>
        this.#flexibleSince(key),
      )
      const api = this.#apiOf(request, header)
      if (api === null) return null
      const body = decodeRequest(api.request, header.apiVersion, request.frame, bodyOffset)
      return { request, api, body, context: this.#contextOf(request, header) }
    } catch (thrown) {
      this.#close(request, `The request is malformed: ${messageOf(thrown)}`)
      return null
    }
  }

  #flexibleSince(apiKey: number): number {
    return this.#parts.apis.get(apiKey)?.request.flexibleSince ?? Infinity
  }

  #apiOf(request: ControlRequest, { apiKey, apiVersion, correlationId }: RequestHeader) {
    const api = this.#parts.apis.get(apiKey)
    if (api === undefined) {
      const name = isApiKey(apiKey) ? `${apiName(apiKey)} (${apiKey})` : `API key ${apiKey}`
      this.#close(request, `${name} is not served by this broker.`)
      return null
    }
    const [first, last] = api.served
    if (apiVersion >= first && apiVersion <= last) return api
    if (apiKey === ApiKey.ApiVersions) {
      this.#parts.port.respond(
        request,
        encodeResponse(api.response, 0, correlationId, {
          errorCode: ErrorCode.UNSUPPORTED_VERSION,
          apiKeys: [{ apiKey, minVersion: api.advertised[0], maxVersion: api.advertised[1] }],
        }),
      )
      return null
    }
    this.#close(
      request,
      `${api.name} version ${apiVersion} is not supported; versions ${first} to ${last} are.`,
    )
    return null
  }

  #contextOf(request: ControlRequest, header: RequestHeader): RequestContext {
    return {
      apiVersion: header.apiVersion,
      correlationId: header.correlationId,
      clientId: header.clientId,
      listenerName: this.#parts.listenerNames[request.listener] ?? '',
      peer: request.peer,
    }
  }

  /** `spentMs`: how long the event loop worked for the request. */
  #answer(call: Call, body: unknown, spentMs: number): void {
    const { api, context, request } = call
    const { throttled, throttleMs } = this.#throttle(call, body, spentMs)
    let frame: Buffer
    try {
      const { apiVersion, correlationId } = context
      frame = encodeResponse(api.response, apiVersion, correlationId, throttled as never)
    } catch (thrown) {
      this.#answerFailure(call, thrown)
      return
    }
    this.#parts.port.respond(request, frame, throttleMs)
  }

  /** Holds the client off for as long as the handler said, or its share of time wants, whichever is longer. */
  #throttle({ context }: Call, body: unknown, spentMs: number) {
    const said = (body as { throttleTimeMs?: number }).throttleTimeMs
    const overuse =
      this.#parts.requestQuota?.record(ANONYMOUS, context.clientId ?? '', spentMs) ?? 0
    const throttleMs = Math.max(said ?? 0, overuse)
    const changes = said !== undefined && throttleMs > said
    return {
      throttleMs,
      throttled: changes ? { ...(body as object), throttleTimeMs: throttleMs } : body,
    }
  }

  #answerFailure(call: Call, thrown: unknown): void {
    const { api, body, context, request } = call
    this.#parts.log.error(`${api.name} failed inside the broker: ${messageOf(thrown)}`, {
      api: api.name,
      version: context.apiVersion,
      correlationId: context.correlationId,
      err: thrown,
    })
    const failure: RequestFailure = {
      errorCode: ErrorCode.UNKNOWN_SERVER_ERROR,
      errorMessage: null,
    }
    try {
      const answer = api.instance.fail(body, failure, context)
      const { apiVersion, correlationId } = context
      this.#parts.port.respond(
        request,
        encodeResponse(api.response, apiVersion, correlationId, answer as never),
      )
    } catch (second) {
      this.#close(request, `${api.name} could not be answered: ${messageOf(second)}`)
    }
  }

  #close(request: ControlRequest, reason: string): void {
    this.#parts.log.warn(`Closing a connection. ${reason}`, { peer: request.peer })
    this.#parts.port.close(request, reason)
  }
}

interface Call {
  readonly request: ControlRequest
  readonly api: ServedApi
  readonly body: unknown
  readonly context: RequestContext
}
