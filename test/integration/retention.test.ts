/** Old records leave a running broker: by time, size and DeleteRecords. A restart keeps the log start. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Kafka, logLevel } from 'kafkajs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BrokerProcess } from '../support/broker-process.js'
import {
  EARLIEST,
  LATEST,
  createTopic,
  fetch,
  listOffset,
  produce,
} from '../support/partition-calls.js'
import { RawClient } from '../support/raw-client.js'
import { recordBatch, recordsOf } from '../support/record-batch-bytes.js'

let broker: BrokerProcess
let client: RawClient

beforeAll(async () => {
  broker = await BrokerProcess.start({
    settings: {
      'log.retention.check.interval.ms': '300',
      'log.segment.delete.delay.ms': '0',
      'log.message.timestamp.before.max.ms': String(2n ** 63n - 1n),
    },
  })
  client = await RawClient.connect(broker.port)
})

afterAll(async () => {
  client.close()
  await broker.remove()
})

async function fill(topic: string, batches: number, timestamp = Date.now()): Promise<void> {
  for (let i = 0; i < batches; i++) {
    const records = recordsOf(1, 400_000).map(record => ({ ...record, timestamp }))
    expect((await produce(client, topic, recordBatch(records)))['errorCode']).toBe(0)
  }
}

async function startOf(topic: string): Promise<number> {
  return Number((await listOffset(client, topic, EARLIEST))['offset'])
}

async function eventually(holds: () => Promise<boolean>): Promise<void> {
  for (let i = 0; i < 300 && !(await holds()); i++) await new Promise(r => setTimeout(r, 100))
  expect(await holds()).toBe(true)
}

const SMALL = { 'segment.bytes': '1048576' }

test('by size: what is above retention.bytes goes, the newest stay and are read', async () => {
  await createTopic(client, 'by-size', 1, { ...SMALL, 'retention.bytes': '1500000' })
  await fill('by-size', 20)
  await eventually(async () => (await startOf('by-size')) >= 14)
  const start = await startOf('by-size')
  expect(start).toBeLessThan(20)
  expect((await fetch(client, 'by-size', start))['errorCode']).toBe(0)
  expect((await fetch(client, 'by-size', start - 1))['errorCode']).toBe(1)
})

test('by time: yesterday goes, with the active segment; today stays; the settings are changed live', async () => {
  await createTopic(client, 'by-time', 1, { ...SMALL, 'retention.ms': '-1' })
  await fill('by-time', 6, Date.now() - 86_400_000)
  await new Promise(resolve => setTimeout(resolve, 1000))
  expect(await startOf('by-time')).toBe(0)
  const admin = new Kafka({
    brokers: [broker.bootstrapServers],
    logLevel: logLevel.NOTHING,
  }).admin()
  await admin.connect()
  await admin.alterConfigs({
    validateOnly: false,
    resources: [
      { type: 2, name: 'by-time', configEntries: [{ name: 'retention.ms', value: '3600000' }] },
    ],
  })
  await admin.disconnect()
  await eventually(async () => (await startOf('by-time')) === 6)
  await fill('by-time', 1)
  expect(Number((await listOffset(client, 'by-time', LATEST))['offset'])).toBe(7)
  expect((await fetch(client, 'by-time', 6))['errorCode']).toBe(0)
})

test('DeleteRecords through KafkaJS moves the log start, over a restart too, and its files go', async () => {
  await createTopic(client, 'by-hand', 1, { ...SMALL, 'retention.ms': '-1' })
  await fill('by-hand', 8)
  const admin = new Kafka({
    brokers: [broker.bootstrapServers],
    logLevel: logLevel.NOTHING,
  }).admin()
  await admin.connect()
  await admin.fetchTopicOffsets('by-hand') // KafkaJS deletes records of topics only that it has looked at.
  await admin.deleteTopicRecords({ topic: 'by-hand', partitions: [{ partition: 0, offset: '7' }] })
  expect(await startOf('by-hand')).toBe(7)
  await admin.disconnect()
  const logs = () =>
    readdirSync(join(broker.logDir, 'by-hand-0')).filter(name => name.endsWith('.log'))
  expect(logs()).toHaveLength(1)
  client.close()
  expect(await broker.stop()).toBe(0)
  await broker.restart()
  client = await RawClient.connect(broker.port)
  expect(await startOf('by-hand')).toBe(7)
  expect((await fetch(client, 'by-hand', 7))['errorCode']).toBe(0)
  expect((await fetch(client, 'by-hand', 6))['errorCode']).toBe(1)
})
