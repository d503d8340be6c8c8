/**
 * The settings of topics: a topic's own over the broker's. One TopicConfigs per broker checks what
 * CreateTopics asks for and makes the small immutable TopicConfig of each topic.
 */
import { excerptOf } from '../base/printable.js'
import type { BrokerConfig } from './broker-config.js'
import type { ConfigValue } from './definition.js'
import { parseValue } from './parse-value.js'
import { topicDefaultsOf, type TopicDefaults } from './topic-defaults.js'
import {
  isTopicConfigKey,
  topicDefinition,
  topicDefinitions,
  type TopicConfigKey,
  type TopicConfigValue,
} from './topic-definitions.js'

/** The texts a topic was given, by setting name. */
export type TopicOverrides = Iterable<readonly [key: string, text: string | null]>

export class TopicConfig {
  readonly #defaults: TopicDefaults
  readonly #overrides: ReadonlyMap<TopicConfigKey, ConfigValue>

  constructor(defaults: TopicDefaults, overrides: ReadonlyMap<TopicConfigKey, ConfigValue>) {
    this.#defaults = defaults
    this.#overrides = overrides
  }

  get<K extends TopicConfigKey>(key: K): TopicConfigValue<K> {
    return this.value(key) as TopicConfigValue<K>
  }

  /** As `get`, for keys that are only known at run time. */
  value(key: TopicConfigKey): ConfigValue {
    return this.#overrides.get(key) ?? this.#defaults.get(key) ?? null
  }

  /** The topic's own value; undefined when it takes the default. */
  override(key: TopicConfigKey): ConfigValue | undefined {
    return this.#overrides.get(key)
  }

  get keys(): readonly TopicConfigKey[] {
    return Object.keys(topicDefinitions) as TopicConfigKey[]
  }
}

export class TopicConfigs {
  #defaults: TopicDefaults
  #unset: TopicConfig

  constructor(broker: BrokerConfig) {
    this.#defaults = topicDefaultsOf(broker)
    this.#unset = new TopicConfig(this.#defaults, new Map())
  }

  /** The settings of a topic that sets nothing. */
  get defaults(): TopicConfig {
    return this.#unset
  }

  /** Takes over what the broker's settings are now; configs made before keep what they had. */
  refresh(broker: BrokerConfig): void {
    this.#defaults = topicDefaultsOf(broker)
    this.#unset = new TopicConfig(this.#defaults, new Map())
  }

  /**
   * The settings of a topic with these stored overrides. What is not a known, valid setting is left
   * out: it was checked by `violation` when it was stored, or stored by another version.
   */
  of(overrides: TopicOverrides): TopicConfig {
    const parsed = new Map<TopicConfigKey, ConfigValue>()
    for (const [key, text] of overrides) {
      if (text === null || !isTopicConfigKey(key)) continue
      const result = parseValue(key, text, topicDefinition(key))
      if (result.ok) parsed.set(key, result.value)
    }
    return parsed.size === 0 ? this.#unset : new TopicConfig(this.#defaults, parsed)
  }

  /**
   * Why a topic may not have these settings, in Kafka's words (error 40 INVALID_CONFIG); undefined
   * if it may.
   */
  violation(overrides: TopicOverrides): string | undefined {
    const entries = [...overrides]
    const nulls = entries.filter(([, text]) => text === null).map(([key]) => key)
    if (nulls.length > 0)
      return `Null value not supported for topic configs: ${excerptOf(nulls.join(','))}`
    for (const [key, text] of entries) {
      if (!isTopicConfigKey(key)) return `Unknown topic config name: ${excerptOf(key)}`
      const result = parseValue(key, text ?? '', topicDefinition(key))
      if (!result.ok) {
        return `Invalid value ${excerptOf(result.shown)} for configuration ${key}: ${result.reason}`
      }
    }
    return contradiction(this.of(entries))
  }
}

function contradiction(config: TopicConfig): string | undefined {
  const least = config.get('min.compaction.lag.ms')
  const most = config.get('max.compaction.lag.ms')
  if (least > most) {
    return (
      `conflict topic config setting min.compaction.lag.ms (${least}) > ` +
      `max.compaction.lag.ms (${most})`
    )
  }
  if (config.get('remote.storage.enable')) {
    return (
      'Tiered Storage functionality is disabled in the broker. ' +
      'Topic cannot be configured with remote log storage.'
    )
  }
  return undefined
}
