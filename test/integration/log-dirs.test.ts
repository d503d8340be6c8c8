/** Several log dirs: placement, DescribeLogDirs, and dirs that fail at the start or later (KIP-112, KIP-113, KIP-1066). */
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { BrokerProcess } from '../support/broker-process.js'
import { createTopic, fetch, LATEST, listOffset, produce } from '../support/partition-calls.js'
import { RawClient } from '../support/raw-client.js'
import { recordBatch } from '../support/record-batch-bytes.js'
import type { WireMessage } from '../support/wire-codec.js'

const STORAGE_ERROR = 56
const INVALID_REPLICATION_FACTOR = 38
const MIB = 1 << 20

let folder: string
let broker: BrokerProcess | undefined
let client: RawClient | undefined

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-log-dirs-'))
})

afterEach(async () => {
  client?.close()
  await broker?.remove()
  rmSync(folder, { recursive: true, force: true })
})

const dir = (name: string) => join(folder, name)

async function start(settings: Record<string, string> = {}): Promise<RawClient> {
  const dirs = `${dir('a')},${dir('b')}`
  broker = await BrokerProcess.start({ folder, settings: { 'log.dirs': dirs, ...settings } })
  client = await RawClient.connect(broker.port)
  return client
}

async function restart(): Promise<RawClient> {
  client?.close()
  await broker!.restart()
  client = await RawClient.connect(broker!.port)
  return client
}

async function dirsOf(from: RawClient): Promise<WireMessage[]> {
  return (await from.call('DescribeLogDirs', 4, { topics: null }))['results']
}

/** The partition folders of a dir. */
function logsIn(name: string): string[] {
  return readdirSync(dir(name)).filter(entry => /-[0-9]+$/.test(entry))
}

async function partitionOf(from: RawClient, topic: string): Promise<WireMessage> {
  const answer = await from.call('Metadata', 8, { topics: [{ name: topic }] })
  return answer['topics'][0].partitions[0]
}

/** The name of a topic of one partition in the given dir. */
async function topicIn(from: RawClient, name: string, configs = {}): Promise<string> {
  for (let i = 0; i < 4; i++) {
    const topic = `in-${name}-${i}`
    expect(await createTopic(from, topic, 1, configs)).toBe(0)
    if (existsSync(join(dir(name), `${topic}-0`))) return topic
  }
  throw new Error(`no topic was placed in ${name}`)
}

test('new partitions go where the fewest are, and sizes are told by dir', async () => {
  const to = await start()
  expect(await createTopic(to, 'five', 5)).toBe(0)
  expect(await createTopic(to, 'one', 1)).toBe(0)
  expect([logsIn('a').length, logsIn('b').length]).toEqual([3, 3])
  const batch = recordBatch([{ value: 'x'.repeat(100) }])
  await produce(to, 'one', batch)
  const described = await dirsOf(to)
  expect(described.map(({ logDir, errorCode }) => [logDir, errorCode])).toEqual([
    [dir('a'), 0],
    [dir('b'), 0],
  ])
  const one = described.flatMap(({ topics }) => topics).find(({ name }) => name === 'one')
  expect(Number(one.partitions[0].partitionSize)).toBe(batch.length)
  for (const { totalBytes, usableBytes } of described) {
    expect(totalBytes > 0n && usableBytes <= totalBytes).toBe(true)
  }
})

test('a cordoned dir gets no new partitions; with all cordoned none are placed', async () => {
  const to = await start({ 'cordoned.log.dirs': dir('a') })
  expect(await createTopic(to, 'three', 3)).toBe(0)
  expect([logsIn('a').length, logsIn('b').length]).toEqual([0, 3])
  const configs = [{ name: 'cordoned.log.dirs', configOperation: 0, value: '*' }]
  const resources = [{ resourceType: 4, resourceName: '1', configs }]
  const altered = await to.call('IncrementalAlterConfigs', 1, { resources, validateOnly: false })
  expect(altered['responses'][0].errorCode).toBe(0)
  expect(await createTopic(to, 'none', 1)).toBe(INVALID_REPLICATION_FACTOR)
  expect(await produce(to, 'three', recordBatch([{ value: 'x' }]))).toMatchObject({ errorCode: 0 })
})

