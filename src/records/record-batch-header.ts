/**
 * The 61 bytes that begin every record batch of magic 2, read in place.
 *
 *   0 baseOffset i64 | 8 batchLength i32 | 12 partitionLeaderEpoch i32 | 16 magic i8 | 17 crc u32
 *  21 attributes i16 | 23 lastOffsetDelta i32 | 27 baseTimestamp i64 | 35 maxTimestamp i64
 *  43 producerId i64 | 51 producerEpoch i16 | 53 baseSequence i32 | 57 recordsCount i32
 *  61 records
 */
import { codecFromAttributes } from './compression/codec.js'
import type { CodecName } from './compression/codec.js'
import { corruptRecord, incrementSequence, NO_SEQUENCE } from './record.js'
import type { TimestampType } from './record.js'

export const LOG_OVERHEAD = 12
export const MAGIC_OFFSET = 16
export const CRC_OFFSET = 17
export const ATTRIBUTES_OFFSET = 21
export const RECORD_BATCH_OVERHEAD = 61

export const TIMESTAMP_TYPE_BIT = 0x08
export const TRANSACTIONAL_BIT = 0x10
export const CONTROL_BIT = 0x20
export const DELETE_HORIZON_BIT = 0x40

/**
 * A view: nothing is copied or checked beyond the presence of the 61 bytes. The buffer must not
 * change.
 */
export class RecordBatchHeader {
  readonly buffer: Buffer
  readonly position: number

  /** Throws ERR_RECORD_CORRUPT if fewer than 61 bytes follow `position`. */
  constructor(buffer: Buffer, position = 0) {
    const present = buffer.length - position
    if (position < 0 || present < RECORD_BATCH_OVERHEAD) {
      throw corruptRecord(
        `A record batch header needs ${RECORD_BATCH_OVERHEAD} bytes, but only ${present} are left.`,
      )
    }
    this.buffer = buffer
    this.position = position
  }

  get baseOffset(): bigint {
    return this.buffer.readBigInt64BE(this.position)
  }

  /** Bytes after this field; see `sizeInBytes` for the whole. */
  get batchLength(): number {
    return this.buffer.readInt32BE(this.position + 8)
  }

  get sizeInBytes(): number {
    return LOG_OVERHEAD + this.batchLength
  }

  get partitionLeaderEpoch(): number {
    return this.buffer.readInt32BE(this.position + 12)
  }

  get magic(): number {
    return this.buffer.readInt8(this.position + MAGIC_OFFSET)
  }

  /** The stored checksum, unsigned. */
  get crc(): number {
    return this.buffer.readUInt32BE(this.position + CRC_OFFSET)
  }

  get attributes(): number {
    return this.buffer.readInt16BE(this.position + ATTRIBUTES_OFFSET)
  }

  /** Throws ERR_UNSUPPORTED_COMPRESSION for codec numbers that Kafka does not define. */
  get codec(): CodecName {
    return codecFromAttributes(this.attributes)
  }

  get timestampType(): TimestampType {
    return (this.attributes & TIMESTAMP_TYPE_BIT) === 0 ? 'CreateTime' : 'LogAppendTime'
  }

  get isTransactional(): boolean {
    return (this.attributes & TRANSACTIONAL_BIT) !== 0
  }

  get isControl(): boolean {
    return (this.attributes & CONTROL_BIT) !== 0
  }

  get hasDeleteHorizon(): boolean {
    return (this.attributes & DELETE_HORIZON_BIT) !== 0
  }

  /** When compaction may drop the batch's tombstones and markers; null if it set no horizon yet. */
  get deleteHorizonMs(): bigint | null {
    return this.hasDeleteHorizon ? this.baseTimestamp : null
  }

  get lastOffsetDelta(): number {
    return this.buffer.readInt32BE(this.position + 23)
  }

  get lastOffset(): bigint {
    return this.baseOffset + BigInt(this.lastOffsetDelta)
  }

  /** What the records' timestamp deltas are relative to; the delete horizon where that is set. */
  get baseTimestamp(): bigint {
    return this.buffer.readBigInt64BE(this.position + 27)
  }

  get maxTimestamp(): bigint {
    return this.buffer.readBigInt64BE(this.position + 35)
  }

  get producerId(): bigint {
    return this.buffer.readBigInt64BE(this.position + 43)
  }

  get producerEpoch(): number {
    return this.buffer.readInt16BE(this.position + 51)
  }

  get baseSequence(): number {
    return this.buffer.readInt32BE(this.position + 53)
  }

  get lastSequence(): number {
    if (this.baseSequence === NO_SEQUENCE) return NO_SEQUENCE
    return incrementSequence(this.baseSequence, this.lastOffsetDelta)
  }

  get recordsCount(): number {
    return this.buffer.readInt32BE(this.position + 57)
  }
}
