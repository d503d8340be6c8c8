/** The `feature=level` pairs of the command line, refused in Kafka's words. */
import { UsageError } from '../failure.js'

const LEVEL_MAX = 32_767

export function levelsOf(pairs: readonly string[]): Map<string, number> {
  const levels = new Map<string, number>()
  for (const pair of pairs) {
    const at = pair.indexOf('=')
    const problem = `Can't parse feature=level string ${pair}:`
    if (at < 0) throw new UsageError(`${problem} equals sign not found.`)
    const name = pair.slice(0, at).trim()
    const text = pair.slice(at + 1).trim()
    const level = /^[+-]?[0-9]{1,6}$/.test(text) ? Number(text) : NaN
    if (!(Math.abs(level) <= LEVEL_MAX)) {
      throw new UsageError(`${problem} unable to parse ${text} as a short.`)
    }
    addOnce(levels, name, level)
  }
  return levels
}

/** Refuses a feature that is there already. */
export function addOnce(levels: Map<string, number>, name: string, level: number): void {
  if (levels.has(name)) throw new UsageError(`Feature ${name} was specified more than once.`)
  levels.set(name, level)
}
