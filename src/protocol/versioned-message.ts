/** Messages behind their own version as an int16: the metadata of group members, the records of coordinators. */
import { decodeMessage, encodeMessage } from './codec.js'
import type { Infer, InferInput, MessageSchema } from './schema/message.js'
import { ProtocolError } from './schema/protocol-error.js'

const VERSION_BYTES = 2

/** The version and the message. */
export function encodeVersioned<S extends MessageSchema>(
  schema: S,
  version: number,
  body: InferInput<S>,
): Buffer {
  const message = encodeMessage(schema, version, body)
  const bytes = Buffer.allocUnsafe(VERSION_BYTES + message.length)
  bytes.writeInt16BE(version)
  message.copy(bytes, VERSION_BYTES)
  return bytes
}

/** Reads what any version wrote: a newer one starts with the fields of the newest known. Throws ProtocolError. */
export function decodeVersioned<S extends MessageSchema>(schema: S, bytes: Buffer): Infer<S> {
  if (bytes.length < VERSION_BYTES) {
    throw new ProtocolError('ERR_PROTOCOL_TRUNCATED', `${schema.name} ends before its version.`)
  }
  const version = bytes.readInt16BE()
  if (version < schema.versions[0]) {
    throw new ProtocolError('ERR_PROTOCOL_VERSION', `${schema.name} has no version ${version}.`)
  }
  return decodeMessage(schema, Math.min(version, schema.versions[1]), bytes, VERSION_BYTES)
}
