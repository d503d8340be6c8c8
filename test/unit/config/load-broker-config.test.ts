/** Protects: typed values, precedence, derivations, and that a bad file says all that is wrong with it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ConfigError } from '../../../src/config/config-problem.js'
import { loadBrokerConfig } from '../../../src/config/load-broker-config.js'

let dir = ''
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'config-'))
})
afterAll(() => rmSync(dir, { recursive: true }))

function load(text: string, overrides: string[] = []) {
  const file = join(dir, 'server.properties')
  writeFileSync(file, text)
  return loadBrokerConfig({ file, overrides })
}

function problemsOf(text: string, overrides: string[] = []): string {
  try {
    load(text, overrides)
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError)
    return (error as ConfigError).message.replaceAll(`${dir}/`, '')
  }
  throw new Error('the settings were accepted')
}

test('defaults are typed: int is number, long is bigint, list is an array', () => {
  const config = loadBrokerConfig()
  const segmentBytes: number = config.get('log.segment.bytes')
  const flushMessages: bigint = config.get('log.flush.interval.messages')
  const rollMs: bigint | null = config.get('log.roll.ms')
  const policy: readonly string[] = config.get('log.cleanup.policy')
  expect([segmentBytes, flushMessages, rollMs, policy]).toEqual([
    1073741824,
    9223372036854775807n,
    null,
    ['delete'],
  ])
  expect(config.nodeId).toBe(1)
  expect(config.logDirs).toEqual(['/tmp/kafka-logs'])
  expect(config.metadataDir).toBe('/tmp/kafka-logs-metadata')
  expect(config.listeners).toEqual([
    { name: 'PLAINTEXT', host: '127.0.0.1', port: 9092, securityProtocol: 'PLAINTEXT' },
  ])
})

test('file, then overrides, the last one wins', () => {
  const config = load('num.partitions=2\nlog.dirs = /a , /b\nnum.partitions=3', [
    'num.partitions=4',
    'compression.type=zstd',
  ])
  expect(config.get('num.partitions')).toBe(4)
  expect(config.get('compression.type')).toBe('zstd')
  expect(config.logDirs).toEqual(['/a', '/b'])
  expect(config.metadataDir).toBe('/a-metadata')
})

test('node.id and broker.id fill each other, and must agree', () => {
  expect(load('broker.id=7').nodeId).toBe(7)
  expect(load('broker.id=7').get('node.id')).toBe(7)
  expect(load('node.id=0').get('broker.id')).toBe(0)
  expect(load('broker.id=-1').nodeId).toBe(1)
  expect(problemsOf('node.id=1\nbroker.id=2')).toMatch(/broker\.id=2: node\.id is 1/)
})

test('every problem is told, with file, line, key, reason and remedy', () => {
  const text = [
    'log.segment.bytes=10',
    'num.partitons=3',
    'auto.create.topics.enable=yes',
    'log.roll.hours=1.5',
    'num.network.threads=99999999999',
    'retention.ms=5',
  ].join('\n')
  expect(problemsOf(text, ['compression.type=rar', 'foo']).split('\n')).toEqual([
    '--override: foo: an override must have the form key=value. ' +
      'Write, for example, --override num.partitions=3.',
    'server.properties:1: log.segment.bytes=10: Value must be at least 1048576. ' +
      'Correct the value; the type is int.',
    'server.properties:2: num.partitons: there is no setting of this name. ' +
      'Did you mean num.partitions? If not, delete the line.',
    'server.properties:3: auto.create.topics.enable=yes: ' +
      'Expected value to be either true or false. Correct the value; the type is boolean.',
    'server.properties:4: log.roll.hours=1.5: Not a number of type INT. ' +
      'Correct the value; the type is int.',
    'server.properties:5: num.network.threads=99999999999: Not a number of type INT. ' +
      'Correct the value; the type is int.',
    'server.properties:6: retention.ms: this is a setting of topics, not of brokers. ' +
      'Set it when the topic is created; for a default of all topics use log.retention.ms.',
    '--override: compression.type=rar: String must be one of: uncompressed, zstd, lz4, snappy, ' +
      'gzip, producer. Correct the value; the type is string.',
  ])
})

test('values that may be secret are never shown', () => {
  expect(problemsOf('ssl.key.pasword=hunter2')).not.toContain('hunter2')
  expect(problemsOf('super.users=User:hunter2')).not.toContain('hunter2')
})

test('control characters of a file do not reach the terminal', () => {
  expect(problemsOf('num.partitions=\\u001b[31m')).toContain('\\u001b[31m')
})

test.each([
  ['authorizer.class.name=x.Y', /authorisation is not built yet/],
  ['create.topic.policy.class.name=x.Y', /policy would not apply/],
  ['remote.log.storage.system.enable=true', /tiered storage is not built yet/],
  ['zookeeper.connect=h:2181', /rest on ZooKeeper are not built yet/],
  ['super.users=User:a', /would protect nothing/],
  ['inter.broker.protocol.version=3.9', /removed in Kafka 4\.0\. Delete the line/],
  ['listeners=SASL_PLAINTEXT://127.0.0.1:9092', /SASL_PLAINTEXT is not built yet/],
  ['log.retention.ms=0', /-1 \(unlimited\) or at least 1/],
  ['log.dirs=', /list of log dirs is empty/],
  ['advertised.listeners=PLAINTEXT://0.0.0.0:1', /server\.properties:1: advertised\.listeners=/],
])('%s stops the start', (line, message) => {
  expect(problemsOf(line)).toMatch(message)
})

test('plug-in keys and inert settings are accepted and reported', () => {
  const config = load(
    'listener.name.a.ssl.key.password=s\nreplication.quota.window.num=5\nnum.partitions=2',
  )
  expect(config.withoutEffect).toEqual([
    { key: 'listener.name.a.ssl.key.password', effect: expect.stringMatching(/^no effect/) },
    {
      key: 'replication.quota.window.num',
      effect: expect.stringMatching(/^no effect yet: quotas/),
    },
  ])
})

test('a missing file is one clear sentence', () => {
  expect(() => loadBrokerConfig({ file: join(dir, 'none') })).toThrow(
    /Cannot read the settings from .*none: there is no such file/,
  )
})
