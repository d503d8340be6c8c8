/**
 * Text to typed value and back, by Kafka's types: the same texts are accepted, and values are
 * rendered as Kafka's DescribeConfigs shows them (so `1` of type double reads `1.0`).
 */
import type { ConfigType, ConfigValue, Definition } from './definition.js'
import { violationOf } from './validators.js'

/** Either the typed value or why the text is refused; `shown` is the part of it to quote. */
export type Parsed =
  | { readonly ok: true; readonly value: ConfigValue }
  | { readonly ok: false; readonly shown: string; readonly reason: string }

const INTEGER = /^[+-]?[0-9]+$/
const DECIMAL = /^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?[dDfF]?$/

const INTEGER_BITS = { short: 16, int: 32, long: 64 } as const

/**
 * Parses `text` as the type of `definition` and checks its bounds. Surrounding blanks are dropped.
 */
export function parseValue(key: string, text: string, definition: Definition): Parsed {
  const parsed = parseType(text.trim(), definition.type)
  if (!parsed.ok || definition.valid === undefined) return parsed
  const violation = violationOf(key, parsed.value, definition.valid)
  if (violation !== undefined) {
    const isDouble = definition.type === 'double'
    const shown = isDouble ? renderValue(parsed.value, 'double')! : violation.value
    return { ok: false, shown, reason: violation.reason }
  }
  return parsed
}

/** The text of a value as Kafka describes it; null stays null. */
export function renderValue(value: ConfigValue, type: ConfigType): string | null {
  if (value === null) return null
  if (Array.isArray(value)) return value.join(',')
  if (type === 'double' && typeof value === 'number') return renderDouble(value)
  return String(value)
}

function parseType(text: string, type: ConfigType): Parsed {
  switch (type) {
    case 'boolean':
      return parseBoolean(text)
    case 'short':
    case 'int':
    case 'long':
      return parseInteger(text, type)
    case 'double':
      return DECIMAL.test(text)
        ? accepted(Number(text.replace(/[dDfF]$/, '')))
        : refused(text, 'Not a number of type DOUBLE')
    case 'list':
      return accepted(text === '' ? [] : [...new Set(text.split(/\s*,\s*/))])
    case 'string':
    case 'password':
    case 'class':
      return accepted(text)
  }
}

function parseBoolean(text: string): Parsed {
  const lower = text.toLowerCase()
  if (lower === 'true') return accepted(true)
  if (lower === 'false') return accepted(false)
  return refused(text, 'Expected value to be either true or false')
}

function parseInteger(text: string, type: 'short' | 'int' | 'long'): Parsed {
  const bits = INTEGER_BITS[type]
  const isNumber = INTEGER.test(text) && text.length <= 64
  const value = isNumber ? BigInt(text.replace('+', '')) : 0n
  if (!isNumber || BigInt.asIntN(bits, value) !== value) {
    return refused(text, `Not a number of type ${type.toUpperCase()}`)
  }
  return accepted(type === 'long' ? value : Number(value))
}

/** Java's Double.toString: a fraction always, and `E` outside [10^-3, 10^7). */
function renderDouble(value: number): string {
  const magnitude = Math.abs(value)
  if (magnitude !== 0 && (magnitude < 1e-3 || magnitude >= 1e7)) {
    const [mantissa = '', exponent = ''] = value.toExponential().split('e')
    return `${withFraction(mantissa)}E${exponent.replace('+', '')}`
  }
  return withFraction(String(value))
}

function withFraction(text: string): string {
  return text.includes('.') ? text : `${text}.0`
}

function accepted(value: ConfigValue): Parsed {
  return { ok: true, value }
}

function refused(shown: string, reason: string): Parsed {
  return { ok: false, shown, reason }
}