test('a dir that fails while the broker runs takes only its own partitions offline', async () => {
  const to = await start()
  const lost = await topicIn(to, 'a', { 'segment.bytes': String(MIB) })
  const kept = await topicIn(to, 'b')
  const large = recordBatch([{ value: 'x'.repeat(700_000) }])
  expect(await produce(to, lost, large)).toMatchObject({ errorCode: 0 })
  renameSync(dir('a'), dir('away')) // The next segment cannot be made.
  writeFileSync(dir('a'), '')
  expect(await produce(to, lost, large)).toMatchObject({ errorCode: STORAGE_ERROR })

  await expect
    .poll(() => partitionOf(to, lost), { timeout: 30_000 })
    .toMatchObject({
      leaderId: -1,
      replicaNodes: [1],
      offlineReplicas: [1],
    })
  expect(await fetch(to, lost, 0)).toMatchObject({ errorCode: STORAGE_ERROR })
  expect(await listOffset(to, lost, LATEST)).toMatchObject({ errorCode: STORAGE_ERROR })
  const described = await dirsOf(to)
  expect(described.map(({ errorCode }) => errorCode)).toEqual([STORAGE_ERROR, 0])

  expect(await produce(to, kept, large)).toMatchObject({ errorCode: 0 })
  expect(await partitionOf(to, kept)).toMatchObject({ leaderId: 1, offlineReplicas: [] })
  expect(await createTopic(to, 'later', 2)).toBe(0)
  expect(logsIn('b')).toEqual(expect.arrayContaining(['later-0', 'later-1']))

  // Started without the dir, the partition stays offline: no empty log takes its place. With it, all is back.
  expect(await broker!.stop()).toBe(0)
  const without = await restart()
  expect(await partitionOf(without, lost)).toMatchObject({ leaderId: -1, offlineReplicas: [1] })
  expect(await listOffset(without, kept, LATEST)).toMatchObject({ errorCode: 0, offset: 1n })
  expect(await broker!.stop()).toBe(0)
  rmSync(dir('a'))
  renameSync(dir('away'), dir('a'))
  const repaired = await restart()
  expect(await listOffset(repaired, lost, LATEST)).toMatchObject({ errorCode: 0, offset: 1n })
})

test('a topic deleted while its dir is away does not come back with it', async () => {
  const to = await start()
  const lost = await topicIn(to, 'a')
  expect(await broker!.stop()).toBe(0)
  renameSync(dir('a'), dir('away'))
  writeFileSync(dir('a'), '')
  const without = await restart()
  const deleted = await without.call('DeleteTopics', 5, { topicNames: [lost], timeoutMs: 30_000 })
  expect(deleted['responses'][0].errorCode).toBe(0)
  expect(await createTopic(without, lost)).toBe(0)
  await produce(without, lost, recordBatch([{ value: 'new' }]))
  expect(await broker!.stop()).toBe(0)
  rmSync(dir('a'))
  renameSync(dir('away'), dir('a'))
  const repaired = await restart()
  expect(await listOffset(repaired, lost, LATEST)).toMatchObject({ errorCode: 0, offset: 1n })
  expect(readdirSync(dir('a')).some(entry => entry.endsWith('-stray'))).toBe(true)
})

test('the broker ends when its last dir fails', async () => {
  const to = await start()
  const topics = [
    await topicIn(to, 'a', { 'segment.bytes': String(MIB) }),
    await topicIn(to, 'b', { 'segment.bytes': String(MIB) }),
  ]
  const large = recordBatch([{ value: 'x'.repeat(700_000) }])
  for (const topic of topics) await produce(to, topic, large)
  for (const name of ['a', 'b']) {
    renameSync(dir(name), dir(`${name}-away`))
    writeFileSync(dir(name), '')
  }
  for (const topic of topics) await produce(to, topic, large).catch(() => undefined)
  await expect.poll(() => broker!.output, { timeout: 30_000 }).toContain('All log dirs have failed')
  await expect.poll(() => broker!.exitCode, { timeout: 30_000 }).toBe(1)
})
