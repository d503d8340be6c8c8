/**
 * The two timestamp questions of ListOffsets, answered inside one batch. The log finds the batch by
 * its header; only the records tell which offset is meant, also within compressed batches.
 */
import { MAX_DECOMPRESSED_BYTES } from './compression/codec.js'
import { NO_TIMESTAMP } from './record.js'
import { RecordBatch } from './record-batch.js'
import { readRecords } from './record-reader.js'

export interface TimestampAndOffset {
  offset: bigint
  timestamp: bigint
}

/**
 * The first record, in offset order, of the batch in `batchBytes` whose timestamp is at least
 * `timestamp` and whose offset is at least `startOffset`; null if the batch has none.
 * Rejects with ERR_RECORD_CORRUPT or as `decompress` does.
 */
export async function firstRecordAtOrAfter(
  batchBytes: Buffer,
  timestamp: bigint,
  startOffset = 0n,
  maxDecompressedBytes: number = MAX_DECOMPRESSED_BYTES,
): Promise<TimestampAndOffset | null> {
  const batch = new RecordBatch(batchBytes)
  if (batch.maxTimestamp < timestamp || batch.lastOffset < startOffset) return null
  for (const record of await readRecords(batch, maxDecompressedBytes)) {
    if (record.timestamp >= timestamp && record.offset >= startOffset) {
      return { offset: record.offset, timestamp: record.timestamp }
    }
  }
  return null
}

/**
 * The first record that carries the batch's largest timestamp; with LogAppendTime that is its first
 * record. Null for a batch without records or without timestamps. Rejects as firstRecordAtOrAfter.
 */
export async function maxTimestampRecord(
  batchBytes: Buffer,
  maxDecompressedBytes: number = MAX_DECOMPRESSED_BYTES,
): Promise<TimestampAndOffset | null> {
  let max: TimestampAndOffset | null = null
  for (const record of await readRecords(new RecordBatch(batchBytes), maxDecompressedBytes)) {
    if (record.timestamp <= (max?.timestamp ?? NO_TIMESTAMP)) continue
    max = { offset: record.offset, timestamp: record.timestamp }
  }
  return max
}
