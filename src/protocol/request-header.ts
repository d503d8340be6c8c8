/**
 * The headers in front of each body. A request header is v2 (with tagged fields) if the version is
 * flexible, else v1; `clientId` stays a plain nullable string in both. A response header is v1 if
 * flexible, else v0; ApiVersions always answers with v0, since its sender does not know yet what
 * the broker speaks (KIP-511).
 */
import { ApiKey } from './api-keys.js'
import type { RequestSchema, ResponseSchema } from './schema/message.js'
import type { Reader } from './schema/reader.js'
import type { Writer } from './schema/writer.js'

export interface RequestHeader {
  readonly apiKey: number
  readonly apiVersion: number
  readonly correlationId: number
  readonly clientId: string | null
}

const CLIENT_ID = 'RequestHeader.clientId'

/**
 * Reads the part that every request has, whatever its key. The tagged fields of a v2 header follow
 * it; read them with skipTaggedFields once the key has told whether the version is flexible.
 */
export function readRequestHeader(reader: Reader): RequestHeader {
  return {
    apiKey: reader.int16('RequestHeader.requestApiKey'),
    apiVersion: reader.int16('RequestHeader.requestApiVersion'),
    correlationId: reader.int32('RequestHeader.correlationId'),
    clientId: reader.nullableString(false, CLIENT_ID),
  }
}

/** Writes the header of a request of this schema and version. */
export function writeRequestHeader(
  writer: Writer,
  schema: RequestSchema,
  version: number,
  header: Pick<RequestHeader, 'correlationId' | 'clientId'>,
): void {
  writer.int16(schema.apiKey, 'RequestHeader.requestApiKey')
  writer.int16(version, 'RequestHeader.requestApiVersion')
  writer.int32(header.correlationId, 'RequestHeader.correlationId')
  writer.string(header.clientId, false, CLIENT_ID)
  if (version >= schema.flexibleSince) writer.uvarint(0)
}

/** True if the response header of this version ends with tagged fields (header v1). */
export function hasTaggedResponseHeader(schema: ResponseSchema, version: number): boolean {
  return version >= schema.flexibleSince && schema.apiKey !== ApiKey.ApiVersions
}

export function writeResponseHeader(
  writer: Writer,
  schema: ResponseSchema,
  version: number,
  correlationId: number,
): void {
  writer.int32(correlationId, 'ResponseHeader.correlationId')
  if (hasTaggedResponseHeader(schema, version)) writer.uvarint(0)
}

/** Reads the header of a response and returns its correlation id. */
export function readResponseHeader(
  reader: Reader,
  schema: ResponseSchema,
  version: number,
): number {
  const correlationId = reader.int32('ResponseHeader.correlationId')
  if (hasTaggedResponseHeader(schema, version)) skipTaggedFields(reader)
  return correlationId
}

/** Skips a section of tagged fields, none of which is known. */
export function skipTaggedFields(reader: Reader): void {
  for (let left = reader.taggedFieldCount('header'); left > 0; left--) {
    reader.uvarint('header')
    reader.skipTo(reader.taggedFieldEnd('header'))
  }
}
