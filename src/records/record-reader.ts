/**
 * Decodes the records of a batch of magic 2, one at a time. Every length is checked against the
 * bytes present and a count only bounds the loop, so that a hostile batch costs no more memory than
 * its own size.
 */
import { decompress, MAX_DECOMPRESSED_BYTES } from './compression/codec.js'
import { corruptRecord, incrementSequence, NO_SEQUENCE } from './record.js'
import type { Record, RecordHeader } from './record.js'
import type { RecordBatch } from './record-batch.js'
import { VarintReader } from './varint.js'

const HEADER_BYTES_MIN = 2

/**
 * The records of a batch, compressed or not; decoding happens while iterating, once.
 * Rejects as `decompress` does; iterating throws ERR_RECORD_CORRUPT.
 */
export async function readRecords(
  batch: RecordBatch,
  maxDecompressedBytes: number = MAX_DECOMPRESSED_BYTES,
): Promise<Iterable<Record>> {
  if (batch.recordsCount === 0) return []
  const { codec } = batch
  if (codec === 'none') return decodeRecords(batch, batch.recordBytes)
  return decodeRecords(batch, await decompress(codec, batch.recordBytes, maxDecompressedBytes))
}

/** The records of a batch whose uncompressed record bytes are at hand. */
export function* decodeRecords(batch: RecordBatch, recordBytes: Buffer): Generator<Record> {
  const { recordsCount, baseOffset } = batch
  if (recordsCount < 0) {
    throw corruptRecord(`The batch at offset ${baseOffset} says it has ${recordsCount} records.`)
  }
  const decoder = new RecordDecoder(batch)
  const reader = new VarintReader(recordBytes)
  for (let index = 1; index <= recordsCount; index++) {
    const record = decoder.decode(reader)
    if (index === recordsCount && reader.remaining > 0) {
      throw corruptRecord(
        `The batch at offset ${baseOffset} has ${reader.remaining} bytes ` +
          `behind its ${recordsCount} records.`,
      )
    }
    yield record
  }
}

/** What the records of one batch share. */
class RecordDecoder {
  readonly #baseOffset: bigint
  readonly #baseTimestamp: bigint
  readonly #logAppendTime: bigint | null
  readonly #baseSequence: number

  constructor(batch: RecordBatch) {
    this.#baseOffset = batch.baseOffset
    this.#baseTimestamp = batch.baseTimestamp
    this.#logAppendTime = batch.timestampType === 'LogAppendTime' ? batch.maxTimestamp : null
    this.#baseSequence = batch.baseSequence
  }

  decode(batchReader: VarintReader): Record {
    const length = batchReader.readVarint()
    const start = batchReader.position
    batchReader.readBytes(length)
    const reader = new VarintReader(batchReader.buffer, start, batchReader.position)

    reader.readByte() // Record attributes: none is defined.
    const timestampDelta = reader.readVarlong()
    const offsetDelta = reader.readVarint()
    const key = reader.readNullableBytes()
    const value = reader.readNullableBytes()
    const headers = readHeaders(reader)
    if (reader.remaining > 0) {
      throw corruptRecord(
        `A record at byte ${start} says it has ${length} bytes, but uses only ` +
          `${length - reader.remaining}.`,
      )
    }
    return {
      offset: this.#baseOffset + BigInt(offsetDelta),
      timestamp: this.#logAppendTime ?? this.#baseTimestamp + timestampDelta,
      sequence:
        this.#baseSequence < 0 ? NO_SEQUENCE : incrementSequence(this.#baseSequence, offsetDelta),
      key,
      value,
      headers,
    }
  }
}

function readHeaders(reader: VarintReader): RecordHeader[] {
  const count = reader.readVarint()
  if (count < 0 || count * HEADER_BYTES_MIN > reader.remaining) {
    throw corruptRecord(
      `A record says it has ${count} headers, which ${reader.remaining} bytes cannot hold.`,
    )
  }
  const headers: RecordHeader[] = []
  for (let index = 0; index < count; index++) {
    const keyLength = reader.readVarint()
    if (keyLength < 0) throw corruptRecord('A record has a header without a key.')
    const key = reader.readBytes(keyLength).toString('utf8')
    headers.push({ key, value: reader.readNullableBytes() })
  }
  return headers
}
