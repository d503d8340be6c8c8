/**
 * Settings that change while the broker runs: set with `millrace configs` and with KafkaJS, in force at once, there
 * after a restart. Imports nothing from src/.
 */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ConfigResourceTypes, Kafka, logLevel } from 'kafkajs'
import { afterEach, describe, expect, test } from 'vitest'
import { BrokerProcess } from '../support/broker-process.js'
import { createTopic, produce } from '../support/partition-calls.js'
import { RawClient } from '../support/raw-client.js'
import { recordBatch } from '../support/record-batch-bytes.js'
import { command } from '../support/run-command.js'

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))

let broker: BrokerProcess | undefined
let client: RawClient | undefined

afterEach(async () => {
  client?.close()
  await broker?.remove()
  broker = client = undefined
})

async function start(settings: Record<string, string> = {}): Promise<RawClient> {
  broker = await BrokerProcess.start({ settings })
  client = await RawClient.connect(broker.port)
  return client
}

async function restart(): Promise<RawClient> {
  client?.close()
  expect(await broker!.stop()).toBe(0)
  await broker!.restart()
  client = await RawClient.connect(broker!.port)
  return client
}

/** `millrace configs`; fails if it does. Its lines. */
async function configs(...args: string[]): Promise<string[]> {
  const server = ['--bootstrap-server', broker!.bootstrapServers]
  const stdout = await command(process.execPath, [MAIN, 'configs', ...server, ...args])
  return stdout.trimEnd().split('\n')
}

function batchOf(bytes: number): Buffer {
  return recordBatch([{ value: 'x'.repeat(bytes) }])
}

async function errorOfProduce(topic: string, bytes: number, acks = -1): Promise<number> {
  return (await produce(client!, topic, batchOf(bytes), { acks }))['errorCode']
}

const TOO_LARGE = 10

