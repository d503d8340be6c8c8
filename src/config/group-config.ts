/** The settings of single groups over the broker's: what may be set, and what DescribeConfigs shows. */
import { excerptOf } from '../base/printable.js'
import type { BrokerConfig } from './broker-config.js'
import { isBrokerConfigKey } from './broker-definitions.js'
import type { ConfigValue, Definition, ValueOf } from './definition.js'
import { groupConfigDefinitions } from './definitions/group-configs.js'
import {
  CONFIG_SOURCE,
  type ConfigEntry,
  type DescribeOptions,
  brokerSynonyms,
  configEntry,
  selected,
} from './describe-configs.js'
import { parseValue, renderValue } from './parse-value.js'

export type GroupConfigKey = keyof typeof groupConfigDefinitions
export type GroupConfigValue<K extends GroupConfigKey> = ValueOf<(typeof groupConfigDefinitions)[K]>
/** What a group was given, by setting name. */
export type GroupOverrides = ReadonlyMap<string, string>

/** Settings that the broker bounds, and where its bounds stand. */
const BOUNDED: readonly (readonly [key: GroupConfigKey, min: string | null, max: string])[] = [
  [
    'consumer.assignment.interval.ms',
    'group.consumer.min.assignment.interval.ms',
    'group.consumer.max.assignment.interval.ms',
  ],
  [
    'consumer.heartbeat.interval.ms',
    'group.consumer.min.heartbeat.interval.ms',
    'group.consumer.max.heartbeat.interval.ms',
  ],
  [
    'consumer.session.timeout.ms',
    'group.consumer.min.session.timeout.ms',
    'group.consumer.max.session.timeout.ms',
  ],
  bounded('share', 'assignment.interval.ms'),
  bounded('share', 'delivery.count.limit'),
  bounded('share', 'heartbeat.interval.ms'),
  bounded('share', 'partition.max.record.locks'),
  bounded('share', 'record.lock.duration.ms'),
  bounded('share', 'session.timeout.ms'),
  bounded('streams', 'assignment.interval.ms'),
  bounded('streams', 'heartbeat.interval.ms'),
  bounded('streams', 'session.timeout.ms'),
  ['streams.num.standby.replicas', null, 'group.streams.max.standby.replicas'],
]

function bounded(kind: string, name: string): [GroupConfigKey, string, string] {
  return [
    `${kind}.${name}` as GroupConfigKey,
    `group.${kind}.min.${name}`,
    `group.${kind}.max.${name}`,
  ]
}

export function isGroupConfigKey(key: string): key is GroupConfigKey {
  return Object.hasOwn(groupConfigDefinitions, key)
}

export function groupDefinition(key: GroupConfigKey): Definition {
  return groupConfigDefinitions[key]
}

/** The value in force for a group: its own, or the broker's. */
export function groupConfigValue<K extends GroupConfigKey>(
  key: K,
  overrides: GroupOverrides,
  broker: BrokerConfig,
): GroupConfigValue<K> {
  const text = overrides.get(key)
  const parsed = text === undefined ? undefined : parseValue(key, text, groupDefinition(key))
  const value = parsed?.ok === true ? parsed.value : inheritedValue(key, broker)
  return value as GroupConfigValue<K>
}

/** Why a group may not have these settings (error 40 INVALID_CONFIG); undefined if it may. */
export function groupConfigViolation(
  overrides: GroupOverrides,
  broker: BrokerConfig,
): string | undefined {
  for (const [key, text] of overrides) {
    if (!isGroupConfigKey(key)) return `Unknown group config name: ${excerptOf(key)}`
    const result = parseValue(key, text, groupDefinition(key))
    if (!result.ok) {
      return `Invalid value ${excerptOf(result.shown)} for configuration ${key}: ${result.reason}`
    }
  }
  return outOfBounds(overrides, broker) ?? slowHeartbeat(overrides, broker)
}

function outOfBounds(overrides: GroupOverrides, broker: BrokerConfig): string | undefined {
  for (const [key, minKey, maxKey] of BOUNDED) {
    if (!overrides.has(key)) continue
    const value = Number(groupConfigValue(key, overrides, broker))
    const min = minKey === null ? 0 : boundOf(minKey, broker)
    const max = boundOf(maxKey, broker)
    if (value < min || value > max) {
      return `${key} must be in the range ${min} to ${max} inclusive.`
    }
  }
  return undefined
}

function boundOf(key: string, broker: BrokerConfig): number {
  return isBrokerConfigKey(key) ? Number(broker.value(key)) : 0
}

function slowHeartbeat(overrides: GroupOverrides, broker: BrokerConfig): string | undefined {
  for (const kind of ['consumer', 'share', 'streams'] as const) {
    const heartbeat = groupConfigValue(`${kind}.heartbeat.interval.ms`, overrides, broker)
    const session = groupConfigValue(`${kind}.session.timeout.ms`, overrides, broker)
    if (heartbeat >= session) {
      return `${kind}.heartbeat.interval.ms must be less than ${kind}.session.timeout.ms.`
    }
  }
  return undefined
}

/** All settings of a group, set or not. */
export function describeGroupConfig(
  overrides: GroupOverrides,
  broker: BrokerConfig,
  options: DescribeOptions = {},
): ConfigEntry[] {
  const keys = Object.keys(groupConfigDefinitions) as GroupConfigKey[]
  return selected(keys, options).map(key => {
    const definition = groupDefinition(key)
    const inherited = inheritedSynonyms(key, broker)
    const text = overrides.get(key)
    const value = renderValue(groupConfigValue(key, overrides, broker), definition.type)
    const own = { name: key, value: text ?? null, source: CONFIG_SOURCE.DYNAMIC_GROUP_CONFIG }
    const synonyms = text === undefined ? inherited : [own, ...inherited]
    return configEntry(key, value, { definition, synonyms, readOnly: false }, options)
  })
}

function inheritedSynonyms(key: GroupConfigKey, broker: BrokerConfig) {
  const behind = groupDefinition(key).brokerDefault
  if (behind !== undefined && isBrokerConfigKey(behind)) return brokerSynonyms(behind, broker)
  const value = renderValue(groupDefinition(key).default, groupDefinition(key).type)
  return [{ name: key, value, source: CONFIG_SOURCE.DEFAULT_CONFIG }]
}

function inheritedValue(key: GroupConfigKey, broker: BrokerConfig): ConfigValue {
  const behind = groupDefinition(key).brokerDefault
  if (behind === undefined || !isBrokerConfigKey(behind)) return groupDefinition(key).default
  const value = broker.value(behind)
  // A group has one assignor where the broker lists several: the first.
  return key === 'streams.assignor.name' && Array.isArray(value) ? (value[0] ?? null) : value
}
