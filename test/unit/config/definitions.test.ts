/** Protects: the tables are Kafka's, the page made from them is fresh, and no setting claims too much. */
import { readFileSync, readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { brokerDefinitions } from '../../../src/config/broker-definitions.js'
import { configurationMarkdown } from '../../../src/config/configuration-docs.js'
import type { Definition } from '../../../src/config/definition.js'
import { EFFECTIVE } from '../../../src/config/definitions/effects.js'
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

const TABLES: Readonly<Record<string, Readonly<Record<string, Definition>>>> = {
  broker: brokerDefinitions,
  topic: topicDefinitions,
  group: groupConfigDefinitions,
}
const OWN: Readonly<Record<string, readonly string[]>> = {
  broker: Object.keys(ownDefinitions),
  topic: Object.keys(ownTopicDefinitions),
  group: [],
}

/** Scope, name, type, default and mode of update of each setting, as a real Kafka printed them. */
const kafka = readFileSync(new URL('kafka-4.4/settings.tsv', import.meta.url), 'utf8')
  .split('\n')
  .slice(2)
  .filter(line => line !== '')
  .map(line => line.split('\t') as [string, string, string, string, string])

test.each(Object.keys(TABLES))('the %s settings are those of Kafka 4.4 and our own', scope => {
  const names = kafka.filter(([of]) => of === scope).map(([, name]) => name)
  expect(names.length).toBeGreaterThan(20)
  expect(Object.keys(TABLES[scope]!).sort()).toEqual([...names, ...OWN[scope]!].sort())
})

test.each(kafka)('%s setting %s has the type, default and mode of Kafka 4.4', (...row) => {
  const [scope, name, type, byDefault, update] = row
  const definition = TABLES[scope]![name]!
  expect(definition.type).toBe(type)
  if (scope === 'broker') expect(definition.update).toBe(update)
  if (byDefault === '' || name === 'listeners') return // Ours is on loopback.
  const text = renderValue(definition.default, definition.type)
  expect(text ?? 'null').toBe(byDefault.replace(/^""$/, ''))
})

/** All of src/ but the tables themselves and what is made from them. */
function readSources(folder = new URL('../../../src/', import.meta.url)): string {
  return readdirSync(folder, { withFileTypes: true })
    .map(entry => {
      if (entry.isDirectory() && entry.name !== 'definitions') {
        return readSources(new URL(`${entry.name}/`, folder))
      }
      return entry.name.endsWith('.ts') ? readFileSync(new URL(entry.name, folder), 'utf8') : ''
    })
    .join('\n')
}

test('no setting is silently ignored: what is said to be effective is read somewhere', () => {
  const sources = readSources()
  const isEffective = ([, { effect }]: [string, Definition]) => effect === EFFECTIVE
  const behind = new Set(
    all.filter(isEffective).flatMap(([, { brokerDefault }]) => brokerDefault ?? []),
  )
  const unread = all
    .filter(isEffective)
    .map(([name]) => name)
    .filter(name => !sources.includes(`'${name}'`) && !behind.has(name))
  expect(unread).toEqual([])
})

test('a setting without effect says why', () => {
  for (const [name, { effect }] of all) {
    if (effect === EFFECTIVE) continue
    expect([name, effect]).toEqual([
      name,
      expect.stringMatching(
        /^(no effect|no effect yet|in part|any value stops.*|true stops.*): .{10}/,
      ),
    ])
  }
})

test('a mistyped name finds its neighbour, a strange one finds none', () => {
  const names = Object.keys(brokerDefinitions)
  expect(nearestName('log.retension.hours', names)).toBe('log.retention.hours')
  expect(nearestName('Log.Dirs', names)).toBe('log.dirs')
  expect(nearestName('completely.unrelated.thing', names)).toBeUndefined()
})
