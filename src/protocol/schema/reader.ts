/**
 * Reads wire values from a frame. Every read is checked against the bytes present; every length and
 * count is checked before anything is allocated for it, and what is allocated is charged to a
 * budget, so that no number in a frame costs more than a small multiple of the frame. Throws
 * ProtocolError, nothing else.
 */
import { type Uuid, uuidFromBytes } from '../../base/uuid.js'
import { ProtocolError } from './protocol-error.js'

/**
 * Approximate heap bytes of an object, array or string without its content, as charged to the
 * budget.
 */
export const OBJECT_COST = 16
/**
 * A Buffer view is the dearest of small values: the object, its slots, its share of the backing
 * store.
 */
const BYTES_VIEW_COST = 96
const EMPTY = Buffer.alloc(0)

const BUDGET_PER_FRAME_BYTE = 32
const BUDGET_CONSTANT = 64 * 1024
const TAGGED_FIELDS_MAX = 4096
const STRING_BYTES_MAX = 0x7fff

/** The default budget for a frame, in approximate heap bytes. */
export function decodeBudget(frameBytes: number): number {
  return BUDGET_CONSTANT + frameBytes * BUDGET_PER_FRAME_BYTE
}

export class Reader {
  readonly #buffer: Buffer
  readonly #end: number
  #offset: number
  #budget: number

  constructor(buffer: Buffer, offset = 0, budget = decodeBudget(buffer.length - offset)) {
    this.#buffer = buffer
    this.#offset = offset
    this.#end = buffer.length
    this.#budget = budget
  }

  get offset(): number {
    return this.#offset
  }

  get remaining(): number {
    return this.#end - this.#offset
  }

  /** Takes `cost` approximate heap bytes from the budget. */
  charge(cost: number, field: string): void {
    this.#budget -= cost
    if (this.#budget < 0) {
      throw new ProtocolError(
        'ERR_PROTOCOL_BUDGET',
        `Reading ${field} would take more memory than a frame of ${this.#end} bytes may cost.`,
      )
    }
  }

  bool(field: string): boolean {
    return this.int8(field) !== 0
  }

  int8(field: string): number {
    return this.#buffer.readInt8(this.#advance(1, field))
  }

  int16(field: string): number {
    return this.#buffer.readInt16BE(this.#advance(2, field))
  }

  uint16(field: string): number {
    return this.#buffer.readUInt16BE(this.#advance(2, field))
  }

  int32(field: string): number {
    return this.#buffer.readInt32BE(this.#advance(4, field))
  }

  uint32(field: string): number {
    return this.#buffer.readUInt32BE(this.#advance(4, field))
  }

  int64(field: string): bigint {
    return this.#buffer.readBigInt64BE(this.#advance(8, field))
  }

  float64(field: string): number {
    return this.#buffer.readDoubleBE(this.#advance(8, field))
  }

  uuid(field: string): Uuid {
    const start = this.#advance(16, field)
    return uuidFromBytes(this.#buffer.subarray(start, start + 16))
  }

  /** An unsigned varint of at most 32 bits. */
  uvarint(field: string): number {
    let value = 0
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.#buffer[this.#advance(1, field)]!
      if (shift === 28 && byte > 0x0f) break
      value += (byte & 0x7f) * 2 ** shift
      if (byte < 0x80) return value
    }
    throw new ProtocolError(
      'ERR_PROTOCOL_LENGTH',
      `${field} holds a varint of more than 32 bits; the frame is not a Kafka message.`,
    )
  }

  /**
   * A string; null if its length is negative (compact: zero). Above 32,767 bytes it is refused, as in
   * Kafka: the compact form could hold more, but no message in the older form could repeat it.
   */
  nullableString(compact: boolean, field: string): string | null {
    const length = compact ? this.uvarint(field) - 1 : this.int16(field)
    if (length < 0) return null
    if (length > STRING_BYTES_MAX) {
      throw new ProtocolError(
        'ERR_PROTOCOL_LENGTH',
        `${field} announces a string of ${length} bytes; at most ${STRING_BYTES_MAX} are read.`,
      )
    }
    const start = this.#advance(length, field)
    this.charge(OBJECT_COST + length, field)
    return this.#buffer.toString('utf8', start, start + length)
  }

