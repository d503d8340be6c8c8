/** Time of a simulation: a heap of what is to run. Of what is due at once the first scheduled runs first. */
import type { Clock } from '../../src/base/clock.js'
import type { Scheduler } from '../../src/coordinator/runtime/timers.js'

interface Entry {
  readonly atMs: number
  readonly sequence: number
  run: (() => void) | null
}

export class SimulationTime implements Clock, Scheduler {
  #nowMs = 1_000_000
  #sequence = 0
  readonly #heap: Entry[] = []

  nowMs(): number {
    return this.#nowMs
  }

  monotonicMs(): number {
    return this.#nowMs
  }

  after(delayMs: number, run: () => void): () => void {
    const entry: Entry = {
      atMs: this.#nowMs + Math.max(0, delayMs),
      sequence: this.#sequence++,
      run,
    }
    this.#push(entry)
    return () => (entry.run = null)
  }

  /** Runs what falls due until `endMs`, each with all promises that follow from it, and looks after each. */
  async runUntil(endMs: number, look: () => void): Promise<void> {
    for (;;) {
      const next = this.#heap[0]
      if (next === undefined || next.atMs > endMs) break
      this.#pop()
      if (next.run === null) continue
      this.#nowMs = Math.max(this.#nowMs, next.atMs)
      next.run()
      await quiet()
      look()
    }
    this.#nowMs = endMs
  }

  #push(entry: Entry): void {
    const heap = this.#heap
    let at = heap.push(entry) - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!isBefore(entry, heap[parent]!)) break
      heap[at] = heap[parent]!
      at = parent
    }
    heap[at] = entry
  }

  #pop(): void {
    const heap = this.#heap
    const last = heap.pop()!
    const size = heap.length
    if (size === 0) return
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= size) break
      if (child + 1 < size && isBefore(heap[child + 1]!, heap[child]!)) child++
      if (!isBefore(heap[child]!, last)) break
      heap[at] = heap[child]!
      at = child
    }
    heap[at] = last
  }
}

function isBefore(a: Entry, b: Entry): boolean {
  return a.atMs !== b.atMs ? a.atMs < b.atMs : a.sequence < b.sequence
}

/** All promises that can have run when the turn ends. */
function quiet(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve))
}
