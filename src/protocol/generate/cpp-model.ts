/**
 * How message schemas map to C++: names, types, version conditions and default values. Used by the
 * decoder and encoder templates; the headers they make are native/dataplane/generated_*.h.
 */
import { defaultValue } from '../schema/defaults.js'
import type { Field, FieldType, ScalarKind, Struct } from '../schema/field.js'
import { layoutOf, type StructLayout, type TypeLayout } from '../schema/layout.js'
import type { VersionRange } from '../schema/message.js'
import type { RequestSchema, ResponseSchema } from '../schema/message.js'

/** What is generated from one message, and how. */
export interface CppMessage {
  readonly api: 'Produce' | 'Fetch'
  readonly schema: RequestSchema | ResponseSchema
  /**
   * Struct arrays (`Struct.field`) handled element by element; decoders call the visitor's method.
   */
  readonly streamed: Readonly<Record<string, string>>
  /** Tagged fields that the data plane has no use for: skipped when read, never written. */
  readonly omit: readonly string[]
}

/** A field with its name and the path that CppMessage uses. */
export interface NamedField {
  readonly name: string
  readonly path: string
  readonly field: Field
}

export function fieldsOf(message: CppMessage, struct: Struct): NamedField[] {
  return Object.entries(struct.fields)
    .map(([name, field]) => ({ name, path: `${struct.name}.${name}`, field }))
    .filter(({ path }) => !message.omit.includes(path))
}

/**
 * Kafka's struct name, with the API in front unless it is part of it; the message itself is
 * `…Head`.
 */
export function cppStructName(message: CppMessage, struct: Struct): string {
  if (struct.name === message.schema.name) return `${struct.name}Head`
  return struct.name.includes(message.api) ? struct.name : `${message.api}${struct.name}`
}

export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
}

/** The C++ condition under which a field is on the wire; empty if every version has it. */
export function versionCondition(field: Field, versions: VersionRange): string {
  const since = field.since > versions[0] ? [`version >= ${field.since}`] : []
  const until = field.until < versions[1] ? [`version <= ${field.until}`] : []
  return [...since, ...until].join(' && ')
}

/** The least bytes an element of the array takes in any version, for checking counts. */
export function elementBytesMin(message: CppMessage, path: string): number {
  const { schema } = message
  const [first, last] = schema.versions
  const sizes: number[] = []
  for (let version = first; version <= last; version++) {
    sizes.push(...arraySizes(layoutOf(schema, version), path))
  }
  return Math.min(...sizes)
}

function arraySizes(layout: StructLayout, path: string): number[] {
  return layout.fields
    .filter(field => field.present)
    .flatMap(field => {
      const own =
        field.path === path && field.type.kind === 'array' ? [field.type.elementBytesMin] : []
      return [...own, ...nestedSizes(field.type, path)]
    })
}

function nestedSizes(type: TypeLayout, path: string): number[] {
  if (type.kind === 'struct') return arraySizes(type.struct, path)
  return type.kind === 'array' ? nestedSizes(type.element, path) : []
}

const scalarTypes: Partial<Record<ScalarKind, string>> = {
  bool: 'bool',
  int8: 'int8_t',
  int16: 'int16_t',
  int32: 'int32_t',
  int64: 'int64_t',
  uuid: 'Uuid',
  string: 'std::string_view',
  records: 'BytesView',
}

const scalarSuffixes: Partial<Record<ScalarKind, string>> = {
  bool: 'Bool',
  int8: 'I8',
  int16: 'I16',
  int32: 'I32',
  int64: 'I64',
  uuid: 'Uuid',
}

/** The suffix of ByteReader's and ByteWriter's method, such as `I32`. */
export function scalarSuffix(kind: FieldType['kind']): string {
  const suffix = scalarSuffixes[kind as ScalarKind]
  if (suffix === undefined) throw new Error(`The C++ templates have no way to handle a ${kind}.`)
  return suffix
}

