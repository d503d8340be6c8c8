/**
 * One message of the formats before record batches (magic 0 and 1), as old disks still hold them.
 *
 *   0 offset i64 | 8 messageSize i32 | 12 crc u32 | 16 magic i8 | 17 attributes i8
 *  18 [magic 1: timestamp i64] | keyLength i32 | key | valueLength i32 | value
 */
import { codecFromAttributes } from './compression/codec.js'
import type { CodecName } from './compression/codec.js'
import { crc32 } from './crc32.js'
import { corruptRecord, NO_TIMESTAMP } from './record.js'
import type { TimestampType } from './record.js'
import { LOG_OVERHEAD, MAGIC_OFFSET, TIMESTAMP_TYPE_BIT } from './record-batch-header.js'

export const MESSAGE_OVERHEAD_V0 = 14
const MESSAGE_OVERHEAD_V1 = 22
const ATTRIBUTES_OFFSET = 17
const TIMESTAMP_OFFSET = 18

/** A bounds-checked view; it copies nothing and the buffer must not change. */
export class LegacyMessage {
  readonly buffer: Buffer
  readonly key: Buffer | null
  readonly value: Buffer | null

  /** Throws ERR_RECORD_CORRUPT unless a whole message of magic 0 or 1 begins at `position`. */
  constructor(buffer: Buffer, position = 0) {
    const present = buffer.length - position
    const size = present < LOG_OVERHEAD ? 0 : LOG_OVERHEAD + buffer.readInt32BE(position + 8)
    if (size < LOG_OVERHEAD + MESSAGE_OVERHEAD_V0 || size > present) {
      throw corruptRecord(`The message at byte ${position} is cut off or has a wrong size.`)
    }
    this.buffer = buffer.subarray(position, position + size)
    const overhead = this.#overhead(position)
    let at = LOG_OVERHEAD + overhead - 8
    this.key = this.#readBytes(at)
    at += 4 + (this.key?.length ?? 0)
    this.value = this.#readBytes(at)
  }

  #overhead(position: number): number {
    if (this.magic === 0) return MESSAGE_OVERHEAD_V0
    if (this.magic === 1 && this.sizeInBytes >= LOG_OVERHEAD + MESSAGE_OVERHEAD_V1) {
      return MESSAGE_OVERHEAD_V1
    }
    throw corruptRecord(`The message at byte ${position} is cut off or is not of magic 0 or 1.`)
  }

  #readBytes(at: number): Buffer | null {
    const present = this.buffer.length - at - 4
    const length = present < 0 ? present : this.buffer.readInt32BE(at)
    if (length === -1 && present >= 0) return null
    if (length < 0 || length > present) {
      throw corruptRecord(
        `The message at offset ${this.offset} says it has a key or value of ${length} bytes, ` +
          `but ${Math.max(0, present)} are left.`,
      )
    }
    return this.buffer.subarray(at + 4, at + 4 + length)
  }

  get sizeInBytes(): number {
    return this.buffer.length
  }

  /** Of a compressed message: the offset of the last one inside. */
  get offset(): bigint {
    return this.buffer.readBigInt64BE(0)
  }

  get magic(): number {
    return this.buffer.readInt8(MAGIC_OFFSET)
  }

  get crc(): number {
    return this.buffer.readUInt32BE(LOG_OVERHEAD)
  }

  get isValid(): boolean {
    return this.crc === crc32(this.buffer.subarray(MAGIC_OFFSET))
  }

  get attributes(): number {
    return this.buffer.readInt8(ATTRIBUTES_OFFSET)
  }

  /** Throws ERR_UNSUPPORTED_COMPRESSION for codec numbers that Kafka does not define. */
  get codec(): CodecName {
    return codecFromAttributes(this.attributes)
  }

  get timestampType(): TimestampType {
    if (this.magic === 0) return 'NoTimestampType'
    return (this.attributes & TIMESTAMP_TYPE_BIT) === 0 ? 'CreateTime' : 'LogAppendTime'
  }

  /** -1 in magic 0, which has none. */
  get timestamp(): bigint {
    return this.magic === 0 ? NO_TIMESTAMP : this.buffer.readBigInt64BE(TIMESTAMP_OFFSET)
  }
}
