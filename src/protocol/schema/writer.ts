/**
 * Writes wire values into one growing Buffer, so that a message is one allocation in the usual case
 * and never a chain of pieces. Values that do not fit their type throw ProtocolError.
 */
import { type Uuid, isUuid, uuidToBytes } from '../../base/uuid.js'
import { ProtocolError } from './protocol-error.js'

const INITIAL_BYTES = 512
const STRING_BYTES_MAX = 0x7fff

export class Writer {
  #buffer: Buffer
  #offset: number

  /**
   * `reservedBytes` are left free at the start, for a size prefix or a header of the caller's own.
   */
  constructor(reservedBytes = 0, initialBytes = INITIAL_BYTES) {
    this.#buffer = Buffer.allocUnsafe(Math.max(initialBytes, reservedBytes))
    this.#offset = reservedBytes
    this.#buffer.fill(0, 0, reservedBytes)
  }

  get offset(): number {
    return this.#offset
  }

  /** The bytes written so far, reserved ones included. The writer must not be used afterwards. */
  finish(): Buffer {
    return this.#buffer.subarray(0, this.#offset)
  }

  bool(value: boolean, field: string): void {
    this.int8(value ? 1 : 0, field)
  }

  int8(value: number, field: string): void {
    requireRange(value, -0x80, 0x7f, field)
    const at = this.#reserve(1)
    this.#buffer[at] = value
  }

  int16(value: number, field: string): void {
    requireRange(value, -0x8000, 0x7fff, field)
    const at = this.#reserve(2)
    this.#buffer.writeInt16BE(value, at)
  }

  uint16(value: number, field: string): void {
    requireRange(value, 0, 0xffff, field)
    const at = this.#reserve(2)
    this.#buffer.writeUInt16BE(value, at)
  }

  int32(value: number, field: string): void {
    requireRange(value, -0x80000000, 0x7fffffff, field)
    const at = this.#reserve(4)
    this.#buffer.writeInt32BE(value, at)
  }

  uint32(value: number, field: string): void {
    requireRange(value, 0, 0xffffffff, field)
    const at = this.#reserve(4)
    this.#buffer.writeUInt32BE(value, at)
  }

  int64(value: bigint, field: string): void {
    if (typeof value !== 'bigint' || BigInt.asIntN(64, value) !== value) refuse(value, field)
    const at = this.#reserve(8)
    this.#buffer.writeBigInt64BE(value, at)
  }

  float64(value: number, field: string): void {
    if (typeof value !== 'number') refuse(value, field)
    const at = this.#reserve(8)
    this.#buffer.writeDoubleBE(value, at)
  }

  uuid(value: Uuid, field: string): void {
    if (typeof value !== 'string' || !isUuid(value)) refuse(value, field)
    const at = this.#reserve(16)
    uuidToBytes(value).copy(this.#buffer, at)
  }

  uvarint(value: number): void {
    let at = this.#reserve(5)
    let rest = value
    while (rest >= 0x80) {
      this.#buffer[at++] = (rest & 0x7f) | 0x80
      rest = Math.floor(rest / 0x80)
    }
    this.#buffer[at++] = rest
    this.#offset = at
  }

  string(value: string | null, compact: boolean, field: string): void {
    if (value === null) return this.#nullLength(compact, 2)
    if (typeof value !== 'string') refuse(value, field)
    const length = Buffer.byteLength(value)
    if (length > STRING_BYTES_MAX) refuse(`a string of ${length} bytes`, field)
    if (compact) this.uvarint(length + 1)
    else this.int16(length, field)
    const at = this.#reserve(length)
    this.#buffer.write(value, at, length, 'utf8')
  }

  bytes(value: Uint8Array | null, compact: boolean, field: string): void {
    if (value === null) return this.#nullLength(compact, 4)
    if (!(value instanceof Uint8Array)) refuse(value, field)
    if (compact) this.uvarint(value.length + 1)
    else this.int32(value.length, field)
    const at = this.#reserve(value.length)
    this.#buffer.set(value, at)
  }

  arrayLength(value: readonly unknown[] | null, compact: boolean, field: string): void {
    if (value === null) return this.#nullLength(compact, 4)
    if (!Array.isArray(value)) refuse(value, field)
    if (compact) this.uvarint(value.length + 1)
    else this.int32(value.length, field)
  }

  /** Starts the content of a tagged field; returns what endTaggedField needs. */
  beginTaggedField(tag: number): number {
    this.uvarint(tag)
    return this.#reserve(1)
  }

  /**
   * Writes the size of the tagged field in front of its content, moving it if the size needs more
   * bytes.
   */
  endTaggedField(sizeOffset: number): void {
    const start = sizeOffset + 1
    const end = this.#offset
    const size = end - start
    this.#offset = sizeOffset
    const sizeBytes = uvarintBytes(size)
    this.#grow(sizeBytes + size + 4)
    if (sizeBytes > 1) this.#buffer.copyWithin(sizeOffset + sizeBytes, start, end)
    this.#writeUvarintAt(size, sizeOffset)
    this.#offset = sizeOffset + sizeBytes + size
  }

  #writeUvarintAt(value: number, offset: number): void {
    let rest = value
    let at = offset
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) {
      this.#buffer[at++] = (rest & 0x7f) | 0x80
    }
    this.#buffer[at] = rest
  }

  #nullLength(compact: boolean, lengthBytes: 2 | 4): void {
    if (compact) return this.uvarint(0)
    const at = this.#reserve(lengthBytes)
    this.#buffer.fill(0xff, at, at + lengthBytes)
  }

  #reserve(length: number): number {
    this.#grow(length)
    const at = this.#offset
    this.#offset = at + length
    return at
  }

  #grow(length: number): void {
    const needed = this.#offset + length
    if (needed <= this.#buffer.length) return
    const larger = Buffer.allocUnsafe(Math.max(needed, this.#buffer.length * 2))
    this.#buffer.copy(larger)
    this.#buffer = larger
  }
}

function uvarintBytes(value: number): number {
  let length = 1
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) length++
  return length
}

function requireRange(value: number, min: number, max: number, field: string): void {
  if (Number.isInteger(value) && value >= min && value <= max) return
  refuse(value, field)
}

function refuse(value: unknown, field: string): never {
  throw new ProtocolError('ERR_PROTOCOL_VALUE', `${field} cannot hold ${String(value)}.`)
}
