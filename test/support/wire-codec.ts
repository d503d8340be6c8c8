/**
 * A second, simple reading of Kafka's wire format for tests that talk to a broker in bytes and may not use the
 * broker's own codecs: messages are tables of lines (wire-messages.ts), interpreted field by field. Decoding is
 * strict: every byte must be used, in exactly the layout of the version.
 */

export type WireValue = any // eslint-disable-line @typescript-eslint/no-explicit-any
export type WireMessage = Record<string, WireValue>

interface WireField {
  name: string
  type: string
  since: number
  until: number
  nullableSince: number
  fields: WireField[]
}

export interface WireApi {
  key: number
  flexibleSince: number
  request: WireField[]
  response: WireField[]
}

const NEVER = 999
const LINE = /^( *)(\w+) (\S+)(?: (\d+)(-(\d+)|\+))?(?: null:(\d+)\+)?$/

/** Lines of `name type versions null:versions`, indented by two spaces below the array they are elements of. */
export function parseFields(text: string): WireField[] {
  const root: WireField[] = []
  const open: WireField[][] = [root]
  for (const line of text.split('\n').filter(each => each.trim() !== '')) {
    const match = LINE.exec(line)
    if (match === null) throw new Error(`not a field: ${line}`)
    const [, indent, name, type, since, range, until, nullable] = match
    const field: WireField = {
      name: name!,
      type: type!,
      since: Number(since ?? 0),
      until: range === undefined || range === '+' ? NEVER : Number(until),
      nullableSince: nullable === undefined ? NEVER : Number(nullable),
      fields: [],
    }
    const depth = indent!.length / 2
    open[depth]!.push(field)
    open.length = depth + 1
    open.push(field.fields)
  }
  return root
}

const FIXED_BYTES: Record<string, number> = { bool: 1, int8: 1, int16: 2, int32: 4, int64: 8 }

export class WireWriter {
  readonly #pieces: Buffer[] = []

  bytes(): Buffer {
    return Buffer.concat(this.#pieces)
  }

  raw(piece: Buffer): void {
    this.#pieces.push(piece)
  }

  int(value: number | bigint, bytes: number): void {
    const piece = Buffer.alloc(8)
    piece.writeBigInt64BE(BigInt(value))
    this.raw(piece.subarray(8 - bytes))
  }

  uvarint(value: number): void {
    const bytes: number[] = []
    let rest = value
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80)
    this.raw(Buffer.from([...bytes, rest]))
  }

  length(value: number | null, compact: boolean, bytes: number): void {
    if (compact) this.uvarint(value === null ? 0 : value + 1)
    else this.int(value ?? -1, bytes)
  }
}

/** The body of a message; fields that are left out are zero, empty, or null where the version allows it. */
export function encodeBody(
  fields: WireField[],
  version: number,
  flexible: boolean,
  body: WireMessage,
): Buffer {
  const writer = new WireWriter()
  writeStruct(writer, fields, version, flexible, body)
  return writer.bytes()
}

function writeStruct(
  writer: WireWriter,
  fields: WireField[],
  version: number,
  flexible: boolean,
  body: WireMessage,
): void {
  for (const field of fields) {
    if (version < field.since || version > field.until) continue
    const given: WireValue = body[field.name]
    const value = given === undefined && version >= field.nullableSince ? null : given
    writeField(writer, field, version, flexible, value)
  }
  if (flexible) writer.uvarint(0)
}

function writeField(
  writer: WireWriter,
  field: WireField,
  version: number,
  flexible: boolean,
  value: WireValue,
): void {
  const { type } = field
  if (FIXED_BYTES[type] !== undefined) {
    writer.int(typeof value === 'boolean' ? Number(value) : (value ?? 0), FIXED_BYTES[type])
  } else if (type === 'uuid') {
    writer.raw(Buffer.from(value ?? '0'.repeat(32), 'hex'))
  } else if (type === 'string' || type === 'records') {
    const bytes = value === null ? null : Buffer.from(value ?? '')
    writer.length(bytes?.length ?? null, flexible, type === 'string' ? 2 : 4)
    if (bytes !== null) writer.raw(bytes)
  } else {
    writeArray(writer, field, version, flexible, value)
  }
}

function writeArray(
  writer: WireWriter,
  field: WireField,
  version: number,
  flexible: boolean,
  value: WireValue,
): void {
  const elements: WireValue[] | null = value === null ? null : (value ?? [])
  writer.length(elements?.length ?? null, flexible, 4)
  const element = { ...field, type: field.type.slice(2), nullableSince: NEVER }
  for (const each of elements ?? []) {
    if (element.type === '') writeStruct(writer, field.fields, version, flexible, each)
    else writeField(writer, element, version, flexible, each)
  }
}

export class WireReader {
  readonly #bytes: Buffer
  #at: number

  constructor(bytes: Buffer, at = 0) {
    this.#bytes = bytes
    this.#at = at
  }

  get left(): number {
    return this.#bytes.length - this.#at
  }

  take(size: number): Buffer {
    if (size < 0 || size > this.left) throw new Error(`${size} bytes wanted, ${this.left} left`)
    this.#at += size
    return this.#bytes.subarray(this.#at - size, this.#at)
  }

  int(bytes: number): bigint {
    const taken = this.take(bytes)
    return bytes === 8 ? taken.readBigInt64BE() : BigInt(taken.readIntBE(0, bytes))
  }

  uvarint(): number {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const byte = this.take(1)[0]!
      value += (byte & 0x7f) * 2 ** shift
      if (byte < 0x80) return value
    }
  }

  length(compact: boolean, bytes: number): number {
    return compact ? this.uvarint() - 1 : Number(this.int(bytes))
  }

  /** Tags are told apart by their numbers only; their contents are skipped. */
  skipTags(): void {
    for (let count = this.uvarint(); count > 0; count--) {
      this.uvarint()
      this.take(this.uvarint())
    }
  }
}

/** Throws unless the body is exactly as long as its fields. */
export function decodeBody(
  fields: WireField[],
  version: number,
  flexible: boolean,
  reader: WireReader,
): WireMessage {
  const body = readStruct(reader, fields, version, flexible)
  if (reader.left > 0) throw new Error(`${reader.left} bytes are left over behind the body`)
  return body
}

function readStruct(
  reader: WireReader,
  fields: WireField[],
  version: number,
  flexible: boolean,
): WireMessage {
  const body: WireMessage = {}
  for (const field of fields) {
    if (version < field.since || version > field.until) continue
    body[field.name] = readField(reader, field, version, flexible)
  }
  if (flexible) reader.skipTags()
  return body
}

function readField(
  reader: WireReader,
  field: WireField,
  version: number,
  flexible: boolean,
): WireValue {
  const { type } = field
  if (type === 'bool') return reader.take(1)[0] !== 0
  if (type === 'int64') return reader.int(8)
  if (FIXED_BYTES[type] !== undefined) return Number(reader.int(FIXED_BYTES[type]))
  if (type === 'uuid') return reader.take(16).toString('hex')
  const text = type === 'string'
  const length = reader.length(flexible, text ? 2 : 4)
  if (length < 0) {
    if (version >= field.nullableSince) return null
    throw new Error(`${field.name} is null in version ${version}`)
  }
  if (text) return reader.take(length).toString()
  if (type === 'records') return Buffer.from(reader.take(length))
  const element = { ...field, type: type.slice(2), nullableSince: NEVER }
  return Array.from({ length }, () =>
    element.type === ''
      ? readStruct(reader, field.fields, version, flexible)
      : readField(reader, element, version, flexible),
  )
}
