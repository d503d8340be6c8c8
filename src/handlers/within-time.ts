/** Bounds how long a request waits for work that goes on regardless. */

const WAIT_MS_MAX = 2 ** 31 - 1

/** The result of `work`, or `late` if it takes longer than `timeoutMs`; the work is not stopped. */
export function withinTime<T, L>(work: Promise<T>, timeoutMs: number, late: L): Promise<T | L> {
  return new Promise((resolve, reject) => {
    const waitMs = Math.min(Math.max(timeoutMs, 0), WAIT_MS_MAX)
    const timer = setTimeout(() => resolve(late), waitMs)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
