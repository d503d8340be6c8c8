/**
 * One whole record batch of magic 2 in memory: its header, its record bytes and its checksum.
 * Records are decoded by record-reader.ts; older formats live in legacy-message-set.ts.
 */
import { crc32c } from './crc32c.js'
import { corruptRecord } from './record.js'
import {
  ATTRIBUTES_OFFSET,
  LOG_OVERHEAD,
  MAGIC_OFFSET,
  RECORD_BATCH_OVERHEAD,
  RecordBatchHeader,
} from './record-batch-header.js'

export const RECORD_BATCH_MAGIC = 2

/**
 * A bounds-checked view of a batch. It copies nothing; the buffer must not change while it is used.
 */
export class RecordBatch extends RecordBatchHeader {
  /** Throws ERR_RECORD_CORRUPT unless a whole batch of magic 2 begins at `position`. */
  constructor(buffer: Buffer, position = 0) {
    super(buffer, position)
    if (this.magic !== RECORD_BATCH_MAGIC) {
      throw corruptRecord(`The batch at byte ${position} has magic ${this.magic}; expected 2.`)
    }
    if (this.sizeInBytes < RECORD_BATCH_OVERHEAD) {
      throw corruptRecord(
        `The batch at byte ${position} says it has ${this.sizeInBytes} bytes, ` +
          `fewer than the ${RECORD_BATCH_OVERHEAD} of its header.`,
      )
    }
    if (this.sizeInBytes > buffer.length - position) {
      throw corruptRecord(
        `The batch at byte ${position} says it has ${this.sizeInBytes} bytes, ` +
          `but only ${buffer.length - position} are there.`,
      )
    }
  }

  /** The records as stored: compressed if `codec` is not none. */
  get recordBytes(): Buffer {
    const start = this.position + RECORD_BATCH_OVERHEAD
    return this.buffer.subarray(start, this.position + this.sizeInBytes)
  }

  /** All bytes of the batch. */
  get bytes(): Buffer {
    return this.buffer.subarray(this.position, this.position + this.sizeInBytes)
  }

  /** The checksum the bytes should carry: it covers everything from the attributes on. */
  computeCrc(): number {
    return crc32c(this.bytes.subarray(ATTRIBUTES_OFFSET))
  }

  get isValid(): boolean {
    return this.crc === this.computeCrc()
  }
}

/**
 * The whole batches of `buffer` in order. A cut-off batch at the end is left out without an error,
 * as a fetch response may end in one. Throws ERR_RECORD_CORRUPT for anything else that is no batch.
 */
export function* recordBatches(buffer: Buffer): Generator<RecordBatch> {
  let position = 0
  while (buffer.length - position > MAGIC_OFFSET) {
    const size = LOG_OVERHEAD + buffer.readInt32BE(position + 8)
    if (size > buffer.length - position) return
    const batch = new RecordBatch(buffer, position)
    yield batch
    position += batch.sizeInBytes
  }
}