describe('settings of topics', () => {
  test('the segment size applies to the next append, and to those after a restart', async () => {
    await start()
    expect(await createTopic(client!, 'logs')).toBe(0)
    const segments = () =>
      readdirSync(join(broker!.logDir, 'logs-0')).filter(name => name.endsWith('.log')).length
    for (let i = 0; i < 3; i++) expect(await errorOfProduce('logs', 700_000)).toBe(0)
    expect(segments()).toBe(1)
    const done = await configs(
      '--alter',
      '--topic',
      'logs',
      '--add-config',
      'segment.bytes=1048576',
    )
    expect(done).toEqual(['Completed updating config for topic logs.'])
    for (let i = 0; i < 3; i++) expect(await errorOfProduce('logs', 700_000)).toBe(0)
    expect(segments()).toBe(4)
    await restart()
    expect(await errorOfProduce('logs', 700_000)).toBe(0)
    expect(segments()).toBe(5)
    await configs('--alter', '--topic', 'logs', '--delete-config', 'segment.bytes')
    expect(await errorOfProduce('logs', 700_000)).toBe(0)
    expect(segments()).toBe(5)
  })

  test('the message size: of the topic, of this broker, of all brokers, of the start', async () => {
    await start({ 'message.max.bytes': '5000' })
    expect(await createTopic(client!, 'sizes')).toBe(0)
    expect(await errorOfProduce('sizes', 6000)).toBe(TOO_LARGE)
    const set = (entity: string[], bytes: number, name = 'message.max.bytes') =>
      configs('--alter', ...entity, '--add-config', `${name}=${bytes}`)
    await set(['--broker-defaults'], 7000)
    expect(await errorOfProduce('sizes', 6000)).toBe(0)
    await set(['--broker', '1'], 3000)
    expect(await errorOfProduce('sizes', 4000)).toBe(TOO_LARGE)
    await set(['--topic', 'sizes'], 9000, 'max.message.bytes')
    expect(await errorOfProduce('sizes', 8000)).toBe(0)

    await restart()
    expect(await errorOfProduce('sizes', 8000)).toBe(0)
    expect(await configs('--describe', '--topic', 'sizes')).toEqual([
      'Dynamic configs for topic sizes are:',
      '  max.message.bytes=9000 sensitive=false synonyms={DYNAMIC_TOPIC_CONFIG:max.message.bytes=9000, ' +
        'DYNAMIC_BROKER_CONFIG:message.max.bytes=3000, DYNAMIC_DEFAULT_BROKER_CONFIG:message.max.bytes=7000, ' +
        'STATIC_BROKER_CONFIG:message.max.bytes=5000, DEFAULT_CONFIG:message.max.bytes=1048588}',
    ])
    await configs('--alter', '--topic', 'sizes', '--delete-config', 'max.message.bytes')
    expect(await errorOfProduce('sizes', 4000)).toBe(TOO_LARGE)
    await configs('--alter', '--broker', '1', '--delete-config', 'message.max.bytes')
    expect(await errorOfProduce('sizes', 6000)).toBe(0)
    await configs('--alter', '--broker-defaults', '--delete-config', 'message.max.bytes')
    expect(await errorOfProduce('sizes', 6000)).toBe(TOO_LARGE)
  })

  test('KafkaJS replaces the settings of a topic and reads them back', async () => {
    await start()
    expect(await createTopic(client!, 'js', 1, { 'retention.ms': '1000' })).toBe(0)
    const kafka = new Kafka({ brokers: [broker!.bootstrapServers], logLevel: logLevel.NOTHING })
    const admin = kafka.admin()
    await admin.connect()
    try {
      const resource = { type: ConfigResourceTypes.TOPIC, name: 'js' }
      const alter = (name: string, value: string, validateOnly = false) =>
        admin.alterConfigs({
          validateOnly,
          resources: [{ ...resource, configEntries: [{ name, value }] }],
        })
      const explicit = async () => {
        const { resources } = await admin.describeConfigs({
          includeSynonyms: false,
          resources: [resource],
        })
        // KafkaJS asks in a version that has sources and shows them as numbers.
        const entries = resources[0]!.configEntries.filter(
          entry => Number(entry.configSource) === 1,
        )
        return entries.map(entry => [entry.configName, entry.configValue])
      }
      await alter('max.message.bytes', '2000', true)
      expect(await explicit()).toEqual([['retention.ms', '1000']])
      await alter('max.message.bytes', '2000')
      expect(await explicit()).toEqual([['max.message.bytes', '2000']])
      await expect(alter('max.message.bytes', 'many')).rejects.toThrow(/[Cc]onfig/)
      const producer = kafka.producer()
      await producer.connect()
      const send = (bytes: number) =>
        producer.send({ topic: 'js', messages: [{ value: 'x'.repeat(bytes) }] })
      await send(1000)
      await expect(send(3000)).rejects.toThrow(/larger than the max/)
      await producer.disconnect()
    } finally {
      await admin.disconnect()
    }
  })
})

describe('flush.messages and flush.ms', () => {
  /** No acknowledgement waits for the disk by itself; the checkpoint tells how far the disk is. */
  const ON_REQUEST = {
    'acks.all.flush': 'never',
    'log.flush.offset.checkpoint.interval.ms': '100',
  }

  function recoveryPoint(topic: string): number {
    const lines = readFileSync(join(broker!.logDir, 'recovery-point-offset-checkpoint'), 'utf8')
    const line = lines.split('\n').find(entry => entry.startsWith(`${topic} 0 `))
    return line === undefined ? 0 : Number(line.split(' ')[2])
  }

  /** Checkpoints are written while bytes come in. */
  async function until(condition: () => boolean): Promise<void> {
    for (let i = 0; i < 600 && !condition(); i++) {
      await client!.call('ApiVersions', 0, {})
      await new Promise(resolve => setTimeout(resolve, 50))
    }
    expect(condition()).toBe(true)
  }

  test('after so many records, and after such a time, records are on disk', async () => {
    await start(ON_REQUEST)
    for (const topic of ['never', 'counted', 'timed']) {
      expect(await createTopic(client!, topic)).toBe(0)
      expect(await errorOfProduce(topic, 10)).toBe(0)
    }
    await configs('--alter', '--topic', 'counted', '--add-config', 'flush.messages=3')
    await configs('--alter', '--topic', 'timed', '--add-config', 'flush.ms=1000')
    await until(() => recoveryPoint('timed') === 1)
    expect(await errorOfProduce('counted', 10, 1)).toBe(0)
    expect(await errorOfProduce('counted', 10, 1)).toBe(0)
    await until(() => recoveryPoint('counted') === 3)
    expect(await errorOfProduce('counted', 10, 1)).toBe(0)
    expect(await errorOfProduce('timed', 10, 1)).toBe(0)
    await until(() => recoveryPoint('timed') === 2)
    expect([recoveryPoint('counted'), recoveryPoint('never')]).toEqual([3, 0])
  })
})

