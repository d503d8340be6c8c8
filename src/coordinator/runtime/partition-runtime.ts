/**
 * One partition of a coordinator's topic: loads its state from the log, then runs operations on it one after the
 * other. See operation.ts for the contract and coordinator-runtime.ts for the whole topic.
 *
 *   operation -> records -> append (one batch) -> replay -> ... durable -> response
 *
 * Appending is quick and ordered, so the state is always that of the log's end; only answers wait for the disk. A
 * read waits too, for what was appended before it: nobody learns of a state that a crash could take back.
 */
import type { Clock } from '../../base/clock.js'
import { BrokerError, messageOf } from '../../base/errors.js'
import { RecordBatchBuilder } from '../../records/record-batch-builder.js'
import type { LogPort } from '../log-port.js'
import { loadRecords } from './load-records.js'
import type { Outcome, RecordSerde, ReplicatedState } from './operation.js'
import { ScheduledTimers, type Scheduler, type TimerOperation, type Timers } from './timers.js'

export interface RuntimeParts<Rec, S extends ReplicatedState<Rec>> {
  readonly log: LogPort
  readonly serde: RecordSerde<Rec>
  readonly clock: Clock
  readonly scheduler: Scheduler
  /** Bytes read at a time by a load (offsets.load.buffer.size). */
  readonly loadBufferBytes: number
  /** A new state for a partition. */
  createState(timers: Timers<Rec>, partition: number): S
  /** Lets other work in between the pieces of a load. */
  pause(): Promise<void>
  /** What an operator should know: a load that failed, a timer's operation that did. */
  onProblem(message: string): void
}

/** What `write` and `read` reject with when they cannot run; `code` is one of these. */
export const CoordinatorErrorCode = {
  loading: 'ERR_COORDINATOR_LOADING',
  notCoordinator: 'ERR_NOT_COORDINATOR',
  /** The partition left this broker before the log was asked. */
  notLeader: 'ERR_NOT_LEADER',
  /** The records are too large for one batch. */
  tooLarge: 'ERR_TOO_LARGE',
  /** The log failed. */
  storage: 'ERR_STORAGE',
} as const

/** Of records that may go into several batches. */
const BATCH_BYTES = 256 * 1024
/** After a timer's operation failed, as on a full disk. */
const TIMER_RETRY_MS = 500

type Phase = 'loading' | 'active' | 'closed'

export class PartitionRuntime<Rec, S extends ReplicatedState<Rec>> {
  readonly partition: number
  readonly #parts: RuntimeParts<Rec, S>
  readonly #timers: ScheduledTimers<Rec>
  readonly #state: S
  #phase: Phase = 'loading'
  /** The last offset of ours, and whether it is known to be durable. */
  #lastOffset = -1n
  #durable = true

