/**
 * Subscriptions by pattern (KIP-848): RE2 syntax as Kafka's brokers take it, a whole name must match, and matching
 * takes time linear in the name whatever the pattern.
 */
import { RE2JS, RE2JSException } from 're2js'
import type { TopicsImage } from '../group-context.js'

/** The topics that a pattern stands for, as they were at a time. */
export interface ResolvedRegex {
  readonly topics: ReadonlySet<string>
  /** Version of the topics that it was resolved against. */
  readonly version: number
  readonly timestampMs: number
}

export const UNRESOLVED_TOPICS: ReadonlySet<string> = new Set()

/** Null if the pattern is valid, or what is wrong with it. */
export function regexFault(regex: string): string | null {
  try {
    RE2JS.compile(regex)
    return null
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error
    return error.message.replace(/^error parsing regexp: /, '')
  }
}

/** All patterns at once, so that the topics are gone through once. A pattern that is not valid matches nothing. */
export function resolveRegexes(
  regexes: Iterable<string>,
  topics: TopicsImage,
  nowMs: number,
): Map<string, ResolvedRegex> {
  const resolved = new Map<string, ResolvedRegex>()
  const names = [...topics.names()]
  for (const regex of regexes) {
    const matching = regexFault(regex) === null ? matchesOf(regex, names) : []
    resolved.set(regex, {
      topics: new Set(matching),
      version: topics.version,
      timestampMs: nowMs,
    })
  }
  return resolved
}

function matchesOf(regex: string, names: readonly string[]): string[] {
  const pattern = RE2JS.compile(regex)
  return names.filter(name => pattern.matches(name))
}
