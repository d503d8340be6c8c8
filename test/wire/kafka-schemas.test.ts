/**
 * Compares every schema with Kafka's own JSON descriptions: names, types, versions, nullability,
 * tags, defaults and ignorability. KAFKA_PROTOCOL_DIR names the folder that holds `clients/*.json`;
 * without it nothing can be compared, and the run says so.
 */
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { apis } from '../../src/protocol/apis.js'
import { defaultValue } from '../../src/protocol/schema/defaults.js'
import type { Field, FieldType, Fields } from '../../src/protocol/schema/field.js'
import type {
  RequestSchema,
  ResponseSchema,
  VersionRange,
} from '../../src/protocol/schema/message.js'

interface KafkaField {
  readonly name: string
  readonly type: string
  readonly versions: string
  readonly nullableVersions?: string
  readonly taggedVersions?: string
  readonly tag?: number
  readonly default?: string | number | boolean
  readonly ignorable?: boolean
  readonly fields?: readonly KafkaField[]
}

interface KafkaMessage {
  readonly apiKey: number
  readonly validVersions: string
  readonly flexibleVersions: string
  readonly latestVersionUnstable?: boolean
  readonly fields: readonly KafkaField[]
  readonly commonStructs?: readonly (KafkaField & { readonly name: string })[]
}

/** One field as both sides can be written down; versions are clipped to those of the message. */
interface FieldFacts {
  readonly path: string
  readonly type: string
  readonly versions: string
  readonly nullable: string
  readonly tag: number | null
  readonly default: string
  readonly ignorable: boolean
}

const directory = process.env['KAFKA_PROTOCOL_DIR'] ?? ''
const given = directory !== '' && existsSync(join(directory, 'clients'))
if (!given) {
  process.stdout.write(
    'kafka-schemas: skipped, KAFKA_PROTOCOL_DIR names no folder with clients/.\n',
  )
}

describe.skipIf(!given)("our schemas are Kafka's", () => {
  const schemas = apis.flatMap(api => [api.request, api.response])

  test.each(schemas)('$name', schema => {
    const kafka = kafkaMessage(schema.name)
    expect(schema.apiKey).toBe(kafka.apiKey)
    expect(schema.versions).toEqual(range(kafka.validVersions, 0x7fff))
    const unstable = kafka.latestVersionUnstable === true && schema.kind === 'request'
    if (unstable) expect(schema.advertised[1]).toBe(schema.versions[1] - 1)
    const flexible = range(kafka.flexibleVersions, Infinity)
    expect(schema.flexibleSince).toBe(flexible?.[0] ?? Infinity)
    expect(ourFacts(schema)).toEqual(kafkaFacts(kafka, schema.versions))
  })

  test('every client-facing API of the release has a schema', () => {
    const named = apis.map(api => api.name)
    const listed = kafkaApiNames()
    expect(listed.filter(name => !named.includes(name as never))).toEqual([])
  })
})

/** The requests whose `listeners` include the broker's, as the JSON files tell. */
function kafkaApiNames(): string[] {
  return readdirSync(join(directory, 'clients'))
    .filter(file => file.endsWith('Request.json'))
    .map(file => file.slice(0, -'.json'.length))
    .filter(name => {
      const message = kafkaMessage(name) as KafkaMessage & { readonly listeners?: string[] }
      return message.validVersions !== 'none' && message.listeners?.includes('broker') === true
    })
    .map(name => name.slice(0, -'Request'.length))
}

function kafkaMessage(name: string): KafkaMessage {
  const text = readFileSync(join(directory, 'clients', `${name}.json`), 'utf8')
  return JSON.parse(text.replace(/^\s*\/\/.*$/gm, '')) as KafkaMessage
}

function ourFacts(schema: RequestSchema | ResponseSchema): FieldFacts[] {
  return structFacts('', schema.fields, schema.versions)
}

function structFacts(prefix: string, fields: Fields, versions: VersionRange): FieldFacts[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const path = `${prefix}${name}`
    const own = clip([field.since, field.until], versions)
    const element = field.type.kind === 'array' ? field.type.element : field.type
    const nested =
      element.kind === 'struct' ? structFacts(`${path}.`, element.struct.fields, versions) : []
    const facts: FieldFacts = {
      path,
      type: typeName(field.type),
      versions: show(own),
      nullable: show(own && clip([field.nullableSince, Infinity], own)),
      tag: field.tag,
      default: ourDefault(field),
      ignorable: field.ignorable,
    }
    return [facts, ...nested]
  })
}

function typeName(type: FieldType): string {
  if (type.kind === 'array') return `[]${typeName(type.element)}`
  return type.kind
}

function ourDefault(field: Field): string {
  if (field.type.kind === 'struct') return field.default === null ? 'null' : ''
  const value = defaultValue(field)
  if (Array.isArray(value) || Buffer.isBuffer(value)) return ''
  return field.type.kind === 'uuid' ? '' : String(value)
}

function kafkaFacts(message: KafkaMessage, versions: VersionRange): FieldFacts[] {
  const common = new Map((message.commonStructs ?? []).map(s => [s.name, s.fields ?? []]))
  const walk = (prefix: string, fields: readonly KafkaField[]): FieldFacts[] =>
    fields.flatMap(field => {
      const own = clip(range(field.versions, Infinity), versions)
      if (own === null) return []
      const path = `${prefix}${field.name[0]!.toLowerCase()}${field.name.slice(1)}`
      const base = field.type.replace('[]', '')
      const isStruct = /^[A-Z]/.test(base)
      const nested = isStruct ? walk(`${path}.`, field.fields ?? common.get(base) ?? []) : []
      return [kafkaField(path, field, own), ...nested]
    })
  return walk('', message.fields)
}

function kafkaField(path: string, field: KafkaField, own: VersionRange): FieldFacts {
  const type = field.type.replace(/[A-Z]\w*$/, 'struct')
  return {
    path,
    type,
    versions: show(own),
    nullable: show(clip(range(field.nullableVersions ?? 'none', Infinity), own)),
    tag: field.tag ?? null,
    default: kafkaDefault(type, field.default),
    ignorable: field.ignorable ?? false,
  }
}

function kafkaDefault(type: string, given: KafkaField['default']): string {
  if (given === undefined) return typeDefault(type)
  const text = String(given)
  if (text === 'null') return 'null'
  if (/^u?int(8|16|32|64)$/.test(type)) return String(BigInt(text))
  return text
}

function typeDefault(type: string): string {
  if (type === 'bool') return 'false'
  if (type === 'records') return 'null'
  return /^(u?int|float)/.test(type) ? '0' : ''
}

function range(text: string, open: number): VersionRange | null {
  if (text === 'none') return null
  const [first, last] = text.replace('+', `-${open}`).split('-')
  return [Number(first), Number(last ?? first)]
}

function clip(versions: VersionRange | null, bounds: VersionRange): VersionRange | null {
  if (versions === null) return null
  const clipped = [Math.max(versions[0], bounds[0]), Math.min(versions[1], bounds[1])] as const
  return clipped[0] <= clipped[1] ? clipped : null
}

function show(versions: VersionRange | null): string {
  return versions === null ? 'none' : `${versions[0]}-${versions[1]}`
}
