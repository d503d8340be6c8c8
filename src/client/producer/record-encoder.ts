/**
 * Writes records of magic 2 straight into a batch's buffer: no object per record, no piece to join. The layout is
 * that of records/record-batch-builder.ts:
 *
 *   length varint | attributes i8 = 0 | timestampDelta varlong | offsetDelta varint
 *   | key length varint, key | value length varint, value | header count varint, headers
 */
import { pushVarlong } from '../../records/varint.js'

/** A key, value or header value: text is written as UTF-8. */
export type Bytes = string | Uint8Array

/** Header names and values; an array of pairs where a name comes more than once. */
export type HeadersInput =
  Readonly<Record<string, Bytes | null>> | readonly (readonly [name: string, value: Bytes | null])[]

export type HeaderList = readonly (readonly [name: Uint8Array, value: Uint8Array | null])[]

const NO_HEADERS: HeaderList = []

/** Headers as bytes, in order. */
export function headerList(headers: HeadersInput | undefined): HeaderList {
  if (headers === undefined) return NO_HEADERS
  const pairs = Array.isArray(headers)
    ? (headers as readonly (readonly [string, Bytes | null])[])
    : Object.entries(headers as Readonly<Record<string, Bytes | null>>)
  return pairs.map(([name, value]) => [Buffer.from(name, 'utf8'), toBytes(value)] as const)
}

/** Text as UTF-8; bytes as they are. */
export function toBytes(value: Bytes | null | undefined): Uint8Array | null {
  if (value === null || value === undefined) return null
  return typeof value === 'string' ? Buffer.from(value, 'utf8') : value
}

/** Bytes of a varint of a 32-bit integer. */
export function varintSize(value: number): number {
  const raw = ((value << 1) ^ (value >> 31)) >>> 0
  if (raw < 0x80) return 1
  if (raw < 0x4000) return 2
  if (raw < 0x200000) return 3
  return raw < 0x10000000 ? 4 : 5
}

/** Bytes of a record after its length prefix. */
export function recordBodySize(
  timestampDelta: number,
  offsetDelta: number,
  key: Uint8Array | null,
  value: Uint8Array | null,
  headers: HeaderList,
): number {
  let size = 1 + varlongSize(timestampDelta) + varintSize(offsetDelta)
  size += key === null ? 1 : varintSize(key.length) + key.length
  size += value === null ? 1 : varintSize(value.length) + value.length
  size += varintSize(headers.length)
  for (const [name, content] of headers) {
    size += varintSize(name.length) + name.length
    size += content === null ? 1 : varintSize(content.length) + content.length
  }
  return size
}

/** Writes a record whose body size is known; returns the position behind it. There must be room. */
export function writeRecord(
  target: Uint8Array,
  start: number,
  bodySize: number,
  timestampDelta: number,
  offsetDelta: number,
  key: Uint8Array | null,
  value: Uint8Array | null,
  headers: HeaderList,
): number {
  let at = writeVarint(target, start, bodySize)
  target[at++] = 0
  at = writeVarlong(target, at, timestampDelta)
  at = writeVarint(target, at, offsetDelta)
  at = writeBytes(target, at, key)
  at = writeBytes(target, at, value)
  at = writeVarint(target, at, headers.length)
  for (const [name, content] of headers) {
    at = writeBytes(target, at, name)
    at = writeBytes(target, at, content)
  }
  return at
}

function writeBytes(target: Uint8Array, start: number, bytes: Uint8Array | null): number {
  if (bytes === null) {
    target[start] = 1 // The varint of -1.
    return start + 1
  }
  const at = writeVarint(target, start, bytes.length)
  target.set(bytes, at)
  return at + bytes.length
}

function writeVarint(target: Uint8Array, start: number, value: number): number {
  let raw = ((value << 1) ^ (value >> 31)) >>> 0
  let at = start
  while (raw > 0x7f) {
    target[at++] = (raw & 0x7f) | 0x80
    raw >>>= 7
  }
  target[at++] = raw
  return at
}

/** Timestamps of one batch mostly lie within 2^30 ms of each other; beyond that the slow way is right. */
function isSmall(value: number): boolean {
  return value > -0x40000000 && value < 0x40000000
}

function varlongSize(value: number): number {
  return isSmall(value) ? varintSize(value) : slowVarlong(value).length
}

function writeVarlong(target: Uint8Array, start: number, value: number): number {
  if (isSmall(value)) return writeVarint(target, start, value)
  const bytes = slowVarlong(value)
  target.set(bytes, start)
  return start + bytes.length
}

function slowVarlong(value: number): number[] {
  const bytes: number[] = []
  pushVarlong(bytes, BigInt(value))
  return bytes
}
