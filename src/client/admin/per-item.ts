/**
 * Calls about several things at once: each succeeds or fails by itself, what may be tried again is tried again
 * without the rest, and what failed in the end is reported together.
 */
import type { CallOptions, Cluster } from '../cluster/cluster.js'
import { KafkaError, isRetriableError } from '../errors.js'

/**
 * Some of the things that a call was about failed; the others are done. Code and message are those of the first.
 *
 * @example
 * try {
 *   await admin.topics.create([{ name: 'a' }, { name: 'b' }])
 * } catch (error) {
 *   if (error instanceof PartialFailureError) error.failures.get('b')?.errorName
 * }
 */
export class PartialFailureError extends KafkaError {
  /** What failed, by name (`topic`, `topic-partition`, group, ...). */
  readonly failures: ReadonlyMap<string, KafkaError>

  constructor(failures: ReadonlyMap<string, KafkaError>) {
    const [first] = failures.values()
    const others = failures.size > 1 ? ` (and ${failures.size - 1} more failed)` : ''
    super(first!.errorCode, `${first!.message}${others}`, {
      cause: first,
      retriable: first!.retriable,
    })
    this.failures = failures
  }
}

/** The result for each thing asked for, or its error. */
export type ItemResults<R> = Map<string, R | KafkaError>

/**
 * Asks for all items, then again for those that failed in a way that may pass. Returns the results by name; throws
 * a PartialFailureError if any failed.
 */
export async function perItem<I, R>(
  cluster: Cluster,
  what: string,
  items: readonly I[],
  nameOf: (item: I) => string,
  ask: (items: readonly I[]) => Promise<ItemResults<R>>,
  options: CallOptions = {},
): Promise<Map<string, R>> {
  const done: ItemResults<R> = new Map()
  let pending = items
  const attempt = async () => {
    const results = await ask(pending)
    for (const [name, result] of results) done.set(name, result)
    pending = pending.filter(item => isRetriableError(done.get(nameOf(item))))
    const [first] = pending
    if (first !== undefined) throw done.get(nameOf(first)) as KafkaError
  }
  try {
    if (pending.length > 0) await cluster.retrying(what, attempt, options)
  } catch (error) {
    // Nothing was learned at all: the failure is that of the way, not of an item.
    if (done.size === 0) throw error
  }
  const failures = new Map<string, KafkaError>()
  const succeeded = new Map<string, R>()
  for (const [name, result] of done) {
    if (result instanceof KafkaError) failures.set(name, result)
    else succeeded.set(name, result)
  }
  if (failures.size > 0) throw new PartialFailureError(failures)
  return succeeded
}
