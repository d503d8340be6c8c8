/** Faults that other brokers had with what a disk can do to them: indexes that end in zeros, and no space left. */
import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { BrokerProcess } from '../support/broker-process.js'
import {
  createTopic,
  EARLIEST,
  fetch,
  LATEST,
  listOffset,
  produce,
} from '../support/partition-calls.js'
import { RawClient } from '../support/raw-client.js'
import { batchesOf, NOW, recordBatch, recordsOf } from '../support/record-batch-bytes.js'
import type { WireMessage } from '../support/wire-codec.js'

const MIB = 1 << 20
let broker: BrokerProcess | undefined
let client: RawClient | undefined
let mounted: string | undefined

afterEach(async () => {
  client?.close()
  await broker?.remove()
  if (mounted !== undefined) {
    execFileSync('umount', ['-l', mounted])
    rmSync(mounted, { recursive: true })
  }
  broker = client = mounted = undefined
})

async function reconnect(): Promise<RawClient> {
  client?.close()
  client = await RawClient.connect(broker!.port)
  return client
}

/** The offsets of all records, read from the beginning; fails on a gap. */
async function readAll(reader: RawClient, topic: string): Promise<number> {
  for (let offset = 0; ;) {
    const read = await fetch(reader, topic, offset, { partitionMaxBytes: 8 * MIB })
    expect(read['errorCode']).toBe(0)
    const batches = batchesOf(read['records'])
    if (batches.length === 0) return offset
    for (const batch of batches) {
      expect(Number(batch.baseOffset)).toBe(offset)
      offset += batch.recordsCount
    }
  }
}

describe('indexes that end in zeros after a crash', () => {
  const COUNT = 60
  const FIRST_TIME = NOW - 60_000
  const timeOf = (i: number) => FIRST_TIME + i * 10

  async function manySegments(): Promise<string> {
    broker = await BrokerProcess.start()
    const raw = await reconnect()
    const configs = { 'segment.bytes': '1048576', 'index.interval.bytes': '1024' }
    expect(await createTopic(raw, 'padded', 1, configs)).toBe(0)
    for (let i = 0; i < COUNT; i++) {
      const batch = recordBatch([{ value: 'x'.repeat(60_000), timestamp: timeOf(i) }])
      expect((await produce(raw, 'padded', batch))['errorCode']).toBe(0)
    }
    const folder = join(broker.logDir, 'padded-0')
    expect(logsIn(folder).length).toBeGreaterThan(2)
    return folder
  }

  function logsIn(folder: string): string[] {
    return readdirSync(folder).filter(name => name.endsWith('.log'))
  }

  function pad(folder: string, entries: number): void {
    for (const name of readdirSync(folder)) {
      const bytes = name.endsWith('.timeindex') ? 12 : name.endsWith('.index') ? 8 : 0
      if (bytes > 0) appendFileSync(join(folder, name), Buffer.alloc(bytes * entries))
    }
  }

  async function expectAllFound(raw: RawClient): Promise<void> {
    expect((await listOffset(raw, 'padded', EARLIEST))['offset']).toBe(0n)
    for (let i = 0; i < COUNT; i++) {
      const found = await listOffset(raw, 'padded', timeOf(i) - 5)
      expect([found['errorCode'], Number(found['offset'])]).toEqual([0, i])
    }
    expect(await readAll(raw, 'padded')).toBe(COUNT)
  }

  test.each([1, 7, 100])('%d entries: times are found, nothing is deleted', async entries => {
    const folder = await manySegments()
    const before = logsIn(folder)
    await broker!.kill()
    pad(folder, entries)
    await broker!.restart()
    await expectAllFound(await reconnect())
    expect(logsIn(folder)).toEqual(before)
  })

  test.each(['kill', 'stop'] as const)('below the recovery point, after %s', async end => {
    const folder = await manySegments()
    await broker!.stop()
    await broker!.restart()
    await broker![end]()
    pad(folder, 100)
    await broker!.restart()
    await expectAllFound(await reconnect())
  })
})

const mayMount = process.getuid?.() === 0
if (!mayMount) console.warn('SKIPPED: the full-disk test mounts a tmpfs, which takes root.')

