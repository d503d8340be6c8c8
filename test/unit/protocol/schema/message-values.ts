/**
 * Arbitrary values of any message at any version, for property tests; built from the layout of the
 * version.
 */
import fc from 'fast-check'
import { uuidFromBytes } from '../../../../src/base/uuid.js'
import { apis } from '../../../../src/protocol/apis.js'
import type { ScalarKind } from '../../../../src/protocol/schema/field.js'
import type {
  FieldLayout,
  StructLayout,
  TypeLayout,
} from '../../../../src/protocol/schema/layout.js'
import { layoutOf } from '../../../../src/protocol/schema/layout.js'
import type { RequestSchema, ResponseSchema } from '../../../../src/protocol/schema/message.js'

export interface MessageVersion {
  readonly schema: RequestSchema | ResponseSchema
  readonly version: number
}

export const messageVersions: readonly MessageVersion[] = apis
  .flatMap(api => [api.request, api.response])
  .flatMap(schema => {
    const [first, last] = schema.versions
    return Array.from({ length: last - first + 1 }, (_, i) => ({ schema, version: first + i }))
  })

/** Values with every field of the version set to something it can carry; the rest is left out. */
export function messageValue({ schema, version }: MessageVersion): fc.Arbitrary<object> {
  return structValue(layoutOf(schema, version))
}

function structValue(layout: StructLayout): fc.Arbitrary<object> {
  const present = layout.fields.filter(field => field.present)
  return fc.record(Object.fromEntries(present.map(field => [field.name, fieldValue(field)])))
}

function fieldValue(field: FieldLayout): fc.Arbitrary<unknown> {
  const value = typeValue(field.type)
  return field.nullable ? fc.option(value, { freq: 4 }) : value
}

function typeValue(type: TypeLayout): fc.Arbitrary<unknown> {
  if (type.kind === 'struct') return structValue(type.struct)
  if (type.kind === 'array') return fc.array(typeValue(type.element), { maxLength: 3 })
  return scalarValue(type.kind)
}

function scalarValue(kind: ScalarKind): fc.Arbitrary<unknown> {
  switch (kind) {
    case 'bool':
      return fc.boolean()
    case 'int8':
      return fc.integer({ min: -0x80, max: 0x7f })
    case 'int16':
      return fc.integer({ min: -0x8000, max: 0x7fff })
    case 'uint16':
      return fc.integer({ min: 0, max: 0xffff })
    case 'int32':
      return fc.integer()
    case 'uint32':
      return fc.integer({ min: 0, max: 0xffffffff })
    case 'int64':
      return fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
    case 'float64':
      return fc.double({ noNaN: true })
    case 'uuid':
      return fc.uint8Array({ minLength: 16, maxLength: 16 }).map(uuidFromBytes)
    case 'string':
      return fc.string({ unit: 'grapheme', maxLength: 150 })
    case 'bytes':
    case 'records':
      return fc.uint8Array({ maxLength: 200 }).map(bytes => Buffer.from(bytes))
  }
}
