/** Brokers inside this process, as tests of applications use them: several at once, with real clients. */
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kafka, logLevel } from 'kafkajs'
import { afterAll, afterEach, expect, test } from 'vitest'
import type { RunningBroker, StartBrokerOptions } from '../../dist/index.js'

const { startBroker } = (await import('../../dist/index.js')) as {
  startBroker(options?: StartBrokerOptions): Promise<RunningBroker>
}

const brokers: RunningBroker[] = []

/** A place for temporary folders of its own, so that those of other tests are not seen. */
const outside = tmpdir()
process.env.TMPDIR = mkdtempSync(join(outside, 'millrace-embedded-'))

afterAll(() => rmSync(process.env.TMPDIR!, { recursive: true }))

afterEach(async () => {
  await Promise.all(brokers.splice(0).map(broker => broker.close()))
})

async function start(options?: StartBrokerOptions): Promise<RunningBroker> {
  const broker = await startBroker(options)
  brokers.push(broker)
  return broker
}

function clientOf(broker: RunningBroker) {
  return new Kafka({ brokers: [broker.bootstrapServers], logLevel: logLevel.NOTHING })
}

async function produce(broker: RunningBroker, topic: string, values: string[]) {
  const producer = clientOf(broker).producer()
  await producer.connect()
  const sent = await producer.send({ topic, messages: values.map(value => ({ value })) })
  await producer.disconnect()
  return sent[0]!.baseOffset
}

async function endOffset(broker: RunningBroker, topic: string) {
  const admin = clientOf(broker).admin()
  await admin.connect()
  const offsets = await admin.fetchTopicOffsets(topic)
  await admin.disconnect()
  return offsets[0]!.high
}

const temporaryFolders = () => readdirSync(process.env.TMPDIR!)

test('several brokers in one process keep their topics apart', async () => {
  const [left, right] = await Promise.all([start(), start()])
  expect(left.port).not.toBe(right.port)
  expect(left.clusterId).not.toBe(right.clusterId)
  expect(await produce(left, 'orders', ['a', 'b'])).toBe('0')
  expect(await produce(left, 'orders', ['c'])).toBe('2')
  expect(await produce(right, 'orders', ['x'])).toBe('0')
  expect(await endOffset(left, 'orders')).toBe('3')
})

test('a temporary folder goes with its broker, a given one stays and is read again', async () => {
  const before = temporaryFolders()
  await (await start()).close()
  expect(temporaryFolders()).toEqual(before)
  const folder = mkdtempSync(join(outside, 'millrace-kept-'))
  const first = await start({ folder })
  await produce(first, 'orders', ['a', 'b'])
  await first.close()
  const second = await start({ folder })
  expect(second.clusterId).toBe(first.clusterId)
  expect(await endOffset(second, 'orders')).toBe('2')
  expect(await produce(second, 'orders', ['c'])).toBe('2')
  await second.close()
  expect(existsSync(join(folder, 'log/orders-0'))).toBe(true)
  rmSync(folder, { recursive: true })
})

test('settings are taken, and wrong ones refused without leaving anything behind', async () => {
  const before = temporaryFolders()
  const broker = await start({ properties: { 'num.partitions': '4' } })
  await produce(broker, 'orders', ['a'])
  const admin = clientOf(broker).admin()
  await admin.connect()
  const { topics } = await admin.fetchTopicMetadata({ topics: ['orders'] })
  await admin.disconnect()
  expect(topics[0]!.partitions.length).toBe(4)
  await broker.close()
  await expect(startBroker({ properties: { nope: '1' } })).rejects.toMatchObject({
    code: 'ERR_CONFIG_INVALID',
  })
  const taken = await start()
  await expect(startBroker({ port: taken.port })).rejects.toMatchObject({ code: 'ERR_LISTEN' })
  await taken.close()
  expect(temporaryFolders()).toEqual(before)
})

test('closing twice is harmless, and nobody is served afterwards', async () => {
  const broker = await start()
  await Promise.all([broker.close(), broker.close()])
  await broker.close()
  await expect(connected(broker.port)).resolves.toBe(false)
})

test('foreign and broken frames cost only their own connection', async () => {
  const broker = await start({ properties: { 'logger.level': 'silent' } })
  const frames = [
    Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n'),
    Buffer.from([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3]),
    Buffer.from([0xff, 0xff, 0xff, 0xff]),
    Buffer.from([0, 0, 0, 0]),
    // ApiKey 999; Metadata cut short; Metadata version 99.
    frameOf(Buffer.from([3, 0xe7, 0, 0, 0, 0, 0, 1, 0xff, 0xff])),
    frameOf(Buffer.from([0, 3, 0, 1, 0, 0, 0, 1, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff])),
    frameOf(Buffer.from([0, 3, 0, 99, 0, 0, 0, 1, 0xff, 0xff])),
  ]
  const closed = await Promise.all(frames.map(frame => closedAfter(broker.port, frame)))
  expect(closed).toEqual(frames.map(() => true))
  expect(await produce(broker, 'orders', ['still here'])).toBe('0')
})

function frameOf(body: Buffer): Buffer {
  const size = Buffer.alloc(4)
  size.writeInt32BE(body.length)
  return Buffer.concat([size, body])
}

function connected(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
}

/** True if the broker closes the connection without a byte of answer. */
function closedAfter(port: number, bytes: Buffer): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    let answered = 0
    socket.on('data', chunk => (answered += chunk.length))
    socket.on('error', () => {})
    socket.on('close', () => resolve(answered === 0))
  })
}
