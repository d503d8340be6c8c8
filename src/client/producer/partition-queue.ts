/**
 * The batches of one partition in order, and its idempotent state: producer epoch, sequence numbers and what to do
 * after failures (KIP-360). Epochs count for each partition by itself: brokers compare them per partition, so a
 * failure in one partition never disturbs another.
 */
import { incrementSequence } from '../../records/record.js'
import type { ProducerBatch } from './producer-batch.js'

/** The largest epoch; beyond it a new producer id is needed. */
const EPOCH_MAX = 0x7fff

/**
 * After a failure: `rewrite` numbers what is queued anew under a new epoch once nothing is under way, since the
 * broker certainly refused it; `drain` lets what has a number finish first, since it may have been written.
 */
type Recovery = 'none' | 'drain' | 'rewrite'

export class PartitionQueue {
  readonly topic: string
  readonly partition: number
  /** Waiting batches; the last one may still be open. Those to be sent again come first. */
  readonly batches: ProducerBatch[] = []
  /** Batches with a sequence number that are not settled, in order; under way or waiting for another try. */
  readonly #sequenced: ProducerBatch[] = []
  #producerId = -1n
  #epoch = -1
  #nextSequence = 0
  #lastAckedSequence = -1
  #recovery: Recovery = 'none'
  /** Requests under way that carry a batch of this partition. */
  inFlightCount = 0

  constructor(topic: string, partition: number) {
    this.topic = topic
    this.partition = partition
  }

  get producerId(): bigint {
    return this.#producerId
  }

  get epoch(): number {
    return this.#epoch
  }

  /** The batch that records are appended to. */
  get openBatch(): ProducerBatch | undefined {
    const last = this.batches.at(-1)
    return last === undefined || last.isClosed ? undefined : last
  }

  /** The batch to send next; undefined if there is none or it must wait for others of this partition. */
  head(): ProducerBatch | undefined {
    const batch = this.batches[0]
    if (batch === undefined || this.#recovery === 'rewrite') return undefined
    if (batch.hasSequence) return this.#sequenced[0] === batch ? batch : undefined
    return this.#recovery === 'none' ? batch : undefined
  }

  /** True once the epoch is used up: `start` is to be called with a new id when nothing is under way. */
  get needsProducerId(): boolean {
    return this.#producerId < 0n || this.#epoch > EPOCH_MAX
  }

  /** Begins, or begins again, with an id that InitProducerId gave. */
  start(producerId: bigint, epoch: number): void {
    this.#producerId = producerId
    this.#epoch = epoch
    this.#renumber()
  }

  /** Takes the head out for sending; `idempotent` gives it its number. */
  take(idempotent: boolean): ProducerBatch {
    const batch = this.batches.shift()!
    batch.close()
    if (idempotent && !batch.hasSequence) {
      batch.baseSequence = this.#nextSequence
      this.#nextSequence = incrementSequence(this.#nextSequence, batch.recordCount)
      this.#sequenced.push(batch)
    }
    batch.isInFlight = true
    this.inFlightCount++
    return batch
  }

  /** Puts a batch back for another try, where it belongs by its order. */
  requeue(batch: ProducerBatch): void {
    const later = this.batches.findIndex(other => batch.isBefore(other))
    this.batches.splice(later < 0 ? this.batches.length : later, 0, batch)
  }

  /** Replaces a batch by the parts it was split into, which share its numbers. */
  replace(batch: ProducerBatch, parts: readonly ProducerBatch[]): void {
    if (batch.hasSequence) {
      let sequence = batch.baseSequence
      for (const part of parts) {
        part.baseSequence = sequence
        sequence = incrementSequence(sequence, part.recordCount)
      }
      this.#sequenced.splice(this.#sequenced.indexOf(batch), 1, ...parts)
    }
    for (const part of parts) this.requeue(part)
  }

  /** The batch was written. */
  acked(batch: ProducerBatch): void {
    this.#forget(batch)
    if (!batch.hasSequence) return
    this.#lastAckedSequence = incrementSequence(batch.baseSequence, batch.recordCount - 1)
  }

  /** The batch is given up. `mayBeWritten`: no answer tells what became of it. */
  failed(batch: ProducerBatch, mayBeWritten: boolean): void {
    this.#forget(batch)
    const at = this.batches.indexOf(batch)
    if (at >= 0) this.batches.splice(at, 1)
    if (batch.hasSequence) this.recover(mayBeWritten ? 'drain' : 'rewrite')
  }

  /**
   * True if OUT_OF_ORDER_SEQUENCE_NUMBER only says that an earlier batch is missing yet, which is being sent again:
   * trying again is all that is needed. Otherwise the numbers no longer fit the log.
   */
  waitsForEarlier(batch: ProducerBatch): boolean {
    const expected = this.#lastAckedSequence < 0 ? 0 : incrementSequence(this.#lastAckedSequence, 1)
    return this.#recovery !== 'drain' && batch.baseSequence !== expected
  }

  /** Asks for a new epoch; see Recovery. */
  recover(how: Exclude<Recovery, 'none'>): void {
    if (this.#recovery !== 'rewrite') this.#recovery = how
  }

  /** Takes the new epoch if it is asked for and nothing stands against it now. */
  completeRecovery(): void {
    if (this.#recovery === 'none' || this.inFlightCount > 0) return
    if (this.#recovery === 'drain' && this.#sequenced.length > 0) return
    this.#epoch++
    this.#renumber()
  }

  #renumber(): void {
    this.#recovery = 'none'
    this.#lastAckedSequence = -1
    let sequence = 0
    for (const batch of this.#sequenced) {
      batch.resequence(sequence)
      sequence = incrementSequence(sequence, batch.recordCount)
    }
    this.#nextSequence = sequence
  }

  #forget(batch: ProducerBatch): void {
    const at = this.#sequenced.indexOf(batch)
    if (at >= 0) this.#sequenced.splice(at, 1)
  }
}
