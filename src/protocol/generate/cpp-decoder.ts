/**
 * The template of generated_*_request.h: a streaming decoder that calls a visitor and allocates
 * nothing.
 */
import type { Struct } from '../schema/field.js'
import {
  type CppMessage,
  type NamedField,
  cppStructName,
  elementBytesMin,
  fieldsOf,
  headerLines,
  isNullable,
  nestedStructs,
  scalarSuffix,
  signature,
  snakeCase,
  structDeclaration,
  versionCondition,
  versionConstants,
} from './cpp-model.js'

/** The text of the header. */
export function cppDecoder(message: CppMessage): string {
  const { schema } = message
  const structs = nestedStructs(message, schema)
  return [
    ...headerLines(role(message), [
      '#include <cstddef>',
      '#include <cstdint>',
      '#include <string_view>',
      '',
      '#include "base/byte_reader.h"',
      '#include "base/uuid.h"',
    ]),
    ...versionConstants(message),
    ...[...structs, schema].flatMap(struct => structDeclaration(message, struct)),
    ...structs.flatMap(struct => decodeFunction(message, struct)),
    ...entryFunction(message),
    '}  // namespace millrace::dataplane::wire',
    '',
  ].join('\n')
}

function role(message: CppMessage): string {
  const calls = Object.values(message.streamed).join(', ')
  return [
    `Decodes the bodies of ${message.schema.name}, all versions, without allocation. Views point`,
    `into the frame. Calls the visitor's ${calls}`,
    `in wire order while it reads; act on them only after the decoder returned true, since a`,
    `later part may be malformed and the head is complete only then. A null string has`,
    `data() == nullptr.`,
  ].join('\n')
}

function entryFunction(message: CppMessage): string[] {
  const { schema } = message
  const [first, last] = schema.versions
  return [
    `// Decodes a body; \`reader\` stands after the request header. False if the version is`,
    `// unknown or the bytes are malformed or too few: close the connection. Bytes after the body`,
    `// are ignored.`,
    `template <class Visitor>`,
    ...signature(`bool Decode${schema.name}(`, [
      'ByteReader& reader',
      'int16_t version',
      `${schema.name}Head& value`,
      'Visitor&& visitor',
    ]),
    `  if (version < ${first} || version > ${last}) return false;`,
    ...bodyLines(message, schema),
    `  return reader.ok();`,
    `}`,
    ``,
  ]
}

function decodeFunction(message: CppMessage, struct: Struct): string[] {
  const name = cppStructName(message, struct)
  const streaming = streamsAnything(message, struct)
  const visited = Object.keys(message.streamed).find(path => elementOf(message, path) === struct)
  const body = bodyLines(message, struct)
  if (visited === undefined) {
    return [
      `inline void Decode${name}(ByteReader& reader, int16_t version, ${name}& value) {`,
      ...body,
      `}`,
      ``,
    ]
  }
  const call = `  if (reader.ok()) visitor.${message.streamed[visited]}(value);`
  return [
    `template <class Visitor>`,
    `void Decode${name}(ByteReader& reader, int16_t version, Visitor& visitor) {`,
    `  ${name} value;`,
    ...body,
    ...(streaming ? [] : [call]),
    `}`,
    ``,
  ]
}

function bodyLines(message: CppMessage, struct: Struct): string[] {
  const { flexibleSince } = message.schema
  const fields = fieldsOf(message, struct)
  const lines = fields
    .filter(({ field }) => field.tag === null)
    .flatMap(named => plainField(message, struct, named))
  const tagged = fields.filter(({ field }) => field.tag !== null)
  const tags =
    tagged.length === 0
      ? ['  if (flexible) reader.SkipTaggedFields();']
      : ['  if (flexible) {', ...taggedLines(message, tagged), '  }']
  return [`  const bool flexible = version >= ${flexibleSince};`, ...lines, ...tags]
}

function plainField(message: CppMessage, struct: Struct, named: NamedField): string[] {
  const condition = versionCondition(named.field, message.schema.versions)
  const lines =
    message.streamed[named.path] === undefined
      ? readLines(message, named)
      : streamLines(message, struct, named)
  return guarded(condition, lines)
}

