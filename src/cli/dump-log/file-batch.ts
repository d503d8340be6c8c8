/** The batches of a log file in order, each loaded only when its content is asked for. */
import { crc32c } from '../../records/crc32c.js'
import { corruptRecord } from '../../records/record.js'
import { LegacyMessage, MESSAGE_OVERHEAD_V0 } from '../../records/legacy-message.js'
import { RECORD_BATCH_MAGIC, RecordBatch } from '../../records/record-batch.js'
import {
  ATTRIBUTES_OFFSET,
  CRC_OFFSET,
  LOG_OVERHEAD,
  MAGIC_OFFSET,
  RECORD_BATCH_OVERHEAD,
  RecordBatchHeader,
} from '../../records/record-batch-header.js'
import type { WindowedFile } from './windowed-file.js'

const HEADER_SIZE_UP_TO_MAGIC = MAGIC_OFFSET + 1

/** Where one batch of any format lies. Magic above 2 is read as 2, as Kafka does. */
export class FileBatch {
  readonly position: number
  readonly sizeInBytes: number
  readonly magic: number
  readonly #file: WindowedFile

  constructor(file: WindowedFile, position: number, sizeInBytes: number, magic: number) {
    this.#file = file
    this.position = position
    this.sizeInBytes = sizeInBytes
    this.magic = magic
  }

  get isLegacy(): boolean {
    return this.magic < RECORD_BATCH_MAGIC
  }

  /** The header of a batch that is not legacy; it may be longer than the batch says it is. */
  async header(): Promise<RecordBatchHeader> {
    return new RecordBatchHeader(await this.#file.read(this.position, RECORD_BATCH_OVERHEAD))
  }

  /** The whole batch; rejects with ERR_RECORD_CORRUPT if it is none of magic 2. */
  async batch(): Promise<RecordBatch> {
    const bytes = await this.#bytes()
    if (this.magic === RECORD_BATCH_MAGIC) return new RecordBatch(bytes)
    const copy = Buffer.from(bytes)
    copy[MAGIC_OFFSET] = RECORD_BATCH_MAGIC
    return new RecordBatch(copy)
  }

  /**
   * Whether the bytes of a batch that is not legacy match its checksum; false if it is too short.
   */
  async isValid(): Promise<boolean> {
    if (this.sizeInBytes < RECORD_BATCH_OVERHEAD) return false
    const bytes = await this.#bytes()
    return bytes.readUInt32BE(CRC_OFFSET) === crc32c(bytes.subarray(ATTRIBUTES_OFFSET))
  }

  /** The whole legacy message; rejects with ERR_RECORD_CORRUPT if it is none. */
  async message(): Promise<LegacyMessage> {
    return new LegacyMessage(await this.#bytes())
  }

  async lastOffset(): Promise<bigint> {
    if (!this.isLegacy) return (await this.header()).lastOffset
    return (await this.#file.read(this.position, 8)).readBigInt64BE()
  }

  async #bytes(): Promise<Buffer> {
    return this.#file.read(this.position, this.sizeInBytes)
  }
}

/**
 * The batches between two positions. Ends without an error before one that does not fit.
 * Throws ERR_RECORD_CORRUPT at a size that no batch can have, as in a tail of zeros.
 */
export async function* fileBatches(
  file: WindowedFile,
  start: number,
  end: number,
): AsyncGenerator<FileBatch> {
  let position = start
  while (position < end - HEADER_SIZE_UP_TO_MAGIC) {
    const prefix = await file.read(position, HEADER_SIZE_UP_TO_MAGIC)
    const size = prefix.readInt32BE(8)
    if (size < MESSAGE_OVERHEAD_V0) {
      throw corruptRecord(
        `Found record size ${size} smaller than minimum record overhead ` +
          `(${MESSAGE_OVERHEAD_V0}) in file ${file.path}.`,
      )
    }
    if (position > end - LOG_OVERHEAD - size) return
    const magic = prefix.readInt8(MAGIC_OFFSET)
    yield new FileBatch(file, position, LOG_OVERHEAD + size, magic)
    position += LOG_OVERHEAD + size
  }
}
