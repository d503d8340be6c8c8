/** Changes of settings: Kafka's refusals (each sentence was compared with Kafka 4.4), and what is kept and applied. */
import { beforeEach, describe, expect, test } from 'vitest'
import { loadBrokerConfig } from '../../../src/config/load-broker-config.js'
import { TopicConfigs } from '../../../src/config/topic-config.js'
import { ConfigAdmin, RESOURCE_TYPE } from '../../../src/metadata/config-admin.js'
import { CLUSTER_DEFAULT, EntityConfigs } from '../../../src/metadata/entity-configs.js'
import { MemoryStore } from '../../../src/metadata/memory-store.js'
import { TopicRegistry } from '../../../src/metadata/topic-registry.js'

const { topic, broker: BROKER, brokerLogger, clientMetrics, group } = RESOURCE_TYPE
type Operation = [name: string, configOperation: number, value: string | null]

async function start(store = new MemoryStore()) {
  const broker = loadBrokerConfig()
  const topicConfigs = new TopicConfigs(broker)
  const entities = await EntityConfigs.open(store)
  ConfigAdmin.load({ broker, topicConfigs, entities })
  const registry = await TopicRegistry.open(store, broker.nodeId)
  const told: string[] = []
  const rootLogger = { level: 'INFO' }
  const admin = new ConfigAdmin({
    broker,
    topicConfigs,
    registry,
    entities,
    rootLogger,
    onTopicChanged: name => told.push(name),
    onBrokerChanged: () => told.push('broker'),
    onProblem: message => told.push(message),
  })
  const alter = (resourceType: number, resourceName: string, ...operations: Operation[]) =>
    admin.alter(
      { resourceType, resourceName },
      operations.map(([name, configOperation, value]) => ({ name, configOperation, value })),
      false,
    )
  return { broker, topicConfigs, entities, registry, admin, alter, told, rootLogger, store }
}

let parts: Awaited<ReturnType<typeof start>>

beforeEach(async () => {
  parts = await start()
  await parts.registry.createTopic({ name: 'cfg', assignments: [[1]] })
})

