/**
 * What one fetch brought of one partition, unpacked batch by batch as the application takes it: one batch at a time is
 * decompressed, so that a full buffer costs what was fetched and little more.
 */
import { decompress } from '../../../records/compression/codec.js'
import { corruptRecord } from '../../../records/record.js'
import { type RecordBatch, recordBatches } from '../../../records/record-batch.js'
import type { ConsumerRecord } from '../consumer-record.js'
import { type TopicPartition, nameOf } from '../topic-partition.js'
import { AbortedTransactions, type AbortedTransaction } from './aborted-transactions.js'
import { RecordCursor } from './record-cursor.js'

export interface FetchedBytes {
  readonly partition: TopicPartition
  readonly fetchOffset: bigint
  readonly records: Buffer
  readonly highWatermark: bigint
  readonly lastStableOffset: bigint
  readonly logStartOffset: bigint
  /** Null: the consumer reads uncommitted records too. */
  readonly abortedTransactions: readonly AbortedTransaction[] | null
}

export class FetchedRecords {
  readonly partition: TopicPartition
  readonly highWatermark: bigint
  readonly lastStableOffset: bigint
  readonly logStartOffset: bigint
  readonly sizeInBytes: number
  readonly #batches: Iterator<RecordBatch>
  readonly #aborted: AbortedTransactions | null
  readonly #checkCrcs: boolean
  #cursor: RecordCursor | null = null
  #afterBatch: bigint
  #lastLeaderEpoch = -1
  #next: bigint
  #done = false

  constructor(fetched: FetchedBytes, checkCrcs: boolean) {
    this.partition = fetched.partition
    this.highWatermark = fetched.highWatermark
    this.lastStableOffset = fetched.lastStableOffset
    this.logStartOffset = fetched.logStartOffset
    this.sizeInBytes = fetched.records.length
    this.#batches = recordBatches(fetched.records)
    this.#aborted =
      fetched.abortedTransactions === null
        ? null
        : new AbortedTransactions(fetched.abortedTransactions)
    this.#checkCrcs = checkCrcs
    this.#next = fetched.fetchOffset
    this.#afterBatch = fetched.fetchOffset
  }

  /** The offset to go on from when everything taken so far is done. */
  get nextOffset(): bigint {
    return this.#next
  }

  /** The epoch of the batch that was taken from last; -1: none. */
  get leaderEpoch(): number {
    return this.#lastLeaderEpoch
  }

  /** Nothing is left to take. */
  get done(): boolean {
    return this.#done
  }

  /**
   * Takes at most `max` records; fewer, or none, at the end. Rejects ERR_RECORD_CORRUPT with the offset: the caller may
   * seek past it.
   */
  async take(max: number): Promise<ConsumerRecord[]> {
    const taken: ConsumerRecord[] = []
    while (taken.length < max && !this.#done) {
      if (this.#cursor === null && !(await this.#openNextBatch())) break
      const cursor = this.#cursor!
      cursor.take(max - taken.length, this.#next, taken)
      if (taken.length > 0) this.#next = taken.at(-1)!.offset + 1n
      if (cursor.done) this.#closeBatch()
    }
    return taken
  }

  #closeBatch(): void {
    this.#cursor = null
    this.#next = this.#afterBatch
  }

  /** Opens the next batch with records for the application; false at the end. */
  async #openNextBatch(): Promise<boolean> {
    for (;;) {
      const next = this.#batches.next()
      if (next.done === true) {
        this.#done = true
        return false
      }
      const batch = next.value
      this.#check(batch)
      this.#afterBatch = batch.lastOffset + 1n
      const hidden = (this.#aborted?.covers(batch) ?? false) || batch.isControl
      if (hidden || batch.lastOffset < this.#next) {
        if (this.#afterBatch > this.#next) this.#next = this.#afterBatch
        continue
      }
      const bytes = await decompress(batch.codec, batch.recordBytes)
      this.#cursor = new RecordCursor(this.partition, batch, bytes)
      this.#lastLeaderEpoch = batch.partitionLeaderEpoch
      return true
    }
  }

  #check(batch: RecordBatch): void {
    if (!this.#checkCrcs || batch.isValid) return
    throw corruptRecord(
      `The batch at offset ${batch.baseOffset} of ${nameOf(this.partition)} does not match its checksum: its bytes ` +
        `were damaged. Seek to ${batch.lastOffset + 1n} to go on behind it.`,
    )
  }
}
