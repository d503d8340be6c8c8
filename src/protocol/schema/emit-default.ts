/**
 * Default values as source text, for emitted codecs; defaults.ts holds the same rules as values.
 */
import { defaultValue } from './defaults.js'
import type { Field } from './field.js'

/** An expression that yields the default; lists and structs are fresh at each evaluation. */
export function defaultExpression(field: Field): string {
  const { type } = field
  if (type.kind === 'struct' && !(field.hasDefault && field.default === null)) {
    const members = Object.entries(type.struct.fields).map(
      ([name, member]) => `${name}: ${defaultExpression(member)}`,
    )
    return `({ ${members.join(', ')} })`
  }
  return literal(defaultValue(field))
}

function literal(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`
  if (Buffer.isBuffer(value)) return 'EMPTY'
  return JSON.stringify(value)
}
