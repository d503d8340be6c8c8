/** Kafka's rules for topic names, in Kafka's words. */
import { excerptOf } from '../base/printable.js'

const NAME_LENGTH_MAX = 249
const LEGAL = /^[a-zA-Z0-9._-]+$/

/** Topics that the broker itself keeps its state in. */
const INTERNAL_TOPICS: ReadonlySet<string> = new Set([
  '__consumer_offsets',
  '__transaction_state',
  '__share_group_state',
])

/** Why the name is not legal (error 17 INVALID_TOPIC_EXCEPTION); undefined if it is. */
export function topicNameViolation(name: string): string | undefined {
  if (name === '') return 'Topic name is invalid: the empty string is not allowed'
  if (name === '.' || name === '..') {
    return `Topic name is invalid: '${name}' is not allowed`
  }
  if (name.length > NAME_LENGTH_MAX) {
    return (
      `Topic name is invalid: the length of '${excerptOf(name)}' is longer than the max allowed length ` +
      NAME_LENGTH_MAX
    )
  }
  if (!LEGAL.test(name)) {
    return (
      `Topic name is invalid: '${name}' contains one or more characters other than ` +
      "ASCII alphanumerics, '.', '_' and '-'"
    )
  }
  return undefined
}

/** Names with the same key collide, since metric names cannot tell `.` from `_`. */
export function collisionKeyOf(name: string): string {
  return name.replaceAll('.', '_')
}

export function isInternalTopic(name: string): boolean {
  return INTERNAL_TOPICS.has(name)
}
