/** Kafka's exponential backoff (KIP-580): doubling from a first delay to a largest one, 20 % jitter either way. */
import { type Random, systemRandom } from '../base/random.js'

const JITTER = 0.2

export interface BackoffRange {
  /** Delay before the first retry, in milliseconds. */
  readonly initialMs: number
  readonly maxMs: number
}

/** Milliseconds before retry number `attempt`, which counts from 0. */
export function backoffMs(
  { initialMs, maxMs }: BackoffRange,
  attempt: number,
  random: Random = systemRandom,
): number {
  const base = Math.min(maxMs, initialMs * 2 ** Math.min(attempt, 30))
  return base * (1 - JITTER + random() * 2 * JITTER)
}

/** Resolves after `ms`; rejects with the signal's reason if that comes first. */
export function delay(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason as Error)
    const abort = () => {
      clearTimeout(timer)
      reject(signal!.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, ms)
    signal?.addEventListener('abort', abort, { once: true })
  })
}
