/**
 * One batch of one partition while it fills, travels and is settled. Records are encoded when they are appended;
 * the header and its checksum are written once the producer id and sequence are known, and the bytes then stay the
 * same for every retry.
 */
import { codecId, compress, type CodecName } from '../../records/compression/codec.js'
import { crc32c } from '../../records/crc32c.js'
import {
  ATTRIBUTES_OFFSET,
  CRC_OFFSET,
  LOG_OVERHEAD,
  MAGIC_OFFSET,
  RECORD_BATCH_OVERHEAD,
} from '../../records/record-batch-header.js'
import { RECORD_BATCH_MAGIC } from '../../records/record-batch.js'
import { NO_SEQUENCE } from '../../records/record.js'
import { type HeaderList, recordBodySize, varintSize, writeRecord } from './record-encoder.js'
import { type BatchOutcome, RecordMetadata } from './record-metadata.js'

/** Whoever waits for one record. */
interface Waiter {
  readonly index: number
  readonly timestamp: number
  resolve(metadata: RecordMetadata): void
  reject(error: unknown): void
}

/** Counts down the batches that a flush waits for. */
interface Flush {
  remaining: number
  readonly done: () => void
}

/** Resolves when all the batches are settled, or what they were split into. */
export function whenSettled(batches: readonly ProducerBatch[]): Promise<void> {
  const waiting = batches.filter(({ isSettled }) => !isSettled)
  if (waiting.length === 0) return Promise.resolve()
  return new Promise(resolve => {
    const flush = { remaining: waiting.length, done: resolve }
    for (const batch of waiting) batch.flushes.push(flush)
  })
}

export class ProducerBatch {
  /** When it was begun, as performance.now(). */
  readonly createdMs: number
  /** Rises with each new batch; parts of a split batch keep its order. */
  readonly order: number
  /** Position of the first record in the batch that this is a part of. */
  firstIndex = 0
  /** Header room, then the encoded records. */
  readonly buffer: Buffer
  /** False for buffers that do not go back to the pool. */
  readonly isPooled: boolean
  readonly codec: CodecName
  #position = RECORD_BATCH_OVERHEAD
  #count = 0
  #baseTimestamp = 0
  #maxTimestamp = 0
  #waiters: Waiter[] = []
  readonly flushes: Flush[] = []
  #packed: Buffer | null = null
  #encoded: Buffer | null = null
  #isClosed = false
  #isSettled = false
  /** First sequence number; NO_SEQUENCE until it is first drained. */
  baseSequence = NO_SEQUENCE
  attempts = 0
  /** Not to be sent before this time (performance.now()). */
  retryAtMs = 0
  /** True while a request that carries it is under way. */
  isInFlight = false
  /** Why the last try failed. */
  lastError: unknown = undefined
  /** True while a codec works on it. */
  isCompressing = false

  constructor(buffer: Buffer, codec: CodecName, createdMs: number, order: number, isPooled = true) {
    this.isPooled = isPooled
    this.order = order
    this.buffer = buffer
    this.codec = codec
    this.createdMs = createdMs
  }

  get recordCount(): number {
    return this.#count
  }

