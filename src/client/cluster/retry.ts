/** Trying again, by Kafka's rules: only retriable errors, with a growing backoff, within one deadline. */
import { type BackoffRange, backoffMs, delay } from '../backoff.js'
import { isRetriableError, timeoutError } from '../errors.js'

export interface RetryOptions {
  /** When to give up, as performance.now(). */
  readonly deadlineMs: number
  readonly backoff: BackoffRange
  readonly signal?: AbortSignal
  /** Called before each further try, for what the error tells (a moved coordinator, an old leader). */
  onRetry?(error: unknown, attempt: number): void | Promise<void>
}

/**
 * Calls until it succeeds. Rejects with the first error that is not retriable, or at the deadline with the last one
 * as the `cause` of a REQUEST_TIMED_OUT that says what was tried.
 */
export async function retrying<T>(
  what: string,
  call: (attempt: number) => Promise<T>,
  { deadlineMs, backoff, signal, onRetry }: RetryOptions,
): Promise<T> {
  const startMs = performance.now()
  for (let attempt = 0; ; attempt++) {
    try {
      return await call(attempt)
    } catch (error) {
      if (!isRetriableError(error)) throw error
      signal?.throwIfAborted()
      const waitMs = backoffMs(backoff, attempt)
      if (performance.now() + waitMs >= deadlineMs) {
        const tookMs = Math.round(deadlineMs - startMs)
        const last = error instanceof Error ? error.message : String(error)
        throw timeoutError(`${what} did not succeed within ${tookMs} ms. Last: ${last}`, error)
      }
      await delay(waitMs, signal)
      await onRetry?.(error, attempt)
    }
  }
}