  string(compact: boolean, field: string): string {
    return this.nullableString(compact, field) ?? refuseNull(field)
  }

  /** Bytes or records as a view into the frame; null if the length is negative (compact: zero). */
  nullableBytes(compact: boolean, field: string): Buffer | null {
    const length = compact ? this.uvarint(field) - 1 : this.int32(field)
    if (length < 0) return null
    if (length === 0) return EMPTY
    const start = this.#advance(length, field)
    this.charge(BYTES_VIEW_COST, field)
    return this.#buffer.subarray(start, start + length)
  }

  bytes(compact: boolean, field: string): Buffer {
    return this.nullableBytes(compact, field) ?? refuseNull(field)
  }

  /**
   * The element count of an array, or -1 for null. `elementBytesMin` is the least an element takes
   * on the wire, `elementCost` what it costs in memory besides strings, bytes and arrays inside it.
   */
  nullableArrayLength(
    compact: boolean,
    elementBytesMin: number,
    elementCost: number,
    field: string,
  ): number {
    const count = compact ? this.uvarint(field) - 1 : this.int32(field)
    if (count < 0) return -1
    if (count * elementBytesMin > this.remaining) {
      throw new ProtocolError(
        'ERR_PROTOCOL_LENGTH',
        `${field} announces ${count} elements; the ${this.remaining} bytes left cannot hold them.`,
      )
    }
    this.charge(OBJECT_COST + count * elementCost, field)
    return count
  }

  arrayLength(
    compact: boolean,
    elementBytesMin: number,
    elementCost: number,
    field: string,
  ): number {
    const count = this.nullableArrayLength(compact, elementBytesMin, elementCost, field)
    return count < 0 ? refuseNull(field) : count
  }

  /** True if a nullable struct is present: a byte of -1 means null, in a tagged field 0 does. */
  structPresent(tagged: boolean, field: string): boolean {
    return tagged ? this.uvarint(field) > 0 : this.int8(field) >= 0
  }

  /** The number of tagged fields that follow; each takes at least two bytes. */
  taggedFieldCount(field: string): number {
    const count = this.uvarint(field)
    if (count > TAGGED_FIELDS_MAX || count * 2 > this.remaining) {
      throw new ProtocolError(
        'ERR_PROTOCOL_LENGTH',
        `${field} announces ${count} tagged fields; at most ${TAGGED_FIELDS_MAX} are read.`,
      )
    }
    return count
  }

  /** Reads the size of a tagged field and returns the offset at which it must end. */
  taggedFieldEnd(field: string): number {
    const size = this.uvarint(field)
    this.#require(size, field)
    return this.#offset + size
  }

  /** Checks that a known tagged field was exactly as long as it said. */
  expectOffset(end: number, field: string): void {
    if (this.#offset === end) return
    throw new ProtocolError(
      'ERR_PROTOCOL_LENGTH',
      `The tagged field ${field} ends at byte ${this.#offset}, its size says ${end}.`,
    )
  }

  /** Moves to an offset that taggedFieldEnd returned: skips an unknown tag. */
  skipTo(end: number): void {
    this.#offset = end
  }

  #advance(length: number, field: string): number {
    this.#require(length, field)
    const start = this.#offset
    this.#offset = start + length
    return start
  }

  #require(length: number, field: string): void {
    if (length <= this.#end - this.#offset) return
    throw new ProtocolError(
      'ERR_PROTOCOL_TRUNCATED',
      `${field} needs ${length} bytes at byte ${this.#offset}, the frame ends at ${this.#end}.`,
    )
  }
}

export function refuseNull(field: string): never {
  throw new ProtocolError(
    'ERR_PROTOCOL_NULL',
    `${field} is null, which its version does not allow.`,
  )
}
