/**
 * Default values: what an absent field reads as, and when a value is one that need not be written.
 */
import { ZERO_UUID } from '../../base/uuid.js'
import type { Field, FieldType, Fields } from './field.js'

const EMPTY_BYTES = Buffer.alloc(0)

/**
 * The value of a field that the version or the caller leaves out. Lists and structs are fresh ones.
 */
export function defaultValue(field: Field): unknown {
  if (field.hasDefault && (field.default === null || !isContainer(field.type))) return field.default
  switch (field.type.kind) {
    case 'struct':
      return defaultStruct(field.type.struct.fields)
    case 'array':
      return []
    case 'bool':
      return false
    case 'int64':
      return 0n
    case 'uuid':
      return ZERO_UUID
    case 'string':
      return ''
    case 'bytes':
      return EMPTY_BYTES
    case 'records':
      return null
    default:
      return 0
  }
}

/** A struct with every field at its default. */
export function defaultStruct(fields: Fields): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, defaultValue(field)]),
  )
}

/** True if leaving the field out of the wire would read back as the same value. */
export function isDefault(field: Field, value: unknown): boolean {
  if (value === undefined) return true
  if (value === null || (field.hasDefault && field.default === null)) {
    return value === defaultValue(field)
  }
  switch (field.type.kind) {
    case 'struct':
      return isDefaultStruct(field.type.struct.fields, value as Record<string, unknown>)
    case 'array':
    case 'bytes':
      return (value as { readonly length: number }).length === 0
    default:
      return value === defaultValue(field)
  }
}

function isDefaultStruct(fields: Fields, value: Record<string, unknown>): boolean {
  return Object.entries(fields).every(([name, field]) => isDefault(field, value[name]))
}

function isContainer(type: FieldType): boolean {
  return type.kind === 'array' || type.kind === 'struct'
}
