/**
 * The entries of DescribeConfigs for topics and brokers, with Kafka's sources, synonyms and types.
 * Fields are named as in the message. Values of secrets are always null.
 */
import { LAYERS, type BrokerConfig, type Layer } from './broker-config.js'
import { brokerDefinition, isBrokerConfigKey, type BrokerConfigKey } from './broker-definitions.js'
import type { ConfigType, Definition } from './definition.js'
import { EFFECTIVE } from './definitions/effects.js'
import { renderValue } from './parse-value.js'
import type { TopicConfig } from './topic-config.js'
import { topicDefinition, type TopicConfigKey } from './topic-definitions.js'

export const CONFIG_SOURCE = {
  DYNAMIC_TOPIC_CONFIG: 1,
  DYNAMIC_BROKER_CONFIG: 2,
  DYNAMIC_DEFAULT_BROKER_CONFIG: 3,
  STATIC_BROKER_CONFIG: 4,
  DEFAULT_CONFIG: 5,
  DYNAMIC_BROKER_LOGGER_CONFIG: 6,
  DYNAMIC_CLIENT_METRICS_CONFIG: 7,
  DYNAMIC_GROUP_CONFIG: 8,
} as const

const SOURCE_OF: Readonly<Record<Layer, number>> = {
  'dynamic-broker': CONFIG_SOURCE.DYNAMIC_BROKER_CONFIG,
  'dynamic-default': CONFIG_SOURCE.DYNAMIC_DEFAULT_BROKER_CONFIG,
  static: CONFIG_SOURCE.STATIC_BROKER_CONFIG,
  default: CONFIG_SOURCE.DEFAULT_CONFIG,
}

const CONFIG_TYPE: Readonly<Record<ConfigType, number>> = {
  boolean: 1,
  string: 2,
  int: 3,
  short: 4,
  long: 5,
  double: 6,
  list: 7,
  class: 8,
  password: 9,
}

export interface ConfigSynonym {
  readonly name: string
  readonly value: string | null
  readonly source: number
}

export interface ConfigEntry {
  readonly name: string
  readonly value: string | null
  readonly readOnly: boolean
  readonly configSource: number
  readonly isSensitive: boolean
  readonly synonyms: readonly ConfigSynonym[]
  readonly configType: number
  readonly documentation: string | null
}

export interface DescribeOptions {
  /** The settings to describe; null or absent for all. Unknown names are left out. */
  readonly keys?: readonly string[] | null
  readonly includeSynonyms?: boolean
  readonly includeDocumentation?: boolean
}

/**
 * Settings that Kafka only knows at run time, per broker; a broker's description has no entry for
 * them.
 */
const DYNAMIC_ONLY: ReadonlySet<BrokerConfigKey> = new Set([
  'follower.replication.throttled.rate',
  'leader.replication.throttled.rate',
  'replica.alter.log.dirs.io.max.bytes.per.second',
])

/** Broker settings that stand in for each other, strongest first. */
const STAND_INS: readonly (readonly BrokerConfigKey[])[] = [
  ['log.roll.ms', 'log.roll.hours'],
  ['log.roll.jitter.ms', 'log.roll.jitter.hours'],
  ['log.flush.interval.ms', 'log.flush.scheduler.interval.ms'],
  ['log.retention.ms', 'log.retention.minutes', 'log.retention.hours'],
]

/** The entries of a topic, by name. */
export function describeTopicConfig(
  topic: TopicConfig,
  broker: BrokerConfig,
  options: DescribeOptions = {},
): ConfigEntry[] {
  return selected(topic.keys, options).map(key => {
    const definition = topicDefinition(key)
    const value = renderValue(topic.value(key), definition.type)
    const synonyms = topicSynonyms(key, topic, broker)
    return configEntry(key, value, { definition, synonyms, readOnly: false }, options)
  })
}

