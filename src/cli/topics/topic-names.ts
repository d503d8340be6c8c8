/** The topics that an action is about: all, or those whose whole name matches --topic. */
import { BrokerError } from '../../base/errors.js'
import type { AdminClient } from '../../client/admin-client.js'
import { MetadataRequest, MetadataResponse } from '../../protocol/messages/metadata.js'
import { UsageError } from '../failure.js'
import type { TopicsOptions } from './topics.js'

export interface NamedTopic {
  readonly name: string
  readonly topicId: string
}

/** Sorted by name, as kafka-topics lists them. */
export async function matchingTopics(
  client: AdminClient,
  options: TopicsOptions,
): Promise<NamedTopic[]> {
  const api = { request: MetadataRequest, response: MetadataResponse }
  const { topics } = await client.request(api, { topics: null, allowAutoTopicCreation: false })
  const matches = matcherOf(options.topic)
  return topics
    .filter(({ isInternal }) => !(isInternal && options.excludeInternal === true))
    .filter(({ topicId }) => options.topicId === undefined || options.topicId === topicId)
    .map(({ name, topicId }) => ({ name: name ?? '', topicId }))
    .filter(({ name }) => matches(name))
    .sort((left, right) => (left.name < right.name ? -1 : 1))
}

/** Fails as kafka-topics does when nothing matches what was asked for. */
export function requireTopics(found: readonly NamedTopic[], options: TopicsOptions): void {
  if (found.length > 0 || options.ifExists === true) return
  const wanted =
    options.topicId !== undefined ? `TopicId '${options.topicId}'` : `Topic '${options.topic}'`
  if (options.topic === undefined && options.topicId === undefined) return
  throw new BrokerError(
    'ERR_TOPIC_UNKNOWN',
    `Error while executing topic command : ${wanted} does not exist as expected`,
  )
}

/** As Kafka's IncludeList: a comma separates alternatives, quotes are dropped. */
export function matcherOf(topic: string | undefined): (name: string) => boolean {
  if (topic === undefined) return () => true
  const pattern = topic
    .trim()
    .replace(/,/g, '|')
    .replace(/ /g, '')
    .replace(/^["']+|["']+$/g, '')
  try {
    const expression = new RegExp(`^(?:${pattern})$`)
    return name => expression.test(name)
  } catch {
    throw new UsageError(`The topic "${topic}" is not a valid regular expression.`)
  }
}
