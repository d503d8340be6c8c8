/**
 * From a properties file and overrides to a BrokerConfig. Every problem is gathered and thrown as
 * one ConfigError: unknown keys, malformed values, bounds, contradictions, and settings that must
 * not be ignored.
 */
import { readFileSync } from 'node:fs'
import { BrokerError, codeOf, messageOf } from '../base/errors.js'
import { BrokerConfig, type ExplicitSetting, type SettingWithoutEffect } from './broker-config.js'
import {
  brokerDefinition,
  brokerDefinitions,
  isBrokerConfigKey,
  type BrokerConfigKey,
} from './broker-definitions.js'
import { crossCheckBrokerConfig } from './broker-config-checks.js'
import { ConfigError, type ConfigProblem, type Origin } from './config-problem.js'
import { EFFECTIVE } from './definitions/effects.js'
import { foreignKey } from './foreign-keys.js'
import { resolveListeners, type ResolvedListeners } from './listener-rules.js'
import { nearestName } from './nearest-name.js'
import { parseValue } from './parse-value.js'
import { parseProperties } from './properties-file.js'
import { isTopicConfigKey, topicDefinition } from './topic-definitions.js'

export interface BrokerConfigSources {
  /** Path of a properties file; read now. */
  readonly file?: string
  /** `key=value` texts that win over the file, later ones over earlier. */
  readonly overrides?: readonly string[]
  /** Settings given in code, which win over the file and lose to `overrides`. */
  readonly properties?: Readonly<Record<string, string>>
  /** The operator's word that non-loopback listeners may go without authentication. */
  readonly insecureAllowAnonymous?: boolean
}

interface RawSetting {
  readonly key: string
  readonly text: string
  readonly origin: Origin
}

/** Throws ConfigError with all problems, or ERR_CONFIG_UNREADABLE when the file cannot be read. */
export function loadBrokerConfig(sources: BrokerConfigSources = {}): BrokerConfig {
  const problems: ConfigProblem[] = []
  const explicit = new Map<BrokerConfigKey, ExplicitSetting>()
  const withoutEffect: SettingWithoutEffect[] = []
  for (const raw of rawSettings(sources, problems).values()) {
    acceptSetting(raw, { explicit, withoutEffect, problems })
  }
  problems.push(...crossCheckBrokerConfig(explicit))
  const nodeId = resolveNodeId(explicit)
  const listeners = resolveConfiguredListeners(explicit, sources, problems)
  if (problems.length > 0 || listeners === undefined) throw new ConfigError(problems)
  return new BrokerConfig({ explicit, nodeId, withoutEffect, ...listeners })
}

/** The last text of each key, with its origin. */
function rawSettings(
  sources: BrokerConfigSources,
  problems: ConfigProblem[],
): Map<string, RawSetting> {
  const settings = new Map<string, RawSetting>()
  const add = (setting: RawSetting) => settings.set(setting.key, setting)
  if (sources.file !== undefined) {
    const file = sources.file
    for (const { key, value, line } of parseProperties(readText(file), file)) {
      add({ key, text: value, origin: { file, line } })
    }
  }
  for (const [key, text] of Object.entries(sources.properties ?? {})) {
    add({ key, text, origin: { file: 'properties' } })
  }
  for (const override of sources.overrides ?? []) {
    const end = override.indexOf('=')
    const origin = { file: '--override' }
    if (end > 0) {
      add({ key: override.slice(0, end).trim(), text: override.slice(end + 1), origin })
    } else {
      problems.push({
        key: override,
        origin,
        reason: 'an override must have the form key=value',
        remedy: 'write, for example, --override num.partitions=3',
      })
    }
  }
  return settings
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const why = codeOf(error) === 'ENOENT' ? 'there is no such file' : messageOf(error)
    throw new BrokerError(
      'ERR_CONFIG_UNREADABLE',
      `Cannot read the settings from ${file}: ${why}. Give the path of a readable properties file.`,
      { cause: error },
    )
  }
}

interface Accepted {
  readonly explicit: Map<BrokerConfigKey, ExplicitSetting>
  readonly withoutEffect: SettingWithoutEffect[]
  readonly problems: ConfigProblem[]
}

