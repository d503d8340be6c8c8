/**
 * Turns a schema at one version into code: the source of straight-line reads and writes is emitted,
 * compiled with `new Function` and cached. Nothing is compiled before its first use, so that
 * importing messages costs nothing at start. The sources come from emit-decode.ts and
 * emit-encode.ts; interpret.ts is the reference.
 */
import { isDefault } from './defaults.js'
import { emitDecoder } from './emit-decode.js'
import { emitEncoder } from './emit-encode.js'
import { layoutOf, type StructLayout } from './layout.js'
import type { MessageSchema } from './message.js'
import { refuseUnlessDroppable } from './interpret.js'
import { ProtocolError } from './protocol-error.js'
import { type Reader, refuseNull } from './reader.js'
import type { Writer } from './writer.js'

export interface Codec {
  /** Reads a body; bytes after it stay unread. Throws ProtocolError. */
  decode(reader: Reader): unknown
  /** Writes a body. Throws ProtocolError if a value does not fit its field or the version. */
  encode(writer: Writer, value: unknown): void
}

/** What emitted code may refer to; the names are the parameters of the emitted functions. */
const runtime = { isDefault, refuseUnlessDroppable, refuseNull, EMPTY: Buffer.alloc(0) }

const codecs = new WeakMap<MessageSchema, Map<number, Codec>>()

/** The codec of a message at a version; ERR_PROTOCOL_VERSION outside the schema's range. */
export function codecOf(schema: MessageSchema, version: number): Codec {
  let ofSchema = codecs.get(schema)
  if (ofSchema === undefined) {
    ofSchema = new Map()
    codecs.set(schema, ofSchema)
  }
  let codec = ofSchema.get(version)
  if (codec === undefined) {
    codec = compile(schema, version)
    ofSchema.set(version, codec)
  }
  return codec
}

function compile(schema: MessageSchema, version: number): Codec {
  const [first, last] = schema.versions
  if (!Number.isInteger(version) || version < first || version > last) {
    throw new ProtocolError(
      'ERR_PROTOCOL_VERSION',
      `${schema.name} has no version ${version}; versions ${first} to ${last} exist.`,
    )
  }
  const layout = layoutOf(schema, version)
  return {
    decode: instantiate<Codec['decode']>(emitDecoder(layout), layout),
    encode: instantiate<Codec['encode']>(emitEncoder(layout), layout),
  }
}

/**
 * Source of a function body that returns the entry function, and the objects its `refs` array
 * holds.
 */
export interface EmittedSource {
  readonly source: string
  readonly refs: readonly unknown[]
}

function instantiate<F>(emitted: EmittedSource, layout: StructLayout): F {
  const names = Object.keys(runtime)
  // The source is built from schema literals of this repository only; nothing from the wire reaches
  // it.
  const factory = new Function(
    ...names,
    'refs',
    `'use strict'\n${emitted.source}\n//# sourceURL=codec/${layout.name}-v${layout.version}`,
  ) as (...values: unknown[]) => F
  return factory(...Object.values(runtime), emitted.refs)
}
