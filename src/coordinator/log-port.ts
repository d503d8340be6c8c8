/**
 * The one way a coordinator touches disk: a topic of its own whose partitions it leads. replication/ implements it
 * over the data plane, simulations in memory.
 */

/** A batch that was appended: readers see it, and it comes before every later one. */
export interface AppendedBatch {
  readonly baseOffset: bigint
  readonly lastOffset: bigint
}

export interface LogPort {
  /**
   * Appends one whole record batch of magic 2 as leader; offsets and leader epoch are filled in. Returns as soon as
   * the batch is visible. Throws BrokerError: ERR_NOT_LEADER (there is no such partition here), ERR_TOO_LARGE,
   * ERR_STORAGE (the log dir failed or is full). Nothing was appended then.
   */
  append(partition: number, batch: Buffer): AppendedBatch
  /**
   * Resolves when everything up to `lastOffset` has the durability of acks=all. Rejects with ERR_STORAGE when it will
   * never have it, and with ERR_NOT_LEADER when the partition left this broker.
   */
  whenDurable(partition: number, lastOffset: bigint): Promise<void>
  /** Where the log begins and ends; undefined: there is no such partition here. */
  bounds(partition: number): LogBounds | undefined
  /**
   * Whole batches from the one that holds `offset` on, about `bytesMax` in all and at least one; empty at the end of
   * the log. Batches may begin below `offset`. Rejects like `append` throws.
   */
  read(partition: number, offset: bigint, bytesMax: number): Promise<Buffer>
}

export interface LogBounds {
  readonly startOffset: bigint
  /** One behind the last record. */
  readonly endOffset: bigint
}