describe('settings of brokers, loggers, groups and client metrics', () => {
  test('fewer connections are let in once the limit is lower', async () => {
    await start()
    const isServed = async () => {
      const other = await RawClient.connect(broker!.port)
      try {
        await other.call('ApiVersions', 0, {})
        return true
      } catch {
        return false
      } finally {
        other.close()
      }
    }
    expect(await isServed()).toBe(true)
    const alter = (value: string) =>
      client!.call('IncrementalAlterConfigs', 1, {
        resources: [
          {
            resourceType: 4,
            resourceName: '1',
            configs: [{ name: 'max.connections', configOperation: 0, value }],
          },
        ],
        validateOnly: false,
      })
    expect((await alter('1'))['responses'][0].errorCode).toBe(0)
    expect(await isServed()).toBe(false)
    expect((await alter('100'))['responses'][0].errorCode).toBe(0)
    expect(await isServed()).toBe(true)
  })

  test('a log level is in force at once and gone with the process', async () => {
    await start()
    const level = async () => (await configs('--describe', '--broker-logger', '1'))[1]
    expect(await level()).toBe('  root=INFO sensitive=false synonyms={}')
    await configs('--alter', '--broker-logger', '1', '--add-config', 'root=DEBUG')
    expect(await level()).toBe('  root=DEBUG sensitive=false synonyms={}')
    await restart()
    expect(await level()).toBe('  root=INFO sensitive=false synonyms={}')
  })

  test('groups and subscriptions keep theirs; a file and a list are taken; nothing is left after deletion', async () => {
    await start()
    await configs('--alter', '--group', 'g.1', '--add-config', 'consumer.session.timeout.ms=50000')
    await configs(
      '--alter',
      '--client-metrics',
      'm',
      '--add-config',
      'metrics=[a.b,c],interval.ms=1000',
    )
    await restart()
    expect(await configs('--describe', '--entity-type', 'groups')).toEqual([
      'Dynamic configs for group g.1 are:',
      '  consumer.session.timeout.ms=50000 sensitive=false synonyms={DYNAMIC_GROUP_CONFIG:' +
        'consumer.session.timeout.ms=50000, DEFAULT_CONFIG:group.consumer.session.timeout.ms=45000}',
    ])
    const subscription = await configs('--describe', '--client-metrics', 'm', '--json')
    expect(JSON.parse(subscription.join('\n'))[0].configs).toMatchObject([
      { name: 'interval.ms', value: '1000', source: 'DYNAMIC_CLIENT_METRICS_CONFIG' },
      { name: 'metrics', value: 'a.b,c' },
    ])
    await configs('--alter', '--group', 'g.1', '--delete-config', 'consumer.session.timeout.ms')
    expect(await configs('--describe', '--group', 'g.1')).toEqual([
      "The group 'g.1' doesn't exist and doesn't have dynamic config.",
    ])
  })

  test('what is no setting of a broker is kept and shown without its value', async () => {
    await start()
    await configs('--alter', '--broker', '1', '--add-config', 'my.plugin.token=abc')
    await restart()
    expect(await configs('--describe', '--broker', '1')).toEqual([
      'Dynamic configs for broker 1 are:',
      '  my.plugin.token=null sensitive=true synonyms={DYNAMIC_BROKER_CONFIG:my.plugin.token=null}',
    ])
    expect(broker!.output).not.toContain('abc')
  })
})
