/**
 * The value that each topic setting has when a topic does not set it: the broker's, with Kafka's
 * precedence of milliseconds over minutes over hours, or else the topic setting's own default.
 */
import type { BrokerConfig } from './broker-config.js'
import { isBrokerConfigKey } from './broker-definitions.js'
import type { ConfigValue } from './definition.js'
import { topicDefinition, topicDefinitions, type TopicConfigKey } from './topic-definitions.js'

export type TopicDefaults = ReadonlyMap<TopicConfigKey, ConfigValue>

const MS_PER_MINUTE = 60_000n
const MS_PER_HOUR = 3_600_000n

const DERIVED: Partial<Record<TopicConfigKey, (broker: BrokerConfig) => bigint>> = {
  'retention.ms': retentionMs,
  'segment.ms': broker =>
    broker.get('log.roll.ms') ?? BigInt(broker.get('log.roll.hours')) * MS_PER_HOUR,
  'segment.jitter.ms': broker =>
    broker.get('log.roll.jitter.ms') ?? BigInt(broker.get('log.roll.jitter.hours')) * MS_PER_HOUR,
  'flush.ms': broker =>
    broker.get('log.flush.interval.ms') ?? broker.get('log.flush.scheduler.interval.ms'),
}

/** Computed once per broker and shared by all topics. */
export function topicDefaultsOf(broker: BrokerConfig): TopicDefaults {
  const defaults = new Map<TopicConfigKey, ConfigValue>()
  for (const key of Object.keys(topicDefinitions) as TopicConfigKey[]) {
    defaults.set(key, defaultOf(key, broker))
  }
  return defaults
}

function defaultOf(key: TopicConfigKey, broker: BrokerConfig): ConfigValue {
  const derived = DERIVED[key]
  if (derived !== undefined) return derived(broker)
  const definition = topicDefinition(key)
  const source = definition.brokerDefault
  return source !== undefined && isBrokerConfigKey(source)
    ? broker.value(source)
    : definition.default
}

function retentionMs(broker: BrokerConfig): bigint {
  const ms = broker.get('log.retention.ms')
  if (ms !== null) return ms
  const minutes = broker.get('log.retention.minutes')
  if (minutes !== null) return minutes < 0 ? -1n : BigInt(minutes) * MS_PER_MINUTE
  const hours = broker.get('log.retention.hours')
  return hours < 0 ? -1n : BigInt(hours) * MS_PER_HOUR
}
