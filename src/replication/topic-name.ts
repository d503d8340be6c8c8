/** What a topic may be called, in Kafka's rules and words, and which names belong to the broker itself. */

const NAME_LENGTH_MAX = 249
const LEGAL_NAME = /^[a-zA-Z0-9._-]+$/

const INTERNAL_TOPICS: ReadonlySet<string> = new Set([
  '__consumer_offsets',
  '__transaction_state',
  '__share_group_state',
])

/** KRaft's own log, which no client may create. */
export const CLUSTER_METADATA_TOPIC = '__cluster_metadata'

/** Why a name is not allowed (error 17); null: it is. */
export function topicNameProblem(name: string): string | null {
  if (name === '') return 'Topic name is invalid: the empty string is not allowed'
  if (name === '.' || name === '..') return `Topic name is invalid: '${name}' is not allowed`
  if (name.length > NAME_LENGTH_MAX) {
    return (
      `Topic name is invalid: the length of '${name}' is longer than the max allowed length ` +
      NAME_LENGTH_MAX
    )
  }
  if (LEGAL_NAME.test(name)) return null
  return (
    `Topic name is invalid: '${name}' contains one or more characters other than ASCII ` +
    "alphanumerics, '.', '_' and '-'"
  )
}

export function isInternalTopic(name: string): boolean {
  return INTERNAL_TOPICS.has(name)
}

/** What names share that differ only in `.` and `_`, which metric names cannot tell apart. */
export function collisionKey(name: string): string {
  return name.replace(/\./g, '_')
}
