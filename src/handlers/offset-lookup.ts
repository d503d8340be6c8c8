/**
 * Finds records by their timestamps: the data plane finds the batch by its header, the records in it tell the
 * offset. A batch whose header promises a timestamp that no record has is passed over, as in Kafka.
 */
import { RecordBatch } from '../records/record-batch.js'
import {
  type TimestampAndOffset,
  firstRecordAtOrAfter,
  maxTimestampRecord,
} from '../records/timestamp-lookup.js'
import type { LogsView } from './services.js'

export interface LookupPartition {
  readonly logs: LogsView
  readonly topic: string
  readonly partition: number
}

/** The first record in [from, below) whose timestamp is at least `timestamp`; null: none. */
export async function offsetForTimestamp(
  { logs, topic, partition }: LookupPartition,
  timestamp: bigint,
  from: bigint,
  below: bigint,
): Promise<TimestampAndOffset | null> {
  for (let next = from; next < below;) {
    const batch = await logs.batchByTimestamp(topic, partition, { timestamp, from: next, below })
    if (batch === null) return null
    const record = await firstRecordAtOrAfter(batch, timestamp, from)
    if (record !== null) return record
    next = new RecordBatch(batch).lastOffset + 1n
  }
  return null
}

/** The first record that carries the largest timestamp of the log; null: no record has one. */
export async function offsetOfMaxTimestamp({
  logs,
  topic,
  partition,
}: LookupPartition): Promise<TimestampAndOffset | null> {
  const batch = await logs.batchWithMaxTimestamp(topic, partition)
  return batch === null ? null : maxTimestampRecord(batch)
}