/** The C++ type of a struct member. */
export function cppType(message: CppMessage, { field }: NamedField): string {
  const { type } = field
  if (type.kind === 'struct') return cppStructName(message, type.struct)
  if (type.kind === 'array') {
    if (type.element.kind !== 'struct') throw new Error('A span of scalars is not needed so far.')
    const span = `std::span<const ${cppStructName(message, type.element.struct)}>`
    return isNullable(field) ? `std::optional<${span}>` : span
  }
  const scalar = scalarTypes[type.kind]
  if (scalar === undefined) throw new Error(`The C++ templates have no type for a ${type.kind}.`)
  return scalar
}

/** ` = value`, or nothing where the type's own default is the schema's. */
export function cppInitializer({ field }: NamedField): string {
  const value = defaultValue(field)
  switch (field.type.kind) {
    case 'struct':
    case 'array':
    case 'records':
      return ''
    case 'uuid':
      return ''
    case 'string':
      return value === null || isNullable(field) ? '' : ` = ${JSON.stringify(value)}`
    default:
      return ` = ${cppLiteral(value)}`
  }
}

function cppLiteral(value: unknown): string {
  if (value === 0x7fff_ffff) return 'INT32_MAX'
  if (value === 0x7fff_ffff_ffff_ffffn) return 'INT64_MAX'
  return String(value)
}

export function isNullable(field: Field): boolean {
  return Number.isFinite(field.nullableSince)
}

/** The structs a message holds besides itself, inner ones first. */
export function nestedStructs(message: CppMessage, struct: Struct): Struct[] {
  const found = fieldsOf(message, struct).flatMap(({ field }) => {
    const type = field.type.kind === 'array' ? field.type.element : field.type
    return type.kind === 'struct' ? [...nestedStructs(message, type.struct), type.struct] : []
  })
  return [...new Set(found)]
}

/** The declaration of a struct; streamed fields are not members of it. */
export function structDeclaration(message: CppMessage, struct: Struct): string[] {
  const name = cppStructName(message, struct)
  const members = fieldsOf(message, struct)
    .filter(({ path }) => message.streamed[path] === undefined)
    .flatMap(named => [
      `  // ${named.field.about}`,
      `  ${cppType(message, named)} ${snakeCase(named.name)}${cppInitializer(named)};`,
    ])
  const equality = isTaggedSomewhere(message, struct)
    ? ['', `  friend bool operator==(const ${name}&, const ${name}&) = default;`]
    : []
  return [`struct ${name} {`, ...members, ...equality, '};', '']
}

/** True if the encoder compares the struct with its default to know whether to write it. */
function isTaggedSomewhere(message: CppMessage, struct: Struct): boolean {
  if (message.schema.kind !== 'response') return false
  return [message.schema, ...nestedStructs(message, message.schema)].some(owner =>
    fieldsOf(message, owner).some(
      ({ field }) =>
        field.tag !== null && field.type.kind === 'struct' && field.type.struct === struct,
    ),
  )
}

/** The lines every generated header starts with. */
export function headerLines(role: string, includes: readonly string[]): string[] {
  return [
    '// Generated by src/protocol/generate.ts from src/protocol/messages; do not edit. Change the',
    '// schema or the template, then run `npm run generate`.',
    ...role.split('\n').map(line => `// ${line}`),
    '#pragma once',
    '',
    ...includes,
    '',
    'namespace millrace::dataplane::wire {',
    '',
  ]
}

/** The constants of an API: versions and the first flexible one. */
export function versionConstants(message: CppMessage): string[] {
  const { name, versions, flexibleSince } = message.schema
  return [
    `inline constexpr int16_t k${name}VersionMin = ${versions[0]};`,
    `inline constexpr int16_t k${name}VersionMax = ${versions[1]};`,
    `inline constexpr int16_t k${name}FlexibleSince = ${flexibleSince};`,
    '',
  ]
}

/** A function head, its parameters broken as clang-format does. */
export function signature(start: string, parameters: readonly string[]): string[] {
  const lines: string[] = []
  let line = start
  parameters.forEach((parameter, index) => {
    const last = index === parameters.length - 1
    const piece = `${parameter}${last ? ') {' : ','}`
    if (line.length + piece.length + 1 > 100) {
      lines.push(line.trimEnd())
      line = ' '.repeat(start.length)
    }
    line += last ? piece : `${piece} `
  })
  return [...lines, line]
}
