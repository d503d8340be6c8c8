/**
 * The reference codec: walks the layout value by value. Slow and plain; tests compare the compiled
 * code with it, and it documents what that code does.
 */
import { defaultValue, isDefault } from './defaults.js'
import type { FieldLayout, StructLayout, TypeLayout } from './layout.js'
import { ProtocolError } from './protocol-error.js'
import { type Reader, refuseNull } from './reader.js'
import type { Writer } from './writer.js'

type Values = Record<string, unknown>

/** Reads one struct of the layout's version. */
export function interpretDecode(layout: StructLayout, reader: Reader): Values {
  const values: Values = {}
  for (const field of layout.fields) {
    const read = field.present && !field.tagged
    values[field.name] = read ? readField(field, layout, reader) : defaultValue(field.field)
  }
  if (layout.flexible) readTaggedFields(layout, reader, values)
  return values
}

/** Writes one struct; fields left out are written as their default. */
export function interpretEncode(layout: StructLayout, writer: Writer, values: Values): void {
  for (const field of layout.fields) {
    const value = values[field.name]
    if (!field.present) refuseUnlessDroppable(field, layout.version, value)
    else if (!field.tagged) writeField(field, layout, writer, value)
  }
  if (!layout.flexible) return
  const set = layout.tagged.filter(field => !isDefault(field.field, values[field.name]))
  writer.uvarint(set.length)
  for (const field of set) {
    const start = writer.beginTaggedField(field.field.tag!)
    writeField(field, layout, writer, values[field.name])
    writer.endTaggedField(start)
  }
}

/** Throws if the value would be lost: it is not the default and the field is not ignorable. */
export function refuseUnlessDroppable(field: FieldLayout, version: number, value: unknown): void {
  if (field.field.ignorable || isDefault(field.field, value)) return
  throw new ProtocolError(
    'ERR_PROTOCOL_VERSION',
    `${field.path} is set, but version ${version} cannot carry it; omit it or use another version.`,
  )
}

function readTaggedFields(layout: StructLayout, reader: Reader, values: Values): void {
  for (let left = reader.taggedFieldCount(layout.name); left > 0; left--) {
    const tag = reader.uvarint(layout.name)
    const end = reader.taggedFieldEnd(layout.name)
    const field = layout.tagged.find(candidate => candidate.field.tag === tag)
    if (field === undefined) {
      reader.skipTo(end)
      continue
    }
    values[field.name] = readField(field, layout, reader)
    reader.expectOffset(end, field.path)
  }
}

function readField(field: FieldLayout, layout: StructLayout, reader: Reader): unknown {
  const { type, nullable, path } = field
  if (type.kind === 'struct') {
    if (nullable && !reader.structPresent(field.tagged, path)) return null
    return interpretDecode(type.struct, reader)
  }
  const value = readValue(type, layout.flexible, path, reader)
  return value === null && !nullable ? refuseNull(path) : value
}

function readValue(type: TypeLayout, compact: boolean, path: string, reader: Reader): unknown {
  switch (type.kind) {
    case 'struct':
      return interpretDecode(type.struct, reader)
    case 'array': {
      const { element, elementBytesMin, elementCost } = type
      const count = reader.nullableArrayLength(compact, elementBytesMin, elementCost, path)
      if (count < 0) return null
      return Array.from(
        { length: count },
        () => readValue(element, compact, path, reader) ?? refuseNull(path),
      )
    }
    case 'string':
      return reader.nullableString(compact, path)
    case 'bytes':
    case 'records':
      return reader.nullableBytes(compact, path)
    default:
      return reader[type.kind](path)
  }
}

function writeField(
  field: FieldLayout,
  layout: StructLayout,
  writer: Writer,
  given: unknown,
): void {
  const value = given === undefined ? defaultValue(field.field) : given
  if (value === null && !field.nullable) refuseNull(field.path)
  if (field.type.kind === 'struct' && field.nullable) {
    if (field.tagged) writer.uvarint(value === null ? 0 : 1)
    else writer.int8(value === null ? -1 : 1, field.path)
    if (value === null) return
  }
  writeValue(field.type, layout.flexible, field.path, writer, value)
}

function writeValue(
  type: TypeLayout,
  compact: boolean,
  path: string,
  writer: Writer,
  value: unknown,
): void {
  switch (type.kind) {
    case 'struct':
      return interpretEncode(type.struct, writer, value as Values)
    case 'array': {
      const list = value as readonly unknown[] | null
      writer.arrayLength(list, compact, path)
      for (const element of list ?? []) {
        writeValue(type.element, compact, path, writer, element ?? refuseNull(path))
      }
      return
    }
    case 'string':
      return writer.string(value as string | null, compact, path)
    case 'bytes':
    case 'records':
      return writer.bytes(value as Uint8Array | null, compact, path)
    default:
      return writer[type.kind](value as never, path)
  }
}
