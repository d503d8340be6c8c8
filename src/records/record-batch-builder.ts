/**
 * Encodes records into one batch of magic 2, as a producer sends it or as a log holds it.
 * record-batch-header.ts has the layout; the broker's append path does not use this.
 */
import { codecId, compress } from './compression/codec.js'
import type { CodecName } from './compression/codec.js'
import { crc32c } from './crc32c.js'
import {
  NO_PARTITION_LEADER_EPOCH,
  NO_PRODUCER_EPOCH,
  NO_PRODUCER_ID,
  NO_SEQUENCE,
  NO_TIMESTAMP,
} from './record.js'
import type { RecordHeader, TimestampType } from './record.js'
import {
  ATTRIBUTES_OFFSET,
  CONTROL_BIT,
  CRC_OFFSET,
  LOG_OVERHEAD,
  MAGIC_OFFSET,
  RECORD_BATCH_OVERHEAD,
  TIMESTAMP_TYPE_BIT,
  TRANSACTIONAL_BIT,
} from './record-batch-header.js'
import { RECORD_BATCH_MAGIC } from './record-batch.js'
import { pushVarint, pushVarlong } from './varint.js'

export interface RecordBatchOptions {
  baseOffset?: bigint
  partitionLeaderEpoch?: number
  codec?: CodecName
  timestampType?: Exclude<TimestampType, 'NoTimestampType'>
  /** The broker's time, for LogAppendTime: replaces the largest record timestamp in the header. */
  logAppendTime?: bigint
  producerId?: bigint
  producerEpoch?: number
  baseSequence?: number
  isTransactional?: boolean
  isControl?: boolean
}

export interface NewRecord {
  /** Default: no timestamp (-1). */
  timestamp?: bigint
  key?: Buffer | null
  value?: Buffer | null
  headers?: RecordHeader[]
  /** Default: one more than the record before. Must increase. */
  offsetDelta?: number
}

/** Collects records, then encodes them once. */
export class RecordBatchBuilder {
  readonly #options: RecordBatchOptions
  readonly #parts: Buffer[] = []
  #recordsCount = 0
  #lastOffsetDelta = -1
  #baseTimestamp = NO_TIMESTAMP
  #maxTimestamp = NO_TIMESTAMP

  constructor(options: RecordBatchOptions = {}) {
    this.#options = options
  }

  get recordsCount(): number {
    return this.#recordsCount
  }

  /**
   * Returns the builder, so that calls can be chained. Throws RangeError if the offset does not
   * increase.
   */
  append(record: NewRecord): this {
    const { timestamp = NO_TIMESTAMP, offsetDelta = this.#lastOffsetDelta + 1 } = record
    if (offsetDelta <= this.#lastOffsetDelta) {
      throw new RangeError(`offsetDelta ${offsetDelta} must exceed ${this.#lastOffsetDelta}.`)
    }
    if (this.#recordsCount === 0) this.#baseTimestamp = timestamp
    if (timestamp > this.#maxTimestamp) this.#maxTimestamp = timestamp
    this.#lastOffsetDelta = offsetDelta
    this.#recordsCount++

    const body = encodeRecordBody(record, timestamp - this.#baseTimestamp, offsetDelta)
    let length = 0
    for (const part of body) length += part.length
    const prefix: number[] = []
    pushVarint(prefix, length)
    this.#parts.push(Buffer.from(prefix), ...body)
    return this
  }

  /** The encoded batch; without records it is the empty batch that compaction leaves. */
  async build(): Promise<Buffer> {
    const { codec = 'none' } = this.#options
    if (codec === 'none' || this.#recordsCount === 0) return this.buildUncompressed()
    return this.#seal([await compress(codec, Buffer.concat(this.#parts))])
  }

  /** The encoded batch at once. Throws RangeError if the options name a codec. */
  buildUncompressed(): Buffer {
    if ((this.#options.codec ?? 'none') !== 'none' && this.#recordsCount > 0) {
      throw new RangeError('A batch that is to be compressed needs build().')
    }
    return this.#seal(this.#parts)
  }

  #seal(recordBytes: readonly Buffer[]): Buffer {
    const batch = Buffer.concat([Buffer.alloc(RECORD_BATCH_OVERHEAD), ...recordBytes])
    this.#writeHeader(batch)
    batch.writeUInt32BE(crc32c(batch.subarray(ATTRIBUTES_OFFSET)), CRC_OFFSET)
    return batch
  }

  #writeHeader(batch: Buffer): void {
    const options = this.#options
    const isLogAppendTime = options.timestampType === 'LogAppendTime'
    const maxTimestamp = isLogAppendTime ? options.logAppendTime : undefined
    batch.writeBigInt64BE(options.baseOffset ?? 0n, 0)
    batch.writeInt32BE(batch.length - LOG_OVERHEAD, 8)
    batch.writeInt32BE(options.partitionLeaderEpoch ?? NO_PARTITION_LEADER_EPOCH, 12)
    batch.writeInt8(RECORD_BATCH_MAGIC, MAGIC_OFFSET)
    batch.writeInt16BE(this.#attributes(isLogAppendTime), ATTRIBUTES_OFFSET)
    batch.writeInt32BE(Math.max(0, this.#lastOffsetDelta), 23)
    batch.writeBigInt64BE(this.#baseTimestamp, 27)
    batch.writeBigInt64BE(maxTimestamp ?? this.#maxTimestamp, 35)
    batch.writeBigInt64BE(options.producerId ?? NO_PRODUCER_ID, 43)
    batch.writeInt16BE(options.producerEpoch ?? NO_PRODUCER_EPOCH, 51)
    batch.writeInt32BE(options.baseSequence ?? NO_SEQUENCE, 53)
    batch.writeInt32BE(this.#recordsCount, 57)
  }

  #attributes(isLogAppendTime: boolean): number {
    let attributes = codecId(this.#options.codec ?? 'none')
    if (isLogAppendTime) attributes |= TIMESTAMP_TYPE_BIT
    if (this.#options.isTransactional === true) attributes |= TRANSACTIONAL_BIT
    if (this.#options.isControl === true) attributes |= CONTROL_BIT
    return attributes
  }
}

/** Everything of a record behind its length; keys and values are not copied. */
function encodeRecordBody(
  record: NewRecord,
  timestampDelta: bigint,
  offsetDelta: number,
): Buffer[] {
  const fields: number[] = [0] // Record attributes: none is defined.
  pushVarlong(fields, timestampDelta)
  pushVarint(fields, offsetDelta)
  const parts: Buffer[] = []

  const pushBytes = (bytes: Buffer | null): void => {
    pushVarint(fields, bytes === null ? -1 : bytes.length)
    if (bytes === null || bytes.length === 0) return
    parts.push(Buffer.from(fields), bytes)
    fields.length = 0
  }

  pushBytes(record.key ?? null)
  pushBytes(record.value ?? null)
  const headers = record.headers ?? []
  pushVarint(fields, headers.length)
  for (const { key, value } of headers) {
    pushBytes(Buffer.from(key, 'utf8'))
    pushBytes(value)
  }
  parts.push(Buffer.from(fields))
  return parts
}
