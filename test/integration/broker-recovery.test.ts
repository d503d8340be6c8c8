/** What a broker finds when it starts again: after kill -9, with foreign folders, without its metadata. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { tmpdir } from 'node:os'
import { Kafka, logLevel } from 'kafkajs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { BrokerProcess } from '../support/broker-process.js'

let folder: string
let broker: BrokerProcess | undefined

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-recovery-'))
})

afterEach(async () => {
  await broker?.remove()
  broker = undefined
  rmSync(folder, { recursive: true, force: true })
})

function kafka() {
  return new Kafka({ brokers: [broker!.bootstrapServers], logLevel: logLevel.NOTHING })
}

async function produce(topic: string, count: number): Promise<void> {
  const producer = kafka().producer()
  await producer.connect()
  const messages = Array.from({ length: count }, (_, index) => ({ value: `value ${index}` }))
  await producer.send({ topic, acks: -1, messages })
  await producer.disconnect()
}

async function endOffset(topic: string): Promise<string> {
  const admin = kafka().admin()
  await admin.connect()
  const [offsets] = await admin.fetchTopicOffsets(topic)
  await admin.disconnect()
  return offsets!.high
}

test('kill -9 in service: the next start takes over the locks and has every acknowledged record', async () => {
  broker = await BrokerProcess.start({ folder })
  await produce('orders', 100)
  for (let round = 0; round < 3; round++) {
    await broker.kill()
    expect(existsSync(join(broker.logDir, '.kafka_cleanshutdown'))).toBe(false)
    await broker.restart()
    expect(await endOffset('orders')).toBe(String(100 + round))
    await produce('orders', 1)
  }
})

test('a topic made again after its deletion is not measured by the recovery point of the old one', async () => {
  const settings = { 'log.flush.offset.checkpoint.interval.ms': '100' }
  broker = await BrokerProcess.start({ folder, settings })
  const checkpoint = join(broker.logDir, 'recovery-point-offset-checkpoint')
  await produce('orders', 1000)
  while (!/orders 0 1000/.test(readFileSync(checkpoint, 'utf8'))) {
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  const admin = kafka().admin()
  await admin.connect()
  await admin.deleteTopics({ topics: ['orders'] })
  expect(readFileSync(checkpoint, 'utf8')).not.toContain('orders')
  await admin.createTopics({ topics: [{ topic: 'orders' }] })
  await admin.disconnect()
  await produce('orders', 5)
  await broker.kill()
  await broker.restart()
  expect(await endOffset('orders')).toBe('5')
})

test('a folder that is missing is told, and an empty log takes its place', async () => {
  broker = await BrokerProcess.start({ folder })
  await produce('orders', 10)
  await broker.stop()
  rmSync(join(broker.logDir, 'orders-0'), { recursive: true })
  await broker.restart()
  expect(broker.output).toMatch(/The folder of orders-0 is missing/)
  expect(await endOffset('orders')).toBe('0')
})

test('a folder of an unknown topic is set aside, not served and not lost', async () => {
  broker = await BrokerProcess.start({ folder })
  await produce('orders', 1)
  await broker.stop()
  const stray = join(broker.logDir, 'unknown-0')
  mkdirSync(stray)
  writeFileSync(join(stray, '00000000000000000000.log'), 'precious')
  await broker.restart()
  const names = readdirSync(broker.logDir)
  expect(names.filter(name => /^unknown-0\.[0-9a-f]{32}-stray$/.test(name))).toHaveLength(1)
  expect(names).not.toContain('unknown-0')
  expect(await endOffset('orders')).toBe('1')
})

test('logs without their metadata stop the start and stay as they are', async () => {
  broker = await BrokerProcess.start({ folder })
  await produce('orders', 1)
  await broker.stop()
  rmSync(`${broker.logDir}-metadata`, { recursive: true })
  await expect(broker.restart()).rejects.toThrow(/metadata .* knows no topic\. Set metadata\.dir/)
  expect(readdirSync(broker.logDir)).toContain('orders-0')
})

test('folders of deleted topics that a stop left are removed after the delay', async () => {
  broker = await BrokerProcess.start({ folder, settings: { 'log.segment.delete.delay.ms': '300' } })
  const deleted = join(broker.logDir, 'gone-0.0123456789abcdef0123456789abcdef-delete')
  await broker.stop()
  mkdirSync(deleted)
  await broker.restart()
  expect(existsSync(deleted)).toBe(true)
  while (existsSync(deleted)) await new Promise(resolve => setTimeout(resolve, 20))
})
