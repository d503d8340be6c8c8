/** Protects: the tables are Kafka's, the page made from them is fresh, and no setting claims too much. */
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { brokerDefinitions } from '../../../src/config/broker-definitions.js'
import { configurationMarkdown } from '../../../src/config/configuration-docs.js'
import type { Definition } from '../../../src/config/definition.js'
import { groupConfigDefinitions } from '../../../src/config/definitions/group-configs.js'
import { ownDefinitions, ownTopicDefinitions } from '../../../src/config/definitions/own.js'
import { nearestName } from '../../../src/config/nearest-name.js'
import { parseValue, renderValue } from '../../../src/config/parse-value.js'
import { topicDefinitions } from '../../../src/config/topic-definitions.js'

const all: [string, Definition][] = [
  ...Object.entries(brokerDefinitions),
  ...Object.entries(topicDefinitions),
  ...Object.entries(groupConfigDefinitions),
]

test('Kafka 4.4 has 353 broker settings, 37 topic settings and 21 group settings', () => {
  expect(Object.keys(groupConfigDefinitions)).toHaveLength(21)
  const own = Object.keys(ownDefinitions).length
  expect(Object.keys(brokerDefinitions)).toHaveLength(353 + own)
  const ownTopic = Object.keys(ownTopicDefinitions).length
  expect(Object.keys(topicDefinitions)).toHaveLength(37 + ownTopic)
})

test.each(all)('%s: the default parses, and has a sentence', (name, definition) => {
  const text = renderValue(definition.default, definition.type)
  const isOptional = text === null || text === ''
  if (!isOptional) {
    expect(parseValue(name, text, definition)).toEqual({ ok: true, value: definition.default })
  }
  expect(definition.doc).toMatch(/^[A-Z0-9].*\.$/)
  expect(definition.effect).not.toBe('')
})

test('the broker setting behind each topic setting exists', () => {
  const inherited = { ...topicDefinitions, ...groupConfigDefinitions }
  for (const definition of Object.values<Definition>(inherited)) {
    if (definition.brokerDefault === undefined) continue
    expect(Object.keys(brokerDefinitions)).toContain(definition.brokerDefault)
  }
})

test('docs/configuration.md is fresh (npx tsx src/config/generate-docs.ts)', () => {
  const page = new URL('../../../docs/configuration.md', import.meta.url)
  expect(readFileSync(page, 'utf8')).toBe(configurationMarkdown())
})

/** The table of a real Kafka, when its path is given: scope, name, type, default, valid, importance, mode. */
const reference = process.env['KAFKA_CONFIGS_TSV'] ?? ''

const TABLES: Readonly<Record<string, Readonly<Record<string, Definition>>>> = {
  broker: brokerDefinitions,
  topic: topicDefinitions,
  group: groupConfigDefinitions,
}

test.runIf(existsSync(reference))('names, types and defaults equal the reference table', () => {
  for (const line of readFileSync(reference, 'utf8').split('\n')) {
    const [scope, name = '', type, byDefault = ''] = line.split('\t')
    const table = TABLES[scope ?? '']
    if (table === undefined || byDefault === '') continue
    if (name === 'listeners') continue // Ours is on loopback.
    const definition = table[name]!
    expect([name, definition.type]).toEqual([name, type])
    const text = renderValue(definition.default, definition.type)
    expect([name, text ?? 'null']).toEqual([name, byDefault.replace(/^""$/, '')])
  }
})

test('a mistyped name finds its neighbour, a strange one finds none', () => {
  const names = Object.keys(brokerDefinitions)
  expect(nearestName('log.retension.hours', names)).toBe('log.retention.hours')
  expect(nearestName('Log.Dirs', names)).toBe('log.dirs')
  expect(nearestName('completely.unrelated.thing', names)).toBeUndefined()
})
