/** What a consumer hands out. */
import type { RecordHeader } from '../../records/record.js'
import type { TopicPartition } from './topic-partition.js'

/**
 * One record. `key`, `value` and header values are views into the bytes that were fetched: keep a copy
 * (`Buffer.from(value)`) of small ones that you hold for long, or the whole fetch stays in memory.
 */
export interface ConsumerRecord extends TopicPartition {
  readonly offset: bigint
  /** Milliseconds since 1970; -1n: none. */
  readonly timestamp: bigint
  readonly timestampType: 'CreateTime' | 'LogAppendTime'
  readonly key: Buffer | null
  readonly value: Buffer | null
  readonly headers: readonly RecordHeader[]
  /** The epoch of the leader that took it; -1: unknown. */
  readonly leaderEpoch: number
}

/** Records of one partition that follow each other. */
export interface ConsumerBatch extends TopicPartition {
  readonly records: readonly ConsumerRecord[]
  /** What the partition's log ended at, as readers may see it, when this was fetched. */
  readonly highWatermark: bigint
}
