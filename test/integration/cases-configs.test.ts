/** Faults that other brokers had with settings: full and partial changes (C089), and what tools read (C091). */
import { ConfigResourceTypes, Kafka, logLevel } from 'kafkajs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BrokerProcess } from '../support/broker-process.js'
import { createTopic } from '../support/partition-calls.js'
import { RawClient } from '../support/raw-client.js'
import type { WireMessage } from '../support/wire-codec.js'

const TOPIC = 2
const BROKER = 4
const SET = 0
const DELETE = 1
const APPEND = 2
const SUBTRACT = 3
const OF_TOPIC = 1
const STATIC = 4
const BY_DEFAULT = 5
const INVALID_CONFIG = 40
const INVALID_REQUEST = 42

let broker: BrokerProcess
let client: RawClient

beforeAll(async () => {
  broker = await BrokerProcess.start({ settings: { 'log.retention.ms': '5000000' } })
  client = await RawClient.connect(broker.port)
})

afterAll(async () => {
  client.close()
  await broker.remove()
})

interface DescribeOptions {
  keys?: string[] | null
  includeSynonyms?: boolean
  includeDocumentation?: boolean
}

async function describeResource(
  resourceType: number,
  resourceName: string,
  options: DescribeOptions = {},
): Promise<WireMessage> {
  const answer = await client.call('DescribeConfigs', 4, {
    resources: [{ resourceType, resourceName, configurationKeys: options.keys ?? null }],
    includeSynonyms: options.includeSynonyms ?? false,
    includeDocumentation: options.includeDocumentation ?? false,
  })
  return answer['results'][0]
}

/** The values that the topic sets itself. */
async function overrides(topic: string): Promise<Record<string, string>> {
  const { configs } = await describeResource(TOPIC, topic)
  const own = (configs as WireMessage[]).filter(config => config['configSource'] === OF_TOPIC)
  return Object.fromEntries(own.map(config => [config['name'], config['value']]))
}

type Operation = [operation: number, name: string, value: string | null]

async function change(
  topic: string,
  operations: Operation[],
  validateOnly = false,
): Promise<number> {
  const configs = operations.map(([configOperation, name, value]) => ({
    name,
    configOperation,
    value,
  }))
  const answer = await client.call('IncrementalAlterConfigs', 1, {
    resources: [{ resourceType: TOPIC, resourceName: topic, configs }],
    validateOnly,
  })
  return answer['responses'][0].errorCode
}