  /** Bytes so far, uncompressed, with the header. */
  get sizeBytes(): number {
    return this.#position
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** True once all its records were resolved or rejected. */
  get isSettled(): boolean {
    return this.#isSettled
  }

  get hasSequence(): boolean {
    return this.baseSequence !== NO_SEQUENCE
  }

  /** Appends one record; false if there is no room or the batch is closed. `timestamp` in milliseconds. */
  tryAppend(
    timestamp: number,
    key: Uint8Array | null,
    value: Uint8Array | null,
    headers: HeaderList,
  ): boolean {
    if (this.#isClosed) return false
    if (this.#count === 0) this.#baseTimestamp = this.#maxTimestamp = timestamp
    const delta = timestamp - this.#baseTimestamp
    const bodySize = recordBodySize(delta, this.#count, key, value, headers)
    if (this.#position + varintSize(bodySize) + bodySize > this.buffer.length) return false
    this.#position = writeRecord(
      this.buffer,
      this.#position,
      bodySize,
      delta,
      this.#count,
      key,
      value,
      headers,
    )
    if (timestamp > this.#maxTimestamp) this.#maxTimestamp = timestamp
    this.#count++
    return true
  }

  /** True if its records were sent before those of the other. */
  isBefore(other: ProducerBatch): boolean {
    if (this.order !== other.order) return this.order < other.order
    return this.firstIndex < other.firstIndex
  }

  /** A promise for the record that was appended last. */
  lastRecord(timestamp: number): Promise<RecordMetadata> {
    const index = this.#count - 1
    return new Promise((resolve, reject) => {
      this.#waiters.push({ index, timestamp, resolve, reject })
    })
  }

  /** Takes over a waiter of another batch for the record appended last (splitting). */
  adopt(waiter: Omit<Waiter, 'index'>): void {
    const { timestamp, resolve, reject } = waiter
    this.#waiters.push({ index: this.#count - 1, timestamp, resolve, reject })
  }

  /** The waiters, for another batch to adopt. */
  waiters(): readonly Waiter[] {
    return this.#waiters
  }

  /** No record is taken from now on. */
  close(): void {
    this.#isClosed = true
  }

  /** True if `compress` is to be awaited before `encode`. */
  get needsCompression(): boolean {
    return this.codec !== 'none' && this.#packed === null
  }

  async compress(): Promise<void> {
    this.close()
    this.isCompressing = true
    try {
      this.#packed = await compress(this.codec, this.#records())
    } finally {
      this.isCompressing = false
    }
  }

  /** Uncompressed record bytes; for splitting. */
  #records(): Buffer {
    return this.buffer.subarray(RECORD_BATCH_OVERHEAD, this.#position)
  }

  /** The finished batch, for this producer id, epoch and the sequence; the same bytes when asked again. */
  encode(producerId: bigint, producerEpoch: number): Buffer {
    this.close()
    return (this.#encoded ??= this.#encode(producerId, producerEpoch))
  }

  /** Gives it another sequence; its bytes are made anew. */
  resequence(baseSequence: number): void {
    this.baseSequence = baseSequence
    this.#encoded = null
  }

  #encode(producerId: bigint, producerEpoch: number): Buffer {
    const batch =
      this.#packed === null
        ? this.buffer.subarray(0, this.#position)
        : Buffer.concat([Buffer.allocUnsafe(RECORD_BATCH_OVERHEAD), this.#packed])
    batch.fill(0, 0, 8)
    batch.writeInt32BE(batch.length - LOG_OVERHEAD, 8)
    batch.writeInt32BE(-1, 12)
    batch[MAGIC_OFFSET] = RECORD_BATCH_MAGIC
    batch.writeInt16BE(codecId(this.codec), ATTRIBUTES_OFFSET)
    batch.writeInt32BE(this.#count - 1, 23)
    batch.writeBigInt64BE(BigInt(this.#baseTimestamp), 27)
    batch.writeBigInt64BE(BigInt(this.#maxTimestamp), 35)
    batch.writeBigInt64BE(producerId, 43)
    batch.writeInt16BE(producerEpoch, 51)
    batch.writeInt32BE(this.baseSequence, 53)
    batch.writeInt32BE(this.#count, 57)
    batch.writeUInt32BE(crc32c(batch.subarray(ATTRIBUTES_OFFSET)), CRC_OFFSET)
    return batch
  }

  /** The batch as bytes with no producer id, to read its records from (splitting). */
  plainBytes(): Buffer {
    const plain = new ProducerBatch(this.buffer, 'none', this.createdMs, this.order)
    plain.#position = this.#position
    plain.#count = this.#count
    plain.#baseTimestamp = this.#baseTimestamp
    plain.#maxTimestamp = this.#maxTimestamp
    return Buffer.from(plain.#encode(-1n, -1))
  }

  /** Its waiters went to the batches it was split into. */
  handOver(parts: readonly ProducerBatch[]): void {
    for (const flush of this.flushes) {
      flush.remaining += parts.length
      for (const part of parts) part.flushes.push(flush)
    }
    this.#settle()
  }

  resolve(outcome: BatchOutcome): void {
    if (this.#isSettled) return
    for (const { resolve, index, timestamp } of this.#waiters) {
      resolve(new RecordMetadata(outcome, index, timestamp))
    }
    this.#settle()
  }

  reject(error: unknown): void {
    if (this.#isSettled) return
    for (const waiter of this.#waiters) waiter.reject(error)
    this.#settle()
  }

  #settle(): void {
    this.#isSettled = true
    this.#waiters = []
    for (const flush of this.flushes) if (--flush.remaining === 0) flush.done()
  }
}
