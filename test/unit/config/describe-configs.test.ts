/**
 * Protects: values, sources, synonyms and sensitivity exactly as Apache Kafka 4.4 describes them. The files
 * in kafka-4.4/ are what its kafka-configs tool printed for a broker with the server.properties beside them.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import {
  CONFIG_SOURCE,
  describeBrokerConfig,
  describeTopicConfig,
  type ConfigEntry,
} from '../../../src/config/describe-configs.js'
import { describeForeignConfigs } from '../../../src/config/describe-foreign-configs.js'
import { loadBrokerConfig } from '../../../src/config/load-broker-config.js'
import { TopicConfigs } from '../../../src/config/topic-config.js'

const path = (name: string) => fileURLToPath(new URL(`kafka-4.4/${name}`, import.meta.url))
const printed = (name: string) => readFileSync(path(name), 'utf8').trim().split('\n')
const broker = loadBrokerConfig({ file: path('server.properties') })
const topics = new TopicConfigs(broker)

const SOURCE_NAMES = new Map<number, string>(
  Object.entries(CONFIG_SOURCE).map(([name, id]) => [id, name]),
)
const OWN = new Set(['acks.all.flush', 'metadata.dir', 'logger.level', 'logger.format'])
/**
 * Known differences: Kafka sets min.insync.replicas as a dynamic default while eligible leader replicas
 * are on, which we have not; our default listener is on loopback.
 */
const DIFFERENT = /^(min\.insync\.replicas|listeners)=/

/** As kafka-configs prints an entry. */
function print({ name, value, isSensitive, synonyms }: ConfigEntry): string {
  const list = synonyms.map(s => `${SOURCE_NAMES.get(s.source)}:${s.name}=${s.value}`)
  return `${name}=${value} sensitive=${isSensitive} synonyms={${list.join(', ')}}`
}

function printAll(entries: ConfigEntry[]): string[] {
  return entries.filter(({ name }) => !OWN.has(name)).map(print)
}

const sorted = (lines: string[]) => lines.filter(line => !DIFFERENT.test(line)).sort()

test('a topic without overrides', () => {
  const entries = describeTopicConfig(topics.defaults, broker, { includeSynonyms: true })
  expect(sorted(printAll(entries))).toEqual(sorted(printed('topic-defaults.txt')))
})

test('a topic with overrides', () => {
  const topic = topics.of([
    ['retention.ms', '5'],
    ['cleanup.policy', 'compact'],
    ['min.cleanable.dirty.ratio', '1'],
  ])
  const entries = describeTopicConfig(topic, broker, { includeSynonyms: true })
  expect(sorted(printAll(entries))).toEqual(sorted(printed('topic-overrides.txt')))
})

test('a broker', () => {
  const entries = describeBrokerConfig(broker, { includeSynonyms: true })
  expect(sorted(printAll(entries))).toEqual(sorted(printed('broker.txt')))
})

test('keys select, documentation and synonyms come only when asked for, types are Kafka numbers', () => {
  const keys = ['log.segment.bytes', 'no.such.setting', 'log.roll.ms']
  expect(describeBrokerConfig(broker, { keys, includeDocumentation: true })).toEqual([
    {
      name: 'log.roll.ms',
      value: null,
      readOnly: false,
      configSource: CONFIG_SOURCE.DEFAULT_CONFIG,
      isSensitive: false,
      synonyms: [],
      configType: 5,
      documentation: expect.stringMatching(/^Age/),
    },
    {
      name: 'log.segment.bytes',
      value: '104857600',
      readOnly: false,
      configSource: CONFIG_SOURCE.STATIC_BROKER_CONFIG,
      isSensitive: false,
      synonyms: [],
      configType: 3,
      documentation: expect.stringMatching(/^Size/),
    },
  ])
  expect(describeTopicConfig(topics.defaults, broker, { keys })).toEqual([])
})

test('secrets are never described', () => {
  const secret = loadBrokerConfig({ properties: { 'ssl.key.password': 'hunter2' } })
  const entries = describeBrokerConfig(secret, { includeSynonyms: true })
  expect(JSON.stringify(entries)).not.toContain('hunter2')
  const entry = entries.find(({ name }) => name === 'ssl.key.password')
  expect(entry).toMatchObject({ value: null, isSensitive: true, configSource: 4 })
})

test('what was set for brokers and is in no table, as kafka-configs printed it', () => {
  const layers = {
    broker: new Map([
      ['my.own.thing', '5'],
      ['my.other', '7'],
      ['listener.name.plaintext.max.connections', '9'],
      ['listener.name.plaintext.ssl.keystore.password', 'secret'],
      ['message.max.bytes', '1'],
    ]),
    clusterDefault: new Map([
      ['my.cluster.thing', '6'],
      ['my.other', '8'],
    ]),
  }
  const described = describeForeignConfigs(broker, layers, { includeSynonyms: true })
  expect(described.map(print)).toEqual([
    'listener.name.plaintext.max.connections=9 sensitive=false synonyms={DYNAMIC_BROKER_CONFIG:' +
      'listener.name.plaintext.max.connections=9, DEFAULT_CONFIG:max.connections=2147483647}',
    'listener.name.plaintext.ssl.keystore.password=null sensitive=true synonyms={' +
      'DYNAMIC_BROKER_CONFIG:listener.name.plaintext.ssl.keystore.password=null}',
    'my.cluster.thing=null sensitive=true synonyms={DYNAMIC_DEFAULT_BROKER_CONFIG:my.cluster.thing=null}',
    'my.other=null sensitive=true synonyms={DYNAMIC_BROKER_CONFIG:my.other=null, ' +
      'DYNAMIC_DEFAULT_BROKER_CONFIG:my.other=null}',
    'my.own.thing=null sensitive=true synonyms={DYNAMIC_BROKER_CONFIG:my.own.thing=null}',
  ])
})
