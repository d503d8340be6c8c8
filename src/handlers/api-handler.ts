/**
 * What an API handler is: a pair of schemas and a function from request to response. Handlers never see a
 * socket; server/request-pipeline.ts decodes for them and encodes what they return. registry.ts lists them.
 */
import type {
  Infer,
  InferInput,
  RequestSchema,
  ResponseSchema,
} from '../protocol/schema/message.js'

/** What a handler knows of a request besides its body. */
export interface RequestContext {
  readonly apiVersion: number
  readonly correlationId: number
  readonly clientId: string | null
  /** The name of the listener that the request came in by. */
  readonly listenerName: string
  /** Address and port of the client. */
  readonly peer: string
}

/** One error for all of a request, as Kafka's `getErrorResponse` takes it. */
export interface RequestFailure {
  readonly errorCode: number
  readonly errorMessage: string | null
}

export interface ApiHandler<Q extends RequestSchema, S extends ResponseSchema> {
  /**
   * Answers a request. Expected failures are error codes in the response; a throw or rejection is a bug and
   * is answered with `fail` and UNKNOWN_SERVER_ERROR.
   */
  handle(request: Infer<Q>, context: RequestContext): InferInput<S> | Promise<InferInput<S>>

  /** The response that says that everything in the request failed. Must not throw. */
  fail(request: Infer<Q>, failure: RequestFailure, context: RequestContext): InferInput<S>
}
