/**
 * The bounds and enumerations of settings, as data, with Kafka's own wording of a violation.
 * Used by the definition tables and by parse-value.ts.
 */
import type { ConfigValue } from './definition.js'

export type Validator =
  | { readonly kind: 'range'; readonly min?: number; readonly max?: number }
  | { readonly kind: 'oneOf'; readonly values: readonly string[]; readonly ignoreCase: boolean }
  | { readonly kind: 'gzipLevel' }
  | { readonly kind: 'nonEmptyString' }
  | { readonly kind: 'nonEmptyItems' }
  | { readonly kind: 'throttledReplicas' }

export const atLeast = (min: number): Validator => ({ kind: 'range', min })
export const between = (min: number, max: number): Validator => ({ kind: 'range', min, max })
export const oneOf = (...values: string[]): Validator => ({
  kind: 'oneOf',
  values,
  ignoreCase: false,
})
export const oneOfIgnoringCase = (...values: string[]): Validator => ({
  kind: 'oneOf',
  values,
  ignoreCase: true,
})
export const gzipLevel: Validator = { kind: 'gzipLevel' }
export const nonEmptyString: Validator = { kind: 'nonEmptyString' }
export const nonEmptyItems: Validator = { kind: 'nonEmptyItems' }
export const throttledReplicas: Validator = { kind: 'throttledReplicas' }

/** A refused value (or list item) and the reason. */
export interface Violation {
  readonly value: string
  readonly reason: string
}

/**
 * The first violation of `validator` by `value`, or undefined. Null and absent values are always
 * allowed.
 */
export function violationOf(
  key: string,
  value: ConfigValue,
  validator: Validator,
): Violation | undefined {
  if (value === null) return undefined
  switch (validator.kind) {
    case 'range':
      return outOfRange(value, validator.min, validator.max)
    case 'oneOf':
      return notOneOf(value, validator.values, validator.ignoreCase)
    case 'gzipLevel':
      return value === -1 || (typeof value === 'number' && value >= 1 && value <= 9)
        ? undefined
        : refused(value, 'Value must be between 1 and 9 or equal to -1')
    case 'nonEmptyString':
      return value === '' ? refused(value, 'String must be non-empty') : undefined
    case 'nonEmptyItems':
      return itemsOf(value).includes('')
        ? refused(value, 'Configuration values must not be empty.')
        : undefined
    case 'throttledReplicas':
      return badThrottledReplicas(key, itemsOf(value))
  }
}

/** How the docs show a validator. */
export function validatorText(validator: Validator): string {
  switch (validator.kind) {
    case 'range':
      if (validator.max === undefined) return `at least ${validator.min}`
      return `${validator.min} to ${validator.max}`
    case 'oneOf':
      return validator.values.join(', ')
    case 'gzipLevel':
      return '1 to 9, or -1'
    case 'nonEmptyString':
      return 'not empty'
    case 'nonEmptyItems':
      return 'no empty items'
    case 'throttledReplicas':
      return 'partition:broker, ... or *'
  }
}

function refused(value: ConfigValue, reason: string): Violation {
  return { value: Array.isArray(value) ? `[${value.join(', ')}]` : String(value), reason }
}

function outOfRange(value: ConfigValue, min?: number, max?: number): Violation | undefined {
  if (typeof value !== 'number' && typeof value !== 'bigint') return undefined
  if (min !== undefined && (value < min || Number.isNaN(value))) {
    return refused(value, `Value must be at least ${min}`)
  }
  if (max !== undefined && value > max) return refused(value, `Value must be no more than ${max}`)
  return undefined
}

function notOneOf(
  value: ConfigValue,
  allowed: readonly string[],
  ignoreCase: boolean,
): Violation | undefined {
  const fold = (text: string) => (ignoreCase ? text.toUpperCase() : text)
  const known = new Set(allowed.map(fold))
  const bad = itemsOf(value).find(item => !known.has(fold(item)))
  if (bad === undefined) return undefined
  const rule = ignoreCase ? 'String must be one of (case insensitive)' : 'String must be one of'
  return refused(bad, `${rule}: ${allowed.join(', ')}`)
}

function badThrottledReplicas(key: string, items: readonly string[]): Violation | undefined {
  const isWildcard = items.length === 1 && items[0] === '*'
  if (isWildcard || items.every(item => /^[0-9]+:[0-9]+$/.test(item))) return undefined
  return refused(
    items,
    `${key} must be the literal '*' or a list of replicas in the following format: ` +
      '[partitionId]:[brokerId],[partitionId]:[brokerId],...',
  )
}

function itemsOf(value: ConfigValue): readonly string[] {
  return Array.isArray(value) ? (value as readonly string[]) : [String(value)]
}
