/** Finds the known name that a mistyped one most likely meant. */

/**
 * The nearest of `names` within an edit distance that grows with the length of `text`; ties: the
 * first.
 */
export function nearestName(text: string, names: Iterable<string>): string | undefined {
  let best: string | undefined
  let bestDistance = Math.max(2, Math.floor(text.length / 5)) + 1
  for (const name of names) {
    if (Math.abs(name.length - text.length) >= bestDistance) continue
    const distance = editDistance(text.toLowerCase(), name, bestDistance)
    if (distance >= bestDistance) continue
    best = name
    bestDistance = distance
  }
  return best
}

/** Levenshtein distance; any number of at least `limit` when it is not below that. */
function editDistance(left: string, right: string, limit: number): number {
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let row = 1; row <= left.length; row++) {
    const current = [row]
    for (let column = 1; column <= right.length; column++) {
      const substituted = previous[column - 1]! + (left[row - 1] === right[column - 1] ? 0 : 1)
      current.push(Math.min(substituted, previous[column]! + 1, current[column - 1]! + 1))
    }
    if (Math.min(...current) >= limit) return limit
    previous = current
  }
  return previous[right.length]!
}