describe('C089: AlterConfigs and IncrementalAlterConfigs', () => {
  const THREE = { 'cleanup.policy': 'compact', 'flush.ms': '9', 'retention.ms': '77' }

  test('AlterConfigs drops what it does not name', async () => {
    expect(await createTopic(client, 'full', 1, THREE)).toBe(0)
    const admin = new Kafka({
      brokers: [broker.bootstrapServers],
      logLevel: logLevel.NOTHING,
    }).admin()
    await admin.connect()
    try {
      await admin.alterConfigs({
        validateOnly: false,
        resources: [
          {
            type: ConfigResourceTypes.TOPIC,
            name: 'full',
            configEntries: [{ name: 'retention.ms', value: '78' }],
          },
        ],
      })
    } finally {
      await admin.disconnect()
    }
    expect(await overrides('full')).toEqual({ 'retention.ms': '78' })
  })

  test('IncrementalAlterConfigs touches what it names only', async () => {
    expect(await createTopic(client, 'steps', 1, THREE)).toBe(0)
    expect(await change('steps', [[SET, 'retention.ms', '79']])).toBe(0)
    expect(await overrides('steps')).toEqual({ ...THREE, 'retention.ms': '79' })
    expect(await change('steps', [[APPEND, 'cleanup.policy', 'delete']])).toBe(0)
    expect((await overrides('steps'))['cleanup.policy']).toBe('compact,delete')
    expect(await change('steps', [[APPEND, 'cleanup.policy', 'delete']])).toBe(0)
    expect((await overrides('steps'))['cleanup.policy']).toBe('compact,delete')
    expect(await change('steps', [[SUBTRACT, 'cleanup.policy', 'compact']])).toBe(0)
    expect(await overrides('steps')).toEqual({
      'cleanup.policy': 'delete',
      'flush.ms': '9',
      'retention.ms': '79',
    })
    const both: Operation[] = [
      [DELETE, 'flush.ms', null],
      [DELETE, 'cleanup.policy', null],
    ]
    expect(await change('steps', both)).toBe(0)
    expect(await overrides('steps')).toEqual({ 'retention.ms': '79' })
  })

  test('a value equal to the one inherited is an override until it is deleted', async () => {
    expect(await createTopic(client, 'equal')).toBe(0)
    const sourceOf = async (key: string) => {
      const { configs } = await describeResource(TOPIC, 'equal', { keys: [key] })
      return [configs[0].value, configs[0].configSource]
    }
    expect(await sourceOf('retention.ms')).toEqual(['5000000', STATIC])
    expect(await change('equal', [[SET, 'retention.ms', '5000000']])).toBe(0)
    expect(await change('equal', [[SET, 'segment.bytes', '1073741824']])).toBe(0)
    expect(await sourceOf('retention.ms')).toEqual(['5000000', OF_TOPIC])
    expect(await sourceOf('segment.bytes')).toEqual(['1073741824', OF_TOPIC])
    expect(await change('equal', [[DELETE, 'retention.ms', null]])).toBe(0)
    expect(await change('equal', [[DELETE, 'segment.bytes', null]])).toBe(0)
    expect(await sourceOf('retention.ms')).toEqual(['5000000', STATIC])
    expect(await sourceOf('segment.bytes')).toEqual(['1073741824', BY_DEFAULT])
  })

  const REFUSED: [string, Operation[], number][] = [
    ['an unknown name', [[SET, 'no.such', '1']], INVALID_CONFIG],
    ['no number', [[SET, 'retention.ms', 'long']], INVALID_CONFIG],
    ['out of bounds', [[SET, 'retention.ms', '-2']], INVALID_CONFIG],
    ['appending to a number', [[APPEND, 'retention.ms', '1']], INVALID_CONFIG],
    ['a null value', [[SET, 'retention.ms', null]], INVALID_REQUEST],
    [
      'a good one beside a bad one',
      [
        [SET, 'flush.ms', '1'],
        [SET, 'retention.ms', 'long'],
      ],
      INVALID_CONFIG,
    ],
    [
      'a name twice',
      [
        [SET, 'flush.ms', '1'],
        [DELETE, 'flush.ms', null],
      ],
      INVALID_REQUEST,
    ],
  ]

  test('what is refused, or only validated, changes nothing', async () => {
    expect(await createTopic(client, 'firm', 1, THREE)).toBe(0)
    for (const [what, operations, code] of REFUSED) {
      for (const validateOnly of [true, false]) {
        expect([what, await change('firm', operations, validateOnly)]).toEqual([what, code])
      }
    }
    expect(await change('firm', [[SET, 'retention.ms', '1']], true)).toBe(0)
    expect(await overrides('firm')).toEqual(THREE)
  })
})

describe('C091: tools need the full config picture', () => {
  test('CreateTopics answers all settings that DescribeConfigs knows, alike', async () => {
    const topic = {
      name: 'answered',
      numPartitions: 1,
      replicationFactor: 1,
      configs: [{ name: 'cleanup.policy', value: 'compact' }],
    }
    const created = await client.call('CreateTopics', 7, { topics: [topic], timeoutMs: 30_000 })
    const { configs } = await describeResource(TOPIC, 'answered')
    const picture = (list: WireMessage[]) =>
      list.map(c => [c['name'], c['value'], c['readOnly'], c['configSource'], c['isSensitive']])
    const answered = picture(created['topics'][0].configs)
    expect(answered).toEqual(picture(configs))
    expect(answered.length).toBeGreaterThanOrEqual(37)
    // What Connect looks for before it takes a topic for its offsets.
    expect(answered).toContainEqual(['cleanup.policy', 'compact', false, OF_TOPIC, false])
  })

  test('a broker shows what tools look for; keys, synonyms and documentation as asked', async () => {
    const { configs } = await describeResource(BROKER, '1')
    const names = (configs as WireMessage[]).map(config => config['name'])
    const wanted = ['num.partitions', 'default.replication.factor', 'log.retention.hours']
    expect(names).toEqual(expect.arrayContaining([...wanted, 'message.max.bytes', 'listeners']))
    expect(names.length).toBeGreaterThanOrEqual(350)
    const [chosen] = (
      await describeResource(BROKER, '1', {
        keys: ['log.retention.ms', 'no.such'],
        includeSynonyms: true,
        includeDocumentation: true,
      })
    )['configs']
    expect(chosen).toMatchObject({ name: 'log.retention.ms', value: '5000000', configType: 5 })
    expect(chosen.synonyms.map((synonym: WireMessage) => synonym['name'])).toEqual([
      'log.retention.ms',
      'log.retention.hours',
    ])
    expect(chosen.documentation).toMatch(/^[A-Z].*\./)
  })

  test('an unknown topic is 3, another broker 42', async () => {
    expect((await describeResource(TOPIC, 'nowhere'))['errorCode']).toBe(3)
    expect((await describeResource(BROKER, '7'))['errorCode']).toBe(INVALID_REQUEST)
  })
})