const REFUSED: [
  why: string,
  type: number,
  name: string,
  Operation[],
  code: number,
  text: string,
][] = [
  ['no topic', topic, 'nope', [['retention.ms', 0, '1']], 3, "The topic 'nope' does not exist."],
  [
    'all topics',
    topic,
    '',
    [['retention.ms', 0, '1']],
    42,
    'Default topic resources are not allowed.',
  ],
  ['unknown', topic, 'cfg', [['foo.bar', 0, '1']], 40, 'Unknown topic config name: foo.bar'],
  [
    'no number',
    topic,
    'cfg',
    [['retention.ms', 0, 'abc']],
    40,
    'Invalid value abc for configuration retention.ms: Not a number of type LONG',
  ],
  [
    'null',
    topic,
    'cfg',
    [['retention.ms', 0, null]],
    42,
    'Null value not supported for : retention.ms',
  ],
  [
    'append to a number',
    topic,
    'cfg',
    [['retention.ms', 2, '1']],
    40,
    "Can't APPEND to key retention.ms because its type is not LIST.",
  ],
  [
    'append nonsense',
    topic,
    'cfg',
    [['cleanup.policy', 2, 'xyz']],
    40,
    'Invalid value xyz for configuration cleanup.policy: String must be one of: compact, delete',
  ],
  [
    'a key twice',
    topic,
    'cfg',
    [
      ['retention.ms', 0, '1'],
      ['retention.ms', 0, '2'],
    ],
    42,
    'Error due to duplicate config keys',
  ],
  [
    'a contradiction',
    topic,
    'cfg',
    [
      ['min.compaction.lag.ms', 0, '10'],
      ['max.compaction.lag.ms', 0, '5'],
    ],
    40,
    'conflict topic config setting min.compaction.lag.ms (10) > max.compaction.lag.ms (5)',
  ],
  ['no such kind', 77, 'x', [['a', 0, 'b']], 42, 'Unknown resource type 77'],
  [
    'fixed at start',
    BROKER,
    '1',
    [['num.partitions', 0, '3']],
    42,
    'Cannot update these configs dynamically: [num.partitions]',
  ],
  [
    'one listener only',
    BROKER,
    '',
    [['ssl.keystore.location', 0, '/x']],
    42,
    'These security configs can be dynamically updated only per-listener using the listener prefix: [ssl.keystore.location]',
  ],
  [
    'too many threads',
    BROKER,
    '1',
    [['num.io.threads', 0, '100']],
    42,
    'Invalid value org.apache.kafka.common.config.ConfigException: Dynamic thread count update validation failed for ' +
      'num.io.threads=100, value should not be greater than double the current value 8 for configuration Invalid dynamic configuration',
  ],
  [
    'other broker',
    BROKER,
    '77',
    [['log.retention.ms', 0, '3']],
    42,
    'Unexpected broker id, expected 1, but received 77',
  ],
  [
    'no broker',
    BROKER,
    'abc',
    [['log.retention.ms', 0, '3']],
    42,
    'Node id must be an integer, but it is: abc',
  ],
  [
    'no level',
    brokerLogger,
    '1',
    [['root', 0, 'FOO']],
    40,
    'Cannot set the log level of root to FOO as it is not a supported log level. Valid log levels are DEBUG, ERROR, FATAL, INFO, TRACE, WARN',
  ],
  ['no logger', brokerLogger, '1', [['a.b', 0, 'INFO']], 40, 'Logger a.b does not exist!'],
  [
    'root without level',
    brokerLogger,
    '1',
    [['root', 1, null]],
    42,
    'Removing the log level of the root logger is not allowed',
  ],
  [
    'append to a level',
    brokerLogger,
    '1',
    [['root', 2, 'INFO']],
    42,
    'APPEND operation is not allowed for the BROKER_LOGGER resource',
  ],
  [
    'logger elsewhere',
    brokerLogger,
    '77',
    [['root', 0, 'INFO']],
    42,
    'Unexpected node id. Expected 1, but received 77',
  ],
  [
    'too often',
    clientMetrics,
    's',
    [['interval.ms', 0, '10']],
    42,
    'Invalid value 10 for interval.ms, interval must be between 100 and 3600000 (1 hour)',
  ],
  [
    'unknown',
    clientMetrics,
    's',
    [['foo', 0, '1']],
    42,
    'Unknown client metrics configuration: foo',
  ],
  [
    'no name',
    clientMetrics,
    '',
    [['interval.ms', 0, '1000']],
    42,
    "Subscription name can't be empty",
  ],
  [
    'no pattern',
    clientMetrics,
    's',
    [['match', 0, 'foo=bar']],
    40,
    'Illegal client matching pattern: foo=bar',
  ],
  ['unknown', group, 'g', [['foo', 0, '1']], 40, 'Unknown group config name: foo'],
  ['no group', group, '', [['foo', 0, '1']], 42, 'Default group resources are not allowed.'],
  [
    'out of bounds',
    group,
    'g',
    [['consumer.session.timeout.ms', 0, '1']],
    40,
    'consumer.session.timeout.ms must be in the range 45000 to 60000 inclusive.',
  ],
]

test.each(REFUSED)('refused: %s of %i %s', async (_why, type, name, operations, code, text) => {
  expect(await parts.alter(type, name, ...operations)).toEqual({
    errorCode: code,
    errorMessage: text,
  })
  expect(parts.told).toEqual([])
})

test('an operation that Kafka does not have is an unknown error', async () => {
  expect(await parts.alter(topic, 'cfg', ['retention.ms', 9, '1'])).toEqual({
    errorCode: -1,
    errorMessage: null,
  })
})

