/** Requests that name a thing twice: Kafka refuses such a name as a whole and answers it once. */

export interface Distinct<T> {
  /** The last entry of the name. */
  readonly entry: T
  readonly isRepeated: boolean
}

/** One element for each name, in the order in which the names first come. */
export function distinctByName<T extends { readonly name: string }>(
  entries: readonly T[],
): Distinct<T>[] {
  const byName = new Map<string, Distinct<T>>()
  for (const entry of entries) {
    byName.set(entry.name, { entry, isRepeated: byName.has(entry.name) })
  }
  return [...byName.values()]
}
