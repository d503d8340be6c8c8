/**
 * The order in which a Java HashMap walks String keys that `computeIfAbsent` added. Kafka's tool
 * keeps its findings in such maps, so this order is part of what scripts see.
 */

const INITIAL_CAPACITY = 16
const LOAD_FACTOR = 0.75

/** The entries of `map`, whose own order is that of insertion. */
export function inJavaHashOrder<V>(map: ReadonlyMap<string, V>): [string, V][] {
  let capacity = INITIAL_CAPACITY
  // The table grows at the insertion after the one that filled it.
  while (map.size - 1 > capacity * LOAD_FACTOR) capacity *= 2
  const bucketOf = (key: string): number => {
    const hash = javaHashCode(key)
    return (hash ^ (hash >>> 16)) & (capacity - 1)
  }
  // Each insertion goes to the head of its bucket; the sort is stable.
  return [...map].reverse().sort(([a], [b]) => bucketOf(a) - bucketOf(b))
}

function javaHashCode(text: string): number {
  let hash = 0
  for (let index = 0; index < text.length; index++) {
    hash = (Math.imul(hash, 31) + text.charCodeAt(index)) | 0
  }
  return hash
}
