/** Where a record was written. Made for each record that a promise was given for, so it computes what it can. */

/** What one acknowledged batch has in common. */
export interface BatchOutcome {
  readonly topic: string
  readonly partition: number
  /** -1 where no offset is known: acks=0, or a repeated batch that the broker recognised too late. */
  readonly baseOffset: bigint
  /** The broker's time if the topic uses LogAppendTime, else -1. */
  readonly logAppendTimeMs: bigint
}

/**
 * Where a record was written.
 *
 * @example
 * const { partition, offset } = await producer.send({ topic: 'orders', value: 'a' })
 */
export class RecordMetadata {
  readonly #batch: BatchOutcome
  readonly #index: number
  readonly #timestamp: number

  constructor(batch: BatchOutcome, index: number, timestamp: number) {
    this.#batch = batch
    this.#index = index
    this.#timestamp = timestamp
  }

  get topic(): string {
    return this.#batch.topic
  }

  get partition(): number {
    return this.#batch.partition
  }

  /** The record's offset; -1 if the broker does not tell (acks=0). */
  get offset(): bigint {
    const { baseOffset } = this.#batch
    return baseOffset < 0n ? -1n : baseOffset + BigInt(this.#index)
  }

  /** Milliseconds since the epoch: the broker's for LogAppendTime, else the record's own. */
  get timestamp(): bigint {
    const { logAppendTimeMs } = this.#batch
    return logAppendTimeMs >= 0n ? logAppendTimeMs : BigInt(this.#timestamp)
  }

  /** A plain object, for tests and JSON (offset and timestamp as text). */
  toJSON(): { topic: string; partition: number; offset: string; timestamp: string } {
    const { topic, partition } = this
    return { topic, partition, offset: String(this.offset), timestamp: String(this.timestamp) }
  }
}