/** The entries of a broker, by name. */
export function describeBrokerConfig(
  broker: BrokerConfig,
  options: DescribeOptions = {},
): ConfigEntry[] {
  const keys = broker.keys.filter(key => !DYNAMIC_ONLY.has(key))
  return selected(keys, options).map(key => {
    const definition = brokerDefinition(key)
    const value = renderValue(broker.value(key), definition.type)
    const readOnly = definition.update === 'read-only'
    return configEntry(
      key,
      value,
      { definition, synonyms: brokerSynonyms(key, broker), readOnly },
      options,
    )
  })
}

/**
 * The entries of the default of all brokers: what was set for it, and nothing else. Names that are no settings of this
 * broker are describe-foreign-configs.ts's.
 */
export function describeBrokerDefault(
  broker: BrokerConfig,
  texts: ReadonlyMap<string, string>,
  options: DescribeOptions = {},
): ConfigEntry[] {
  const source = CONFIG_SOURCE.DYNAMIC_DEFAULT_BROKER_CONFIG
  return selected([...texts.keys()].filter(isBrokerConfigKey), options).map(name => {
    const definition = brokerDefinition(name)
    const value = renderValue(broker.valueIn('dynamic-default', name) ?? null, definition.type)
    const shown = definition.type === 'password' ? null : value
    const synonyms = [{ name, value: shown, source }]
    return configEntry(name, value, { definition, synonyms, readOnly: false }, options)
  })
}

export function selected<K extends string>(keys: readonly K[], options: DescribeOptions): K[] {
  const wanted = options.keys === undefined || options.keys === null ? null : new Set(options.keys)
  return keys.filter(key => wanted === null || wanted.has(key)).sort()
}

export interface Described {
  readonly definition: Definition
  readonly synonyms: readonly ConfigSynonym[]
  readonly readOnly: boolean
}

export function configEntry(
  name: string,
  value: string | null,
  { definition, synonyms, readOnly }: Described,
  options: DescribeOptions,
): ConfigEntry {
  const isSensitive = definition.type === 'password'
  return {
    name,
    value: isSensitive ? null : value,
    readOnly,
    configSource: synonyms[0]?.source ?? CONFIG_SOURCE.DEFAULT_CONFIG,
    isSensitive,
    synonyms: options.includeSynonyms === true ? synonyms : [],
    configType: CONFIG_TYPE[definition.type],
    documentation: options.includeDocumentation === true ? documentationOf(definition) : null,
  }
}

function documentationOf({ doc, effect }: Definition): string {
  return effect === EFFECTIVE ? doc : `${doc} (${effect})`
}

function topicSynonyms(
  key: TopicConfigKey,
  topic: TopicConfig,
  broker: BrokerConfig,
): ConfigSynonym[] {
  const definition = topicDefinition(key)
  const behind = definition.brokerDefault
  const synonyms =
    behind !== undefined && isBrokerConfigKey(behind) ? brokerSynonyms(behind, broker) : []
  const override = topic.override(key)
  if (override === undefined) return synonyms
  const value = renderValue(override, definition.type)
  return [{ name: key, value, source: CONFIG_SOURCE.DYNAMIC_TOPIC_CONFIG }, ...synonyms]
}

/**
 * Kafka's rule: layer by layer the values of all stand-ins, from the first that bears `key`'s name. A default of null
 * is none.
 */
export function brokerSynonyms(key: BrokerConfigKey, broker: BrokerConfig): ConfigSynonym[] {
  const names = STAND_INS.find(group => group.includes(key)) ?? [key]
  const synonyms = LAYERS.flatMap(layer =>
    names.flatMap(name => {
      const value = broker.valueIn(layer, name)
      if (value === undefined || (layer === 'default' && value === null)) return []
      const { type } = brokerDefinition(name)
      const text = type === 'password' ? null : renderValue(value, type)
      return [{ name, value: text, source: SOURCE_OF[layer] }]
    }),
  )
  const first = synonyms.findIndex(({ name }) => name === key)
  return first < 0 ? [] : synonyms.slice(first)
}
