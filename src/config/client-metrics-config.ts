/** Client metrics subscriptions (KIP-714): what may be set, and what DescribeConfigs shows. */
import { excerptOf } from '../base/printable.js'
import {
  CONFIG_SOURCE,
  type ConfigEntry,
  type DescribeOptions,
  selected,
} from './describe-configs.js'
import { parseValue } from './parse-value.js'
import { int, list } from './definition.js'
import { EFFECTIVE } from './definitions/effects.js'

const shared = { importance: 'medium', update: 'topic', effect: EFFECTIVE } as const

const definitions = {
  'interval.ms': int({
    ...shared,
    default: 300000,
    doc: 'How often clients push their metrics.',
  }),
  match: list({ ...shared, default: [], doc: 'The clients that are meant, as selector=pattern.' }),
  metrics: list({ ...shared, default: [], doc: 'Prefixes of the names of the metrics wanted.' }),
}

/** Kafka's numbers of the types of a setting. */
const TYPE = { 'interval.ms': 3, match: 7, metrics: 7 } as const
const INTERVAL_MIN_MS = 100
const INTERVAL_MAX_MS = 3_600_000
const SELECTORS: readonly string[] = [
  'client_instance_id',
  'client_id',
  'client_software_name',
  'client_software_version',
  'client_source_address',
  'client_source_port',
]

type Key = keyof typeof definitions

/** Either kind of refusal: Kafka answers some with INVALID_REQUEST, some with INVALID_CONFIG. */
export interface ClientMetricsViolation {
  readonly isRequestInvalid: boolean
  readonly message: string
}

export function clientMetricsViolation(
  settings: ReadonlyMap<string, string>,
): ClientMetricsViolation | undefined {
  for (const [key, text] of settings) {
    if (!isKey(key)) {
      const message = `Unknown client metrics configuration: ${excerptOf(key)}`
      return { isRequestInvalid: true, message }
    }
    const parsed = parseValue(key, text, definitions[key])
    if (!parsed.ok) {
      const message = `Invalid value ${excerptOf(parsed.shown)} for configuration ${key}: ${parsed.reason}`
      return { isRequestInvalid: false, message }
    }
    const found =
      key === 'interval.ms' ? badInterval(Number(parsed.value)) : badMatch(key, parsed.value)
    if (found !== undefined) return found
  }
  return undefined
}

function badInterval(ms: number): ClientMetricsViolation | undefined {
  if (ms >= INTERVAL_MIN_MS && ms <= INTERVAL_MAX_MS) return undefined
  const bounds = `${INTERVAL_MIN_MS} and ${INTERVAL_MAX_MS} (1 hour)`
  const message = `Invalid value ${ms} for interval.ms, interval must be between ${bounds}`
  return { isRequestInvalid: true, message }
}

function badMatch(key: Key, value: unknown): ClientMetricsViolation | undefined {
  if (key !== 'match' || !Array.isArray(value)) return undefined
  const bad = value.map(String).find(pattern => !isMatchPattern(pattern))
  if (bad === undefined) return undefined
  return { isRequestInvalid: false, message: `Illegal client matching pattern: ${excerptOf(bad)}` }
}

function isMatchPattern(text: string): boolean {
  const [selector = '', pattern, ...more] = text.split('=')
  if (pattern === undefined || more.length > 0 || !SELECTORS.includes(selector.trim())) return false
  try {
    new RegExp(pattern.trim(), 'u')
    return true
  } catch {
    return false
  }
}

export function describeClientMetrics(
  settings: ReadonlyMap<string, string>,
  options: DescribeOptions = {},
): ConfigEntry[] {
  return selected(Object.keys(definitions) as Key[], options).map(name => {
    const text = settings.get(name)
    const set = text !== undefined
    const source = set ? CONFIG_SOURCE.DYNAMIC_CLIENT_METRICS_CONFIG : CONFIG_SOURCE.DEFAULT_CONFIG
    const value = text ?? String(definitions[name].default)
    return {
      name,
      value,
      readOnly: false,
      configSource: source,
      isSensitive: false,
      synonyms: set && options.includeSynonyms === true ? [{ name, value, source }] : [],
      configType: TYPE[name],
      documentation: options.includeDocumentation === true ? definitions[name].doc : null,
    }
  })
}

function isKey(key: string): key is Key {
  return Object.hasOwn(definitions, key)
}
