/** Zigzag base-128 integers, as used inside record batches: reading within bounds, and writing. */
import { corruptRecord } from './record.js'

const VARINT_BYTES_MAX = 5
const VARLONG_BYTES_MAX = 10

/**
 * Reads a sequence of fields from `buffer`, never beyond `end`. Every failure is
 * ERR_RECORD_CORRUPT.
 */
export class VarintReader {
  readonly buffer: Buffer
  readonly end: number
  position: number

  constructor(buffer: Buffer, position = 0, end = buffer.length) {
    this.buffer = buffer
    this.position = position
    this.end = end
  }

  get remaining(): number {
    return this.end - this.position
  }

  readByte(): number {
    if (this.position >= this.end) {
      throw corruptRecord(`A record ends in the middle of a field, at byte ${this.position}.`)
    }
    return this.buffer[this.position++]!
  }

  readVarint(): number {
    let raw = 0
    for (let index = 0; index < VARINT_BYTES_MAX; index++) {
      const byte = this.readByte()
      raw |= (byte & 0x7f) << (7 * index)
      if (byte < 0x80) return (raw >>> 1) ^ -(raw & 1)
    }
    throw corruptRecord(`A varint before byte ${this.position} has more than 5 bytes.`)
  }

  readVarlong(): bigint {
    const start = this.position
    let low = 0
    for (let index = 0; index < 4; index++) {
      const byte = this.readByte()
      low |= (byte & 0x7f) << (7 * index)
      if (byte < 0x80) return BigInt((low >>> 1) ^ -(low & 1))
    }
    let raw = BigInt(low)
    for (let index = 4; index < VARLONG_BYTES_MAX; index++) {
      const byte = this.readByte()
      raw |= BigInt(byte & 0x7f) << BigInt(7 * index)
      if (byte < 0x80) return zigzagDecode(raw)
    }
    throw corruptRecord(`The varlong at byte ${start} has more than 10 bytes.`)
  }

  /** The next `length` bytes as a view. */
  readBytes(length: number): Buffer {
    if (length < 0 || length > this.remaining) {
      throw corruptRecord(
        `A field at byte ${this.position} says it has ${length} bytes, ` +
          `but ${this.remaining} are left.`,
      )
    }
    const start = this.position
    this.position += length
    return this.buffer.subarray(start, this.position)
  }

  /** A length as varint and that many bytes; a negative length is null. */
  readNullableBytes(): Buffer | null {
    const length = this.readVarint()
    return length < 0 ? null : this.readBytes(length)
  }
}

function zigzagDecode(raw: bigint): bigint {
  const value = BigInt.asUintN(64, raw)
  return BigInt.asIntN(64, (value >> 1n) ^ -(value & 1n))
}

/** Appends `value`, a 32-bit integer, to `target`. */
export function pushVarint(target: number[], value: number): void {
  let raw = ((value << 1) ^ (value >> 31)) >>> 0
  while (raw > 0x7f) {
    target.push((raw & 0x7f) | 0x80)
    raw >>>= 7
  }
  target.push(raw)
}

/** Appends `value`, a 64-bit integer, to `target`. */
export function pushVarlong(target: number[], value: bigint): void {
  let raw = BigInt.asUintN(64, (value << 1n) ^ (value >> 63n))
  while (raw > 0x7fn) {
    target.push(Number(raw & 0x7fn) | 0x80)
    raw >>= 7n
  }
  target.push(Number(raw))
}
