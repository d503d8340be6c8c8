/** Waits for a condition: the way in which tests synchronise with other processes. */

const LIMIT_MS = 90_000

/** Resolves when `condition` holds; fails with its text when it does not within `limitMs`. */
export async function until(condition: () => boolean, limitMs = LIMIT_MS): Promise<void> {
  const end = performance.now() + limitMs
  while (!condition()) {
    if (performance.now() > end) throw new Error(`not within ${limitMs} ms: ${condition}`)
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}
