/** All topic settings in one table, and the types that follow from it. */
import type { Definition, ValueOf } from './definition.js'
import { ownTopicDefinitions } from './definitions/own.js'
import { topicDefinitions as kafkaTopicDefinitions } from './definitions/topic.js'

export const topicDefinitions = { ...kafkaTopicDefinitions, ...ownTopicDefinitions }

export type TopicConfigKey = keyof typeof topicDefinitions
export type TopicConfigValue<K extends TopicConfigKey> = ValueOf<(typeof topicDefinitions)[K]>

export function isTopicConfigKey(key: string): key is TopicConfigKey {
  return Object.hasOwn(topicDefinitions, key)
}

export function topicDefinition(key: TopicConfigKey): Definition {
  return topicDefinitions[key]
}
