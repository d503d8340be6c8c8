/**
 * Whole messages from and to bytes; what handlers, server and client use. Codecs are compiled at
 * the first use of a version (schema/compile.ts). All functions throw ProtocolError and nothing
 * else on bad input.
 */
import {
  type RequestHeader,
  readRequestHeader,
  readResponseHeader,
  skipTaggedFields,
  writeRequestHeader,
  writeResponseHeader,
} from './request-header.js'
import { codecOf } from './schema/compile.js'
import type {
  Infer,
  InferInput,
  MessageSchema,
  RequestSchema,
  ResponseSchema,
} from './schema/message.js'
import { Reader, decodeBudget } from './schema/reader.js'
import { Writer } from './schema/writer.js'

/**
 * Reads the body of a request (or of any message) that starts at `offset`, after the header. Bytes
 * after the body are ignored, as Kafka does. `budget` is the approximate heap bytes it may cost;
 * the default grows with the frame. `bytes` and `records` fields are views into `buffer`.
 */
export function decodeRequest<S extends MessageSchema>(
  schema: S,
  version: number,
  buffer: Buffer,
  offset = 0,
  budget = decodeBudget(buffer.length - offset),
): Infer<S> {
  const reader = new Reader(buffer, offset, budget)
  return codecOf(schema, version).decode(reader) as Infer<S>
}

/**
 * The frame of a response: header (v0 or v1 as the version asks) and body, WITHOUT the 4-byte size.
 * `reservedBytes` are left zero in front, so that a caller can put a size or header of its own
 * there.
 */
export function encodeResponse<S extends ResponseSchema>(
  schema: S,
  version: number,
  correlationId: number,
  body: InferInput<S>,
  reservedBytes = 0,
): Buffer {
  const codec = codecOf(schema, version)
  const writer = new Writer(reservedBytes)
  writeResponseHeader(writer, schema, version, correlationId)
  codec.encode(writer, body)
  return writer.finish()
}

/**
 * The frame of a request: header and body, WITHOUT the 4-byte size; with `reservedBytes` of
 * SIZE_PREFIX_BYTES, sealFrame (frame.ts) fills the size in.
 */
export function encodeRequest<S extends RequestSchema>(
  schema: S,
  version: number,
  header: Pick<RequestHeader, 'correlationId' | 'clientId'>,
  body: InferInput<S>,
  reservedBytes = 0,
): Buffer {
  const codec = codecOf(schema, version)
  const writer = new Writer(reservedBytes)
  writeRequestHeader(writer, schema, version, header)
  codec.encode(writer, body)
  return writer.finish()
}

export interface DecodedResponse<S extends ResponseSchema> {
  readonly correlationId: number
  readonly body: Infer<S>
}

/** Reads the frame of a response (without its size): header and body. */
export function decodeResponse<S extends ResponseSchema>(
  schema: S,
  version: number,
  buffer: Buffer,
  offset = 0,
): DecodedResponse<S> {
  const reader = new Reader(buffer, offset)
  const correlationId = readResponseHeader(reader, schema, version)
  return { correlationId, body: codecOf(schema, version).decode(reader) as Infer<S> }
}

export interface RequestStart {
  readonly header: RequestHeader
  /** Where the body starts. */
  readonly bodyOffset: number
}

/**
 * Reads the header of a request frame (without its size). `flexibleSince` tells the first flexible
 * version of a key, `Infinity` if it has none or is not known; from it on the header ends with
 * tagged fields.
 */
export function decodeRequestHeader(
  buffer: Buffer,
  flexibleSince: (apiKey: number) => number,
  offset = 0,
): RequestStart {
  const reader = new Reader(buffer, offset)
  const header = readRequestHeader(reader)
  if (header.apiVersion >= flexibleSince(header.apiKey)) skipTaggedFields(reader)
  return { header, bodyOffset: reader.offset }
}

/** The body alone, for messages that live outside the request protocol. */
export function encodeMessage<S extends MessageSchema>(
  schema: S,
  version: number,
  value: InferInput<S>,
): Buffer {
  const writer = new Writer()
  codecOf(schema, version).encode(writer, value)
  return writer.finish()
}

/** Reads a message that lives outside the request protocol; the counterpart of encodeMessage. */
export function decodeMessage<S extends MessageSchema>(
  schema: S,
  version: number,
  buffer: Buffer,
  offset = 0,
): Infer<S> {
  return decodeRequest(schema, version, buffer, offset)
}