function acceptSetting({ key, text, origin }: RawSetting, accepted: Accepted): void {
  if (!isBrokerConfigKey(key)) return acceptForeignKey({ key, text, origin }, accepted)
  const definition = brokerDefinition(key)
  const parsed = parseValue(key, text, definition)
  if (!parsed.ok) {
    const shown = definition.type === 'password' ? {} : { value: parsed.shown }
    const remedy = `correct the value; the type is ${definition.type}`
    accepted.problems.push({ key, origin, ...shown, reason: parsed.reason, remedy })
    return
  }
  accepted.explicit.set(key, { value: parsed.value, origin })
  if (definition.effect !== EFFECTIVE) {
    accepted.withoutEffect.push({ key, effect: definition.effect })
  }
}

function acceptForeignKey({ key, origin }: RawSetting, accepted: Accepted): void {
  const known = foreignKey(key)
  if (known?.accepted === true) {
    accepted.withoutEffect.push({ key, effect: known.effect })
    return
  }
  const { reason, remedy } = known ?? unknownKey(key)
  accepted.problems.push({ key, origin, reason, remedy })
}

/** The value of an unknown key is never shown: it may be a secret under a mistyped name. */
function unknownKey(key: string): { reason: string; remedy: string } {
  if (isTopicConfigKey(key)) {
    const broker = topicDefinition(key).brokerDefault
    const instead = broker === undefined ? '' : `; for a default of all topics use ${broker}`
    return {
      reason: 'this is a setting of topics, not of brokers',
      remedy: `set it when the topic is created${instead}`,
    }
  }
  const near = nearestName(key, Object.keys(brokerDefinitions))
  return {
    reason: 'there is no setting of this name',
    remedy:
      near === undefined ? 'delete the line' : `did you mean ${near}? If not, delete the line`,
  }
}

/** Kafka fills node.id and broker.id from each other; a broker without either has the id 1. */
function resolveNodeId(explicit: Map<BrokerConfigKey, ExplicitSetting>): number {
  const node = explicit.get('node.id')
  const broker = explicit.get('broker.id')
  const given = node ?? (broker !== undefined && Number(broker.value) >= 0 ? broker : undefined)
  if (given === undefined) return 1
  explicit.set('node.id', given)
  explicit.set('broker.id', given)
  return Number(given.value)
}

function resolveConfiguredListeners(
  explicit: ReadonlyMap<BrokerConfigKey, ExplicitSetting>,
  sources: BrokerConfigSources,
  problems: ConfigProblem[],
): ResolvedListeners | undefined {
  const value = (key: BrokerConfigKey) => explicit.get(key)?.value ?? brokerDefinition(key).default
  const resolved = resolveListeners({
    listeners: value('listeners') as readonly string[],
    advertisedListeners: value('advertised.listeners') as readonly string[] | null,
    protocolMap: protocolMap(explicit, value),
    controllerListenerNames: (value('controller.listener.names') ?? []) as readonly string[],
    interBrokerListenerName: value('inter.broker.listener.name') as string | null,
    insecureAllowAnonymous: sources.insecureAllowAnonymous ?? false,
  })
  if (!Array.isArray(resolved)) return resolved
  for (const problem of resolved) {
    const origin = isBrokerConfigKey(problem.key) ? explicit.get(problem.key)?.origin : undefined
    problems.push({ ...problem, ...(origin === undefined ? {} : { origin }) })
  }
  return undefined
}

/** As in Kafka, controller listeners need no entry while the map itself is the default. */
function protocolMap(
  explicit: ReadonlyMap<BrokerConfigKey, ExplicitSetting>,
  value: (key: BrokerConfigKey) => unknown,
): readonly string[] {
  const map = String(value('listener.security.protocol.map'))
    .trim()
    .split(/\s*,\s*/)
  if (explicit.has('listener.security.protocol.map')) return map
  const names = (value('controller.listener.names') ?? []) as readonly string[]
  return [...names.map(name => `${name}:PLAINTEXT`), ...map]
}