/** A small disk, with files on it whose removal makes space. */
function smallDisk(ballasts: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-full-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=48m', 'millrace-test', folder])
  mounted = folder
  mkdirSync(join(folder, 'broker'))
  for (let i = 0; i < ballasts; i++)
    writeFileSync(join(folder, `ballast-${i}`), Buffer.alloc(6 * MIB))
  return folder
}

test.skipIf(!mayMount)(
  'a full disk refuses writes and nothing else, until there is space',
  async () => {
    const folder = smallDisk(2)
    broker = await BrokerProcess.start({ folder: join(folder, 'broker') })
    let raw = await reconnect()
    expect(await createTopic(raw, 'brim')).toBe(0)
    let acknowledged = 0
    const batch = recordBatch(recordsOf(2, 100_000))
    const fill = async () => {
      for (let i = 0; i < 400; i++) {
        const answer = await produce(raw, 'brim', Buffer.from(batch))
        if (answer['errorCode'] !== 0) return answer
        expect(Number(answer['baseOffset'])).toBe(acknowledged)
        acknowledged += 2
      }
      throw new Error('the disk does not get full')
    }
    const expectFull = async () => {
      const answer = await fill()
      expect([answer['errorCode'], answer['baseOffset']]).toEqual([56, -1n])
      expect(answer['errorMessage']).toMatch(/full/)
      expect((await listOffset(raw, 'brim', LATEST))['offset']).toBe(BigInt(acknowledged))
      expect(await readAll(raw, 'brim')).toBe(acknowledged)
      expect((await raw.call('Metadata', 5, { topics: null }))['topics']).toHaveLength(1)
    }
    const expectSpace = async (ballast: number) => {
      rmSync(join(folder, `ballast-${ballast}`))
      const before = acknowledged
      const answer = await produce(raw, 'brim', Buffer.from(batch))
      expect([answer['errorCode'], Number(answer['baseOffset'])]).toEqual([0, before])
      acknowledged += 2
    }

    await expectFull()
    expect(acknowledged).toBeGreaterThan(100)
    await expectSpace(0)
    await expectFull()
    for (const end of [() => broker!.kill(), () => broker!.stop()]) {
      await end()
      await broker.restart()
      raw = await reconnect()
      await expectFull()
    }
    await expectSpace(1)
  },
)

test.skipIf(!mayMount)(
  'on a full disk topics can be deleted, which makes space again',
  async () => {
    const folder = smallDisk(0)
    const settings = { 'log.segment.delete.delay.ms': '100' }
    broker = await BrokerProcess.start({ folder: join(folder, 'broker'), settings })
    const raw = await reconnect()
    expect(await createTopic(raw, 'large')).toBe(0)
    expect(await createTopic(raw, 'small')).toBe(0)
    const batch = recordBatch(recordsOf(2, 100_000))
    while ((await produce(raw, 'large', Buffer.from(batch)))['errorCode'] === 0);
    // Takes what was left, to the last byte.
    expect(() => writeFileSync(join(folder, 'rest'), Buffer.alloc(48 * MIB))).toThrow(/ENOSPC/)

    expect(await createTopic(raw, 'later', 20)).not.toBe(0)
    expect((await raw.call('InitProducerId', 1))['errorCode']).toBe(0)
    const little = recordBatch(recordsOf(1))
    expect((await produce(raw, 'small', Buffer.from(little)))['errorCode']).toBe(56)
    const deleted = await raw.call('DeleteTopics', 5, { topicNames: ['large'], timeoutMs: 5000 })
    expect(deleted['responses'][0].errorCode).toBe(0)
    // The file is given back in pieces, and tries in between may get some way; none may leave half a topic.
    const untilThereIsSpace = async (attempt: () => Promise<number>) => {
      for (;;) {
        const errorCode = await attempt()
        if (errorCode !== 56 && errorCode !== -1) return errorCode
      }
    }
    const produced = async () => (await produce(raw, 'small', Buffer.from(little)))['errorCode']
    expect(await untilThereIsSpace(produced)).toBe(0)
    expect(await untilThereIsSpace(() => createTopic(raw, 'later', 20))).toBe(0)
    expect(await broker.stop()).toBe(0)
    await broker.restart()
    const { topics } = await (await reconnect()).call('Metadata', 5, { topics: null })
    expect(topics.map((topic: WireMessage) => topic['name']).sort()).toEqual(['later', 'small'])
  },
)