describe('topics', () => {
  const configs = () => Object.fromEntries(parts.registry.getByName('cfg')!.configs)

  test('lists grow from what is in force, and shrink', async () => {
    expect(await parts.alter(topic, 'cfg', ['cleanup.policy', 2, 'compact'])).toBeNull()
    expect(configs()).toEqual({ 'cleanup.policy': 'delete,compact' })
    await parts.alter(topic, 'cfg', ['cleanup.policy', 2, 'compact'])
    await parts.alter(topic, 'cfg', ['cleanup.policy', 3, 'delete,other'])
    expect(configs()).toEqual({ 'cleanup.policy': 'compact' })
    expect(parts.told).toEqual(['cfg', 'cfg', 'cfg'])
  })

  test('deleting what is not set or not known is no error', async () => {
    expect(
      await parts.alter(topic, 'cfg', ['foo.bar', 1, null], ['retention.ms', 1, 'x']),
    ).toBeNull()
  })

  test('replacing takes away what is not named', async () => {
    const resource = { resourceType: topic, resourceName: 'cfg' }
    await parts.alter(topic, 'cfg', ['retention.ms', 0, '5'])
    await parts.admin.replace(resource, [{ name: 'segment.ms', value: '7' }], false)
    expect(configs()).toEqual({ 'segment.ms': '7' })
    expect(
      await parts.admin.replace(resource, [{ name: 'segment.ms', value: null }], false),
    ).toEqual({ errorCode: 42, errorMessage: 'Null value not supported for : segment.ms' })
  })

  test('validateOnly judges and changes nothing', async () => {
    const resource = { resourceType: topic, resourceName: 'cfg' }
    const set = (value: string) => [{ name: 'retention.ms', configOperation: 0, value }]
    expect(await parts.admin.alter(resource, set('5'), true)).toBeNull()
    expect((await parts.admin.alter(resource, set('x'), true))?.errorCode).toBe(40)
    expect(configs()).toEqual({})
  })

  test('changes that come together are made one after the other', async () => {
    await Promise.all([
      parts.alter(topic, 'cfg', ['retention.ms', 0, '5']),
      parts.alter(topic, 'cfg', ['segment.ms', 0, '6']),
    ])
    expect(configs()).toEqual({ 'retention.ms': '5', 'segment.ms': '6' })
  })
})

describe('brokers', () => {
  test('a broker beats the default of all, which beats the start', async () => {
    const retention = () => parts.topicConfigs.defaults.get('retention.ms')
    await parts.alter(BROKER, '', ['log.retention.ms', 0, '999'])
    expect(retention()).toBe(999n)
    await parts.alter(BROKER, '1', ['log.retention.ms', 0, '123'])
    expect(retention()).toBe(123n)
    await parts.alter(BROKER, '1', ['log.retention.ms', 1, null])
    await parts.alter(BROKER, '', ['log.retention.ms', 1, null])
    expect(retention()).toBe(604_800_000n)
    expect(parts.told).toEqual(['broker', 'broker', 'broker', 'broker'])
  })

  test('what was set is there after a restart; a removed entity is not', async () => {
    await parts.alter(BROKER, '1', ['message.max.bytes', 0, '2000'])
    await parts.alter(group, 'a/b c.*', ['consumer.session.timeout.ms', 0, '50000'])
    await parts.alter(clientMetrics, 's', ['interval.ms', 0, '1000'])
    await parts.alter(clientMetrics, 's', ['interval.ms', 1, null])
    const next = await start(parts.store)
    expect(next.broker.get('message.max.bytes')).toBe(2000)
    expect(next.topicConfigs.defaults.get('max.message.bytes')).toBe(2000)
    expect(next.entities.names('groups')).toEqual(['a/b c.*'])
    expect(next.entities.names('client-metrics')).toEqual([])
    expect(next.entities.get('brokers', CLUSTER_DEFAULT).size).toBe(0)
  })

  test('a setting that nobody knows is kept, and said', async () => {
    expect(await parts.alter(BROKER, '1', ['foo.bar', 0, 'x'])).toBeNull()
    expect(parts.told[1]).toContain('foo.bar')
  })
})

test('the level of the logger follows', async () => {
  await parts.alter(brokerLogger, '1', ['root', 0, 'DEBUG'])
  expect(parts.rootLogger.level).toBe('DEBUG')
})
