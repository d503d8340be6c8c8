/** Time as an interface, so that coordinators and the store run under a simulated clock. */

export interface Clock {
  /** Wall-clock time in milliseconds since the epoch; may step when the machine's clock is set. */
  nowMs(): number
  /** Milliseconds of a clock that never steps; only differences mean anything. */
  monotonicMs(): number
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
}
