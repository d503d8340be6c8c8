/**
 * What a reader yields and a builder takes: one record, and the terms that batches share with it.
 */
import { BrokerError } from '../base/errors.js'

export type TimestampType = 'NoTimestampType' | 'CreateTime' | 'LogAppendTime'

export const NO_TIMESTAMP = -1n
export const NO_PRODUCER_ID = -1n
export const NO_PRODUCER_EPOCH = -1
export const NO_SEQUENCE = -1
export const NO_PARTITION_LEADER_EPOCH = -1

export interface RecordHeader {
  key: string
  value: Buffer | null
}

/**
 * One record as applications see it. `key`, `value` and header values alias the bytes it was read
 * from.
 */
export interface Record {
  offset: bigint
  /** Milliseconds since the epoch; with LogAppendTime the broker's time of the whole batch. */
  timestamp: bigint
  /** -1 where the batch has no producer id. */
  sequence: number
  key: Buffer | null
  value: Buffer | null
  headers: RecordHeader[]
}

/** The error of bytes that are no valid batch: not worth a retry, the data itself is damaged. */
export function corruptRecord(message: string): BrokerError {
  return new BrokerError('ERR_RECORD_CORRUPT', message)
}

const SEQUENCE_MODULUS = 2 ** 31

/** Sequence numbers wrap from 2147483647 to 0 (never to -1, which means none). */
export function incrementSequence(sequence: number, increment: number): number {
  return (sequence + increment) % SEQUENCE_MODULUS
}
