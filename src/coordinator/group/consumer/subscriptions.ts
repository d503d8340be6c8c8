/**
 * Who of a consumer group subscribes to what: topics by name and by pattern, each with how often. Pure counting; see
 * consumer-group.ts, which keeps one, and copies it to see what a change would make of it.
 */
import type { ConsumerMember } from './consumer-member.js'
import type { ResolvedRegex } from './topic-regex.js'

interface TopicCount {
  /** Members that name the topic. */
  readonly byName: number
  /** Patterns of the group that match it. */
  readonly byRegex: number
}

export class Subscriptions {
  readonly #topics: Map<string, TopicCount>
  /** How many members have a pattern. */
  readonly #regexes: Map<string, number>

  constructor(from?: Subscriptions) {
    this.#topics = new Map(from === undefined ? [] : from.#topics)
    this.#regexes = new Map(from === undefined ? [] : from.#regexes)
  }

  topicNames(): IterableIterator<string> {
    return this.#topics.keys()
  }

  has(topicName: string): boolean {
    return this.#topics.has(topicName)
  }

  regexes(): ReadonlyMap<string, number> {
    return this.#regexes
  }

  subscribersOf(regex: string): number {
    return this.#regexes.get(regex) ?? 0
  }

  /** A member came, went or changed. */
  replaceMember(old: ConsumerMember | null, changed: ConsumerMember | null): void {
    const before = old?.subscribedTopicNames
    const after = changed?.subscribedTopicNames
    if (before !== after) {
      for (const topic of before ?? []) this.#count(topic, -1, 0)
      for (const topic of after ?? []) this.#count(topic, 1, 0)
    }
    const regexBefore = old?.subscribedTopicRegex ?? ''
    const regexAfter = changed?.subscribedTopicRegex ?? ''
    if (regexBefore === regexAfter) return
    if (regexBefore !== '') this.#countRegex(regexBefore, -1)
    if (regexAfter !== '') this.#countRegex(regexAfter, 1)
  }

  /** A pattern was resolved anew, or is gone. */
  replaceResolved(old: ResolvedRegex | undefined, changed: ResolvedRegex | undefined): void {
    for (const topic of old?.topics ?? []) this.#count(topic, 0, -1)
    for (const topic of changed?.topics ?? []) this.#count(topic, 0, 1)
  }

  /** All members want the same, as far as it can be told without going through them. */
  isHomogeneous(memberCount: number): boolean {
    if (this.#regexes.size === 0) {
      return this.#every(({ byName }) => byName === memberCount)
    }
    const [count] = this.#regexes.values()
    if (count !== memberCount) return false
    return this.#every(({ byName, byRegex }) => byRegex === 1 && byName <= 0)
  }

  #every(predicate: (count: TopicCount) => boolean): boolean {
    for (const count of this.#topics.values()) if (!predicate(count)) return false
    return true
  }

  #count(topic: string, byName: number, byRegex: number): void {
    const count = this.#topics.get(topic) ?? { byName: 0, byRegex: 0 }
    const changed = { byName: count.byName + byName, byRegex: count.byRegex + byRegex }
    if (changed.byName <= 0 && changed.byRegex <= 0) this.#topics.delete(topic)
    else this.#topics.set(topic, changed)
  }

  #countRegex(regex: string, change: number): void {
    const count = this.subscribersOf(regex) + change
    if (count > 0) this.#regexes.set(regex, count)
    else this.#regexes.delete(regex)
  }
}
