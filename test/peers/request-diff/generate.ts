/**
 * Makes a body for any request from its schema: every field gets a value from the pool of its name (values.ts), so
 * that most requests are about things that exist and some are not. What a version lacks is left out.
 */
import type { Field, Fields, FieldType } from '../../../src/protocol/schema/field.js'
import type { RequestSchema } from '../../../src/protocol/schema/message.js'
import type { SeededRandom } from './random.js'
import { type Place, valueOf } from './values.js'

export type Body = Record<string, unknown>

export function generateBody(
  schema: RequestSchema,
  api: string,
  version: number,
  random: SeededRandom,
): Body {
  return structValue(schema.fields, { api, version, path: [] }, random)
}

function structValue(fields: Fields, place: Place, random: SeededRandom): Body {
  const body: Body = {}
  for (const [name, field] of Object.entries(fields)) {
    if (place.version < field.since || place.version > field.until) continue
    body[name] = fieldValue(field, { ...place, path: [...place.path, name] }, random)
  }
  return body
}

function fieldValue(field: Field, place: Place, random: SeededRandom): unknown {
  const isNullable = place.version >= field.nullableSince
  const chosen = valueOf(place, field.type, isNullable, random)
  if (chosen !== undefined) return chosen
  if (isNullable && random.chance(field.type.kind === 'struct' ? 0.7 : 0.1)) return null
  if (field.hasDefault && field.type.kind !== 'array' && random.chance(0.4)) return field.default
  return typeValue(field.type, place, random)
}

function typeValue(type: FieldType, place: Place, random: SeededRandom): unknown {
  if (type.kind === 'struct') return structValue(type.struct.fields, place, random)
  if (type.kind !== 'array') return scalar(type.kind, random)
  const count = random.mostly([1, 1, 1, 2, 2, 3], [0], 0.95)
  const list = Array.from({ length: count }, () => elementValue(type.element, place, random))
  return MERGES_DUPLICATES.includes(place.api) ? distinct(list) : list
}

/** Kafka keeps one of several entries for a partition here, or merges them; we answer each (docs/differences.md). */
const MERGES_DUPLICATES = [
  'Produce',
  'Fetch',
  'ListOffsets',
  'FindCoordinator',
  'OffsetForLeaderEpoch',
  'OffsetDelete',
  'OffsetCommit',
  'DescribeProducers',
]

function distinct(list: unknown[]): unknown[] {
  const seen = new Set<string>()
  return list.filter(each => {
    const { name, topic, topicId, partition, partitionIndex, index } = Object(each) as Body
    const identity = [name, topic, topicId, partition, partitionIndex, index]
    const key = JSON.stringify(typeof each === 'object' ? identity : each)
    return !seen.has(key) && seen.add(key)
  })
}

function elementValue(type: FieldType, place: Place, random: SeededRandom): unknown {
  const chosen =
    type.kind === 'struct' || type.kind === 'array'
      ? undefined
      : valueOf({ ...place, path: [...place.path, '[]'] }, type, false, random)
  return chosen ?? typeValue(type, place, random)
}

function scalar(kind: string, random: SeededRandom): unknown {
  if (kind === 'bool') return random.chance(0.5)
  if (kind === 'int64') return random.pick([0n, 1n, -1n, 1000n])
  if (kind === 'float64') return random.pick([0, 1.5, 1e6])
  if (kind === 'string') return random.pick(['', 'a', 'x.y', 'some text'])
  if (kind === 'bytes' || kind === 'records') return Buffer.from(random.pick(['', 'bytes']))
  if (kind === 'uuid') return 'id:none'
  return random.pick([0, 1, 2, -1])
}