  constructor(partition: number, parts: RuntimeParts<Rec, S>) {
    this.partition = partition
    this.#parts = parts
    this.#timers = new ScheduledTimers(parts.scheduler, (key, operation) => {
      const ran = this.write((_, nowMs) => operation(nowMs))
      ran.catch((error: unknown) => this.#onTimerFailed(key, operation, error))
    })
    this.#state = parts.createState(this.#timers, partition)
  }

  get isActive(): boolean {
    return this.#phase === 'active'
  }

  /** Replays the log. Resolves when operations run, or when the partition was closed meanwhile. */
  async load(): Promise<void> {
    const { log, serde, loadBufferBytes, pause, clock } = this.#parts
    const isWanted = () => this.#phase === 'loading'
    const source = { log, partition: this.partition, bufferBytes: loadBufferBytes }
    await loadRecords(source, serde, this.#state, { pause, isWanted })
    if (!isWanted()) return
    this.#phase = 'active'
    await this.write(() => this.#state.loaded(clock.nowMs()))
  }

  /**
   * Runs an operation. Resolves with its response once its records are durable; rejects with a BrokerError of
   * CoordinatorErrorCode if that cannot be, and with whatever the operation throws.
   */
  write<R>(operation: (state: S, nowMs: number) => Outcome<Rec, R>): Promise<R> {
    let outcome: Outcome<Rec, R>
    try {
      this.#assertActive()
      outcome = operation(this.#state, this.#parts.clock.nowMs())
      if (outcome.records.length > 0) this.#append(outcome)
    } catch (error) {
      const failure = asError(error)
      if (outcome! !== undefined && failure instanceof BrokerError) outcome.settled?.(failure)
      return Promise.reject(failure)
    }
    if (outcome.records.length === 0) {
      outcome.settled?.(null)
      return Promise.resolve(outcome.response)
    }
    return this.#whenDurable().then(
      () => {
        outcome.settled?.(null)
        return outcome.response
      },
      (error: unknown) => {
        const failure = asError(error)
        if (failure instanceof BrokerError) outcome.settled?.(failure)
        throw failure
      },
    )
  }

  /** Looks at the state; resolves when everything it may have seen is durable. Rejects like `write`. */
  async read<R>(look: (state: S, nowMs: number) => R): Promise<R> {
    this.#assertActive()
    const seen = look(this.#state, this.#parts.clock.nowMs())
    if (!this.#durable) await this.#whenDurable()
    return seen
  }

  /** Stops: timers are cancelled, waiters answered, later operations refused. Idempotent. */
  close(): void {
    if (this.#phase === 'closed') return
    this.#phase = 'closed'
    this.#timers.cancelAll()
    this.#state.unloaded()
  }

  #assertActive(): void {
    if (this.#phase === 'active') return
    if (this.#phase === 'loading') {
      throw new BrokerError(CoordinatorErrorCode.loading, 'The coordinator is loading its state.')
    }
    throw new BrokerError(
      CoordinatorErrorCode.notCoordinator,
      'This broker no longer coordinates it.',
    )
  }

  #append({ records, replay = true, atomic = true }: Outcome<Rec, unknown>): void {
    const timestamp = BigInt(this.#parts.clock.nowMs())
    let builder = new RecordBatchBuilder()
    let bytes = 0
    let from = 0
    records.forEach((record, index) => {
      const { key, value } = this.#parts.serde.serialize(record)
      bytes += key.length + (value?.length ?? 0)
      if (!atomic && bytes > BATCH_BYTES && builder.recordsCount > 0) {
        this.#appendBatch(builder, replay ? records.slice(from, index) : [])
        builder = new RecordBatchBuilder()
        bytes = 0
        from = index
      }
      builder.append({ timestamp, key, value })
    })
    this.#appendBatch(builder, replay ? records.slice(from) : [])
  }

  #appendBatch(builder: RecordBatchBuilder, replayed: readonly Rec[]): void {
    const batch = builder.buildUncompressed()
    const { baseOffset, lastOffset } = this.#parts.log.append(this.partition, batch)
    this.#lastOffset = lastOffset
    this.#durable = false
    replayed.forEach((record, index) =>
      this.#state.replay(record, { offset: baseOffset + BigInt(index), producerId: -1n }),
    )
  }

  async #whenDurable(): Promise<void> {
    const offset = this.#lastOffset
    try {
      await this.#parts.log.whenDurable(this.partition, offset)
    } catch (error) {
      // The state is ahead of what the log will have: nothing may be answered from it any more.
      this.#tell('The log', error)
      this.close()
      throw error
    }
    if (offset === this.#lastOffset) this.#durable = true
  }

  #onTimerFailed(key: string, operation: TimerOperation<Rec>, error: unknown): void {
    this.#tell('A timer', error)
    const isAgainWanted = this.isActive && !this.#timers.has(key)
    if (isAgainWanted) this.#timers.schedule(key, TIMER_RETRY_MS, operation)
  }

  #tell(what: string, error: unknown): void {
    if (this.#phase === 'closed') return
    this.#parts.onProblem(
      `${what} of coordinator partition ${this.partition} failed: ${messageOf(error)}`,
    )
  }
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown))
}
