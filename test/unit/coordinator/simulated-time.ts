/** Time that stands still until a test moves it; timers run in the order of their times. */
import type { Clock } from '../../../src/base/clock.js'
import type { Scheduler } from '../../../src/coordinator/runtime/timers.js'

export class SimulatedTime implements Clock, Scheduler {
  #nowMs: number
  #sequence = 0
  #timers: { atMs: number; sequence: number; run: () => void }[] = []

  constructor(startMs = 1_000_000) {
    this.#nowMs = startMs
  }

  nowMs(): number {
    return this.#nowMs
  }

  monotonicMs(): number {
    return this.#nowMs
  }

  after(delayMs: number, run: () => void): () => void {
    const timer = { atMs: this.#nowMs + Math.max(0, delayMs), sequence: this.#sequence++, run }
    this.#timers.push(timer)
    return () => {
      this.#timers = this.#timers.filter(each => each !== timer)
    }
  }

  /** Moves time on and runs what falls due, promises included. */
  async advance(ms: number): Promise<void> {
    await settle()
    const endMs = this.#nowMs + ms
    for (;;) {
      const [next] = this.#timers
        .filter(({ atMs }) => atMs <= endMs)
        .sort((a, b) => a.atMs - b.atMs || a.sequence - b.sequence)
      if (next === undefined) break
      this.#timers = this.#timers.filter(each => each !== next)
      this.#nowMs = Math.max(this.#nowMs, next.atMs)
      next.run()
      await settle()
    }
    this.#nowMs = endMs
    await settle()
  }

  get pendingTimers(): number {
    return this.#timers.length
  }
}

/** Lets all promises run that can. */
export function settle(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve))
}
