/**
 * The shape of everything that changes a coordinator's state, as in Kafka's CoordinatorRuntime: a function of state
 * and time that changes nothing itself, but returns the records that say what is to change. The runtime appends
 * them in one batch, applies them with the same `replay` that a load uses, and lets the response out when they are
 * durable. If they cannot be appended nothing was changed, and the caller gets the error.
 *
 * Soft state that no record describes (timers, who waits in a join) is the exception: an operation may change it at
 * once. What must follow from the outcome of the append goes into `settled`.
 */
import type { BrokerError } from '../../base/errors.js'

/** What one operation wants. `Rec` is the coordinator's own record type. */
export interface Outcome<Rec, R> {
  /** All or none of them, unless `atomic` says otherwise; empty: nothing is appended, and nothing is waited for. */
  readonly records: readonly Rec[]
  /** A promise is for answers that others give later, such as to a parked JoinGroup. */
  readonly response: R | Promise<R>
  /**
   * Called once: with null when the records are durable (at once without records), with the error when they could not
   * be appended or made durable.
   */
  readonly settled?: ((error: BrokerError | null) => void) | undefined
  /**
   * False: the operation has changed the state already and the records only keep it for the next load. It must undo
   * the change in `settled` if they fail.
   */
  readonly replay?: boolean
  /** False: the records may go into several batches, of which a crash may leave the first ones only. */
  readonly atomic?: boolean
}

/** The state of one partition of the coordinator's topic. */
export interface ReplicatedState<Rec> {
  /** Applies a record that was appended or loaded. Must not fail on any record that a compacted log can hold. */
  replay(record: Rec, position: RecordPosition): void
  /** The end of a transaction that wrote records here. */
  endTransaction(producerId: bigint, committed: boolean): void
  /** All records were replayed: starts timers. Its records are written like those of an operation. */
  loaded(nowMs: number): Outcome<Rec, void>
  /** The partition left this broker or its log failed: answers whoever waits. */
  unloaded(): void
}

export interface RecordPosition {
  readonly offset: bigint
  /** -1: not part of a transaction. */
  readonly producerId: bigint
}

/** Between records and the bytes of their keys and values. */
export interface RecordSerde<Rec> {
  serialize(record: Rec): { readonly key: Buffer; readonly value: Buffer | null }
  /** Undefined: a kind of record that this version does not know; it is skipped. Copies what it keeps. */
  deserialize(key: Buffer, value: Buffer | null): Rec | undefined
}

/** Nothing to write, and this answer. */
export function answer<Rec, R>(response: R | Promise<R>): Outcome<Rec, R> {
  return { records: [], response }
}
