/**
 * Which broker settings AlterConfigs may change, and to what (KIP-226): Kafka's checks in Kafka's order, with its
 * words. All refusals are INVALID_REQUEST.
 */
import { excerptOf } from '../base/printable.js'
import type { BrokerConfig, BrokerSettings } from './broker-config.js'
import { type BrokerConfigKey, brokerDefinition, isBrokerConfigKey } from './broker-definitions.js'
import type { ConfigValue } from './definition.js'
import { parseValue } from './parse-value.js'

/** What AlterConfigs stored: texts by name; names that nobody knows are kept, as in Kafka. */
export type DynamicTexts = ReadonlyMap<string, string>

/** Settings of TLS that only make sense for one listener. */
const PER_LISTENER: ReadonlySet<string> = new Set([
  'ssl.keystore.type',
  'ssl.keystore.location',
  'ssl.keystore.password',
  'ssl.key.password',
  'ssl.truststore.type',
  'ssl.truststore.location',
  'ssl.truststore.password',
  'ssl.keystore.certificate.chain',
  'ssl.keystore.key',
  'ssl.truststore.certificates',
])

const FIXED_AT_START: ReadonlySet<string> = new Set(['listeners', 'listener.security.protocol.map'])

/** Kafka changes a pool by no more than a factor of two at a time. */
const THREAD_COUNTS: readonly BrokerConfigKey[] = [
  'background.threads',
  'num.io.threads',
  'num.network.threads',
  'num.recovery.threads.per.data.dir',
  'num.replica.fetchers',
]

/**
 * Why the settings may not become those of this broker (`scope` broker) or of all (`default`); undefined if they may.
 * @param before what is in force now
 */
export function dynamicBrokerViolation(
  texts: DynamicTexts,
  scope: 'broker' | 'default',
  before: BrokerConfig,
): string | undefined {
  const keys = [...texts.keys()]
  const known = keys.filter(isBrokerConfigKey)
  return (
    refused(
      'Cannot update these configs dynamically',
      known.filter(key => brokerDefinition(key).update === 'read-only'),
    ) ??
    refused(
      'These security configs can be dynamically updated only per-listener using the listener prefix',
      known.filter(key => PER_LISTENER.has(key)),
    ) ??
    malformed(texts) ??
    (scope === 'default'
      ? refused(
          'Cannot update these configs at default cluster level',
          known.filter(key => brokerDefinition(key).update === 'per-broker'),
        )
      : undefined) ??
    fixedAtStart(known) ??
    badIpOverride(texts) ??
    badThreadCount(texts, before)
  )
}

/** The settings that the texts give: what is known and valid. */
export function parseDynamic(texts: DynamicTexts): BrokerSettings {
  const parsed = new Map<BrokerConfigKey, ConfigValue>()
  for (const [key, text] of texts) {
    if (!isBrokerConfigKey(key)) continue
    const result = parseValue(key, text, brokerDefinition(key))
    if (result.ok) parsed.set(key, result.value)
  }
  return parsed
}

function refused(why: string, keys: readonly string[]): string | undefined {
  return keys.length === 0 ? undefined : `${why}: [${keys.join(', ')}]`
}

function malformed(texts: DynamicTexts): string | undefined {
  for (const [key, text] of texts) {
    if (!isBrokerConfigKey(key)) continue
    const definition = brokerDefinition(key)
    const result = parseValue(key, text, definition)
    if (result.ok) continue
    const shown = definition.type === 'password' ? '[hidden]' : excerptOf(result.shown)
    return `Invalid value ${shown} for configuration ${key}: ${result.reason}`
  }
  return undefined
}

/** Deviation: Kafka opens and closes listeners while it runs. */
function fixedAtStart(keys: readonly BrokerConfigKey[]): string | undefined {
  const fixed = keys.find(key => FIXED_AT_START.has(key))
  if (fixed === undefined) return undefined
  return `This broker opens its listeners at its start only: set ${fixed} in its properties file and start it again.`
}

/** `host:count` pairs. */
function badIpOverride(texts: DynamicTexts): string | undefined {
  const text = texts.get('max.connections.per.ip.overrides')?.trim()
  if (text === undefined || text === '') return undefined
  const bad = text.split(',').find(pair => !/^\s*.+:\s*[0-9]+\s*$/.test(pair))
  if (bad === undefined) return undefined
  return `Error parsing configuration property 'max.connections.per.ip.overrides': ${excerptOf(bad)} is not host:count`
}

function badThreadCount(texts: DynamicTexts, before: BrokerConfig): string | undefined {
  for (const key of THREAD_COUNTS) {
    const text = texts.get(key)
    if (text === undefined) continue
    const wanted = Number(text)
    const current = Number(before.value(key))
    const why =
      wanted > current * 2
        ? `value should not be greater than double the current value ${current}`
        : wanted < Math.floor(current / 2)
          ? `value should be at least half the current value ${current}`
          : undefined
    if (why === undefined) continue
    // Kafka wraps the sentence twice; clients match on parts of it.
    return (
      'Invalid value org.apache.kafka.common.config.ConfigException: Dynamic thread count update validation failed ' +
      `for ${key}=${wanted}, ${why} for configuration Invalid dynamic configuration`
    )
  }
  return undefined
}
