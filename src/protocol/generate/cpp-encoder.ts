/**
 * The template of generated_*_response.h: for each struct a function that appends it, and for those
 * with streamed parts (topics, partitions, records) one that writes what stands before and one for
 * the rest.
 */
import type { Struct } from '../schema/field.js'
import { guarded } from './cpp-decoder.js'
import {
  type CppMessage,
  type NamedField,
  cppStructName,
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
export function cppEncoder(message: CppMessage): string {
  const { schema } = message
  const structs = [...nestedStructs(message, schema), schema]
  return [
    ...headerLines(role(message), [
      '#include <cstddef>',
      '#include <cstdint>',
      '#include <optional>',
      '#include <span>',
      '#include <string_view>',
      '',
      '#include "base/byte_writer.h"',
      '#include "base/uuid.h"',
    ]),
    ...versionConstants(message),
    ...structs.flatMap(struct => structDeclaration(message, struct)),
    ...headerFunction(message),
    ...structs.flatMap(struct => encodeFunctions(message, struct)),
    '}  // namespace millrace::dataplane::wire',
    '',
  ].join('\n')
}

function role(message: CppMessage): string {
  const omitted = message.omit.length === 0 ? '' : ` Not written: ${message.omit.join(', ')}.`
  return [
    `Appends the bodies of ${message.schema.name}, all versions. A Begin and an End function`,
    `enclose what is written in between; Begin takes its count or size, which must be kept. Fields`,
    `the version lacks are dropped, tagged fields are written if they differ from their default.`,
    `A string_view with data() == nullptr is null.${omitted}`,
  ].join('\n')
}

function headerFunction(message: CppMessage): string[] {
  const { name, flexibleSince } = message.schema
  return [
    `// The response header in front of the body; the 4-byte size of the frame is not part of it.`,
    ...signature(`inline void Write${name}Header(`, [
      'ByteWriter& writer',
      'int16_t version',
      'int32_t correlation_id',
    ]),
    `  writer.WriteI32(correlation_id);`,
    `  if (version >= ${flexibleSince}) writer.WriteUVarint(0);`,
    `}`,
    ``,
  ]
}

function encodeFunctions(message: CppMessage, struct: Struct): string[] {
  const name = cppStructName(message, struct)
  const fields = fieldsOf(message, struct)
  const plain = fields.filter(({ field }) => field.tag === null)
  const tags = taggedLines(
    message,
    fields.filter(({ field }) => field.tag !== null),
  )
  const split = plain.findIndex(({ path }) => message.streamed[path] !== undefined)
  const write = (part: readonly NamedField[]) => part.flatMap(named => plainLines(message, named))
  if (split < 0) {
    return encodeFunction(`Write${name}`, name, '', [...write(plain), ...tags], message)
  }
  const streamed = plain[split]!
  const measure = streamed.field.type.kind === 'array' ? 'count' : 'size'
  const length = `${snakeCase(streamed.name)}_${measure}`
  const begin = [...write(plain.slice(0, split)), `  writer.WriteLength(${length}, flexible);`]
  const end = [...write(plain.slice(split + 1)), ...tags]
  const base = name.replace(/Head$/, '')
  return [
    ...encodeFunction(`Begin${base}`, name, `int64_t ${length}`, begin, message),
    ...encodeFunction(`End${base}`, name, '', end, message),
  ]
}

function encodeFunction(
  functionName: string,
  structName: string,
  extra: string,
  lines: readonly string[],
  message: CppMessage,
): string[] {
  const text = lines.join('\n')
  const flexible = /\bflexible\b/.test(text)
  const version = flexible || /\bversion\b/.test(text)
  const parameters = [
    'ByteWriter& writer',
    version ? 'int16_t version' : 'int16_t',
    /\bvalue\b/.test(text) ? `const ${structName}& value` : `const ${structName}&`,
    ...(extra === '' ? [] : [extra]),
  ]
  return [
    ...signature(`inline void ${functionName}(`, parameters),
    ...(flexible ? [`  const bool flexible = version >= ${message.schema.flexibleSince};`] : []),
    ...lines,
    `}`,
    ``,
  ]
}

function plainLines(message: CppMessage, named: NamedField): string[] {
  const condition = versionCondition(named.field, message.schema.versions)
  return guarded(condition, writeLines(message, named))
}

function writeLines(message: CppMessage, { name, field }: NamedField): string[] {
  const member = `value.${snakeCase(name)}`
  const { type } = field
  switch (type.kind) {
    case 'struct':
      return [`  Write${cppStructName(message, type.struct)}(writer, version, ${member});`]
    case 'array':
      return spanLines(message, field.type, member, isNullable(field))
    case 'string':
      return [`  writer.Write${isNullable(field) ? 'Nullable' : ''}String(${member}, flexible);`]
    default:
      return [`  writer.Write${scalarSuffix(type.kind)}(${member});`]
  }
}

function spanLines(
  message: CppMessage,
  type: NamedField['field']['type'],
  member: string,
  nullable: boolean,
): string[] {
  if (type.kind !== 'array' || type.element.kind !== 'struct') {
    throw new Error(`${member} is no array of structs, the only kind a response holds so far.`)
  }
  const element = cppStructName(message, type.element.struct)
  const size = `static_cast<int64_t>(${member}${nullable ? '->' : '.'}size())`
  const each = (list: string) => [
    `  for (const ${element}& element : ${list}) {`,
    `    Write${element}(writer, version, element);`,
    `  }`,
  ]
  if (!nullable) return [`  writer.WriteLength(${size}, flexible);`, ...each(member)]
  return [
    `  if (!${member}) {`,
    `    writer.WriteLength(-1, flexible);`,
    `  } else {`,
    `    writer.WriteLength(${size}, flexible);`,
    ...each(`*${member}`).map(line => `  ${line}`),
    `  }`,
  ]
}

function taggedLines(message: CppMessage, tagged: readonly NamedField[]): string[] {
  const { flexibleSince, versions } = message.schema
  if (tagged.length === 0) return [`  if (version >= ${flexibleSince}) writer.WriteUVarint(0);`]
  const flags = tagged.flatMap(named => {
    const since = named.field.since > flexibleSince ? versionCondition(named.field, versions) : ''
    const set = isSet(message, named)
    const start = `    const bool has_${snakeCase(named.name)} =`
    const value = `${since === '' ? set : `${since} && ${set}`};`
    const line = `${start} ${value}`
    return line.length <= 100 ? [line] : [start, `        ${value}`]
  })
  const count = tagged.map(({ name }) => `(has_${snakeCase(name)} ? 1u : 0u)`).join(' + ')
  const writes = tagged.flatMap(named => [
    `    if (has_${snakeCase(named.name)}) {`,
    `      const size_t start = writer.BeginTaggedField(${named.field.tag});`,
    ...writeLines(message, named).map(line => `    ${line}`),
    `      writer.EndTaggedField(start);`,
    `    }`,
  ])
  return [
    `  if (flexible) {`,
    ...flags,
    `    writer.WriteUVarint(${tagged.length === 1 ? count.slice(1, -1) : count});`,
    ...writes,
    `  }`,
  ]
}

function isSet(message: CppMessage, { name, field }: NamedField): string {
  const member = `value.${snakeCase(name)}`
  if (field.type.kind === 'array') return `!${member}.empty()`
  if (field.type.kind !== 'struct') throw new Error(`Tagged ${name} is neither list nor struct.`)
  return `!(${member} == ${cppStructName(message, field.type.struct)}{})`
}
