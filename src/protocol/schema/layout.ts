/**
 * Resolves a schema for one version: which fields are on the wire, which of them are tagged or
 * nullable, and the least bytes and the memory an element takes. Both the compiler and the
 * interpreter work from this.
 */
import type { Field, FieldType, ScalarKind, Struct } from './field.js'
import type { MessageSchema } from './message.js'
import { OBJECT_COST } from './reader.js'

export type TypeLayout =
  | { readonly kind: ScalarKind }
  | { readonly kind: 'struct'; readonly struct: StructLayout }
  | {
      readonly kind: 'array'
      readonly element: TypeLayout
      readonly elementBytesMin: number
      readonly elementCost: number
    }

export interface FieldLayout {
  readonly name: string
  /** For error messages: the struct and the field. */
  readonly path: string
  readonly field: Field
  readonly type: TypeLayout
  readonly present: boolean
  readonly tagged: boolean
  readonly nullable: boolean
}

export interface StructLayout {
  readonly name: string
  readonly version: number
  readonly flexible: boolean
  /** In schema order, those the version lacks included. */
  readonly fields: readonly FieldLayout[]
  /** On the wire in this order, before the tagged ones. */
  readonly plain: readonly FieldLayout[]
  /** Sorted by tag. */
  readonly tagged: readonly FieldLayout[]
  readonly bytesMin: number
  /** Approximate heap bytes, without what strings, bytes and arrays charge when they are read. */
  readonly cost: number
}

interface Resolution {
  readonly version: number
  readonly flexible: boolean
  readonly structs: Map<Struct, StructLayout>
}

const REFERENCE_COST = 8
const BIGINT_COST = 24
const UUID_COST = 40

/** The layout of a message at a version that lies in its range. */
export function layoutOf(schema: MessageSchema, version: number): StructLayout {
  const flexible = version >= schema.flexibleSince
  return structLayout(schema, { version, flexible, structs: new Map() })
}

function structLayout(struct: Struct, resolution: Resolution): StructLayout {
  const known = resolution.structs.get(struct)
  if (known !== undefined) return known
  const { version, flexible } = resolution
  const fields = Object.entries(struct.fields).map(([name, field]) =>
    fieldLayout(`${struct.name}.${name}`, name, field, resolution),
  )
  const plain = fields.filter(field => field.present && !field.tagged)
  const tagged = fields
    .filter(field => field.present && field.tagged)
    .sort((a, b) => a.field.tag! - b.field.tag!)
  const layout: StructLayout = {
    name: struct.name,
    version,
    flexible,
    fields,
    plain,
    tagged,
    bytesMin: plain.reduce((sum, field) => sum + fieldBytesMin(field, flexible), flexible ? 1 : 0),
    cost: fields.reduce((sum, field) => sum + typeCost(field.type), OBJECT_COST),
  }
  resolution.structs.set(struct, layout)
  return layout
}

function fieldLayout(
  path: string,
  name: string,
  field: Field,
  resolution: Resolution,
): FieldLayout {
  const { version, flexible } = resolution
  const present = version >= field.since && version <= field.until
  return {
    name,
    path,
    field,
    type: typeLayout(field.type, resolution),
    present,
    tagged: flexible && field.tag !== null && version >= field.taggedSince,
    nullable: version >= field.nullableSince,
  }
}

function typeLayout(type: FieldType, resolution: Resolution): TypeLayout {
  if (type.kind === 'struct') {
    return { kind: 'struct', struct: structLayout(type.struct, resolution) }
  }
  if (type.kind !== 'array') return type
  const element = typeLayout(type.element, resolution)
  const elementBytesMin = typeBytesMin(element, resolution.flexible)
  return { kind: 'array', element, elementBytesMin, elementCost: typeCost(element) }
}

function fieldBytesMin(field: FieldLayout, flexible: boolean): number {
  const nullableStruct = field.type.kind === 'struct' && field.nullable
  return nullableStruct ? 1 : typeBytesMin(field.type, flexible)
}

function typeBytesMin(type: TypeLayout, flexible: boolean): number {
  switch (type.kind) {
    case 'struct':
      return type.struct.bytesMin
    case 'bool':
    case 'int8':
      return 1
    case 'int16':
    case 'uint16':
      return 2
    case 'int32':
    case 'uint32':
      return 4
    case 'int64':
    case 'float64':
      return 8
    case 'uuid':
      return 16
    case 'string':
      return flexible ? 1 : 2
    case 'bytes':
    case 'records':
    case 'array':
      return flexible ? 1 : 4
  }
}

function typeCost(type: TypeLayout): number {
  switch (type.kind) {
    case 'struct':
      return REFERENCE_COST + type.struct.cost
    case 'array':
      return REFERENCE_COST + OBJECT_COST
    case 'int64':
    case 'float64':
      return REFERENCE_COST + BIGINT_COST
    case 'uuid':
      return REFERENCE_COST + UUID_COST
    default:
      return REFERENCE_COST
  }
}
