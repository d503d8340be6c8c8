/**
 * Timers of one partition's state, by key. What a timer does is an operation like any other: it runs while the
 * partition is loaded, and its records are appended. Setting a key again replaces its timer.
 */
import type { Outcome } from './operation.js'

/** Runs something later; real time in a broker, simulated time in tests. */
export interface Scheduler {
  /** Returns what cancels it. `delayMs` of 0 or less: on a later turn. */
  after(delayMs: number, run: () => void): () => void
}

export type TimerOperation<Rec> = (nowMs: number) => Outcome<Rec, void>

export interface Timers<Rec> {
  schedule(key: string, delayMs: number, operation: TimerOperation<Rec>): void
  /** Quiet if there is none. */
  cancel(key: string): void
  has(key: string): boolean
}

export class ScheduledTimers<Rec> implements Timers<Rec> {
  readonly #scheduler: Scheduler
  readonly #run: (key: string, operation: TimerOperation<Rec>) => void
  readonly #cancels = new Map<string, () => void>()

  /** `run` executes the operation of a timer that is due. */
  constructor(scheduler: Scheduler, run: (key: string, operation: TimerOperation<Rec>) => void) {
    this.#scheduler = scheduler
    this.#run = run
  }

  schedule(key: string, delayMs: number, operation: TimerOperation<Rec>): void {
    this.#cancels.get(key)?.()
    const cancel = this.#scheduler.after(delayMs, () => {
      this.#cancels.delete(key)
      this.#run(key, operation)
    })
    this.#cancels.set(key, cancel)
  }

  cancel(key: string): void {
    this.#cancels.get(key)?.()
    this.#cancels.delete(key)
  }

  has(key: string): boolean {
    return this.#cancels.has(key)
  }

  cancelAll(): void {
    for (const cancel of this.#cancels.values()) cancel()
    this.#cancels.clear()
  }
}

const DELAY_MS_MAX = 2 ** 31 - 1

/** Real time; none of its timers keeps the process alive. */
export const systemScheduler: Scheduler = {
  after(delayMs, run) {
    const timer = setTimeout(run, Math.min(Math.max(delayMs, 0), DELAY_MS_MAX))
    timer.unref()
    return () => clearTimeout(timer)
  },
}
