/** Reads the fields of a flexible Kafka message (KIP-482) from the value of a control record. */
import { corruptRecord } from '../../records/record.js'

const VARINT_BYTES_MAX = 5

/** Every read is bounded by the value; a failure is ERR_RECORD_CORRUPT. */
export class FlexibleReader {
  readonly #value: Buffer
  #position = 0

  constructor(value: Buffer) {
    this.#value = value
  }

  /** The next `length` bytes as a view. */
  bytes(length: number): Buffer {
    const remaining = this.#value.length - this.#position
    if (length < 0 || length > remaining) {
      throw corruptRecord(
        `The value of a control record is cut off: ${length} bytes are due, ${remaining} are left.`,
      )
    }
    this.#position += length
    return this.#value.subarray(this.#position - length, this.#position)
  }

  int16(): number {
    return this.bytes(2).readInt16BE()
  }

  uint16(): number {
    return this.bytes(2).readUInt16BE()
  }

  int32(): number {
    return this.bytes(4).readInt32BE()
  }

  int64(): bigint {
    return this.bytes(8).readBigInt64BE()
  }

  unsignedVarint(): number {
    let value = 0
    for (let index = 0; index < VARINT_BYTES_MAX; index++) {
      const byte = this.bytes(1)[0]!
      value += (byte & 0x7f) * 2 ** (7 * index)
      if (byte < 0x80) return value
    }
    throw corruptRecord('The value of a control record has a varint of more than 5 bytes.')
  }

  compactString(): string {
    return this.bytes(this.unsignedVarint() - 1).toString('utf8')
  }

  /** Elements take at least a byte each, so a count beyond the bytes left is refused at once. */
  compactArray<T>(element: () => T): T[] {
    const count = this.unsignedVarint() - 1
    if (count < 0 || count > this.#value.length - this.#position) {
      throw corruptRecord(`The value of a control record has an array of ${count} elements.`)
    }
    return Array.from({ length: count }, element)
  }

  skipTaggedFields(): void {
    for (let count = this.unsignedVarint(); count > 0; count--) {
      this.unsignedVarint()
      this.bytes(this.unsignedVarint())
    }
  }
}