/**
 * Reads an array element by element. The enclosing struct's own callback comes first, with the
 * count.
 */
function streamLines(message: CppMessage, struct: Struct, { path, field }: NamedField): string[] {
  if (field.type.kind !== 'array') throw new Error(`${path} is streamed but no array.`)
  const element = field.type.element
  const enclosing = Object.keys(message.streamed).find(
    outer => elementOf(message, outer) === struct,
  )
  const announce =
    enclosing === undefined
      ? []
      : [
          `  if (!reader.ok()) return;`,
          `  visitor.${message.streamed[enclosing]}(value, ${snakeCase(field.type.kind)}_count);`,
        ]
  const each =
    element.kind === 'struct'
      ? [`    Decode${cppStructName(message, element.struct)}(reader, version, visitor);`]
      : [
          `    const auto element = reader.Read${scalarSuffix(element.kind)}();`,
          `    if (reader.ok()) visitor.${message.streamed[path]}(element);`,
        ]
  const minimum = elementBytesMin(message, path)
  const name = `${snakeCase(path.slice(path.indexOf('.') + 1))}_count`
  return [
    `  const int32_t ${name} = reader.ReadArrayLength(flexible, ${minimum});`,
    ...announce.map(line => line.replace('array_count', name)),
    `  for (int32_t i = 0; i < ${name} && reader.ok(); ++i) {`,
    ...each,
    `  }`,
  ]
}

function readLines(message: CppMessage, { name, field }: NamedField): string[] {
  const member = `value.${snakeCase(name)}`
  const nullable = isNullable(field) ? 'Nullable' : ''
  const { type } = field
  switch (type.kind) {
    case 'struct':
      return [`  Decode${cppStructName(message, type.struct)}(reader, version, ${member});`]
    case 'string':
      return [`  ${member} = reader.Read${nullable}String(flexible);`]
    case 'records':
      return [`  ${member} = reader.Read${nullable}Bytes(flexible);`]
    default:
      return [`  ${member} = reader.Read${scalarSuffix(type.kind)}();`]
  }
}

function taggedLines(message: CppMessage, tagged: readonly NamedField[]): string[] {
  const branches = tagged.flatMap((named, index) => {
    const { field } = named
    const since = versionCondition(field, message.schema.versions)
    const flexibleToo = field.since > message.schema.flexibleSince ? since : ''
    const condition = [`tag == ${field.tag}`, flexibleToo].filter(part => part !== '').join(' && ')
    return [
      `      ${index === 0 ? 'if' : '} else if'} (${condition}) {`,
      ...readLines(message, named).map(line => `      ${line}`),
      `        reader.ExpectPosition(end);`,
    ]
  })
  return [
    `    const uint32_t tag_count = reader.ReadTaggedFieldCount();`,
    `    for (uint32_t i = 0; i < tag_count && reader.ok(); ++i) {`,
    `      const uint32_t tag = reader.ReadUVarint();`,
    `      const size_t end = reader.ReadTaggedFieldEnd();`,
    ...branches,
    `      } else {`,
    `        reader.SkipTo(end);`,
    `      }`,
    `    }`,
  ]
}

/** Puts lines under a condition: on one line if there is one, else in a block. */
export function guarded(condition: string, lines: readonly string[]): string[] {
  if (condition === '') return [...lines]
  if (lines.length === 1) {
    const line = `  if (${condition}) ${lines[0]!.trim()}`
    return line.length <= 100 ? [line] : [`  if (${condition})`, `    ${lines[0]!.trim()}`]
  }
  return [`  if (${condition}) {`, ...lines.map(line => `  ${line}`), `  }`]
}

function streamsAnything(message: CppMessage, struct: Struct): boolean {
  return fieldsOf(message, struct).some(({ path }) => message.streamed[path] !== undefined)
}

/** The struct that the elements of a streamed array have; undefined for scalars. */
function elementOf(message: CppMessage, path: string): Struct | undefined {
  for (const struct of [message.schema, ...nestedStructs(message, message.schema)]) {
    const found = fieldsOf(message, struct).find(candidate => candidate.path === path)
    const type = found?.field.type
    if (type?.kind === 'array' && type.element.kind === 'struct') return type.element.struct
  }
  return undefined
}
