/** The admin client against a real broker. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Admin } from '../../src/client/admin/admin.js'
import { PartialFailureError } from '../../src/client/admin/per-item.js'
import { Producer } from '../../src/client/producer/producer.js'
import { AlterClientQuotasRequest } from '../../src/protocol/messages/alter-client-quotas.js'
import { DeleteRecordsRequest } from '../../src/protocol/messages/delete-records.js'
import { DescribeLogDirsRequest } from '../../src/protocol/messages/describe-log-dirs.js'
import { OffsetDeleteRequest } from '../../src/protocol/messages/offset-delete.js'
import { type Target, startTarget } from './target.js'

let target: Target
let admin: Admin
let producer: Producer
beforeAll(async () => {
  target = await startTarget({ 'auto.create.topics.enable': 'false' })
  admin = new Admin({ bootstrapServers: target.bootstrapServers })
  producer = new Producer({ bootstrapServers: target.bootstrapServers, lingerMs: 0 })
})
afterAll(async () => {
  await producer.close()
  await admin.close()
  await target.close()
})

async function topicOf(numPartitions = 1, configs: Record<string, string> = {}): Promise<string> {
  const name = target.topic('admin')
  await admin.topics.create([{ name, numPartitions, replicationFactor: 1, configs }])
  return name
}

test('topics are created, listed, described, grown and deleted', async () => {
  const name = target.topic('life')
  const created = await admin.topics.create([{ name, numPartitions: 2, replicationFactor: 1 }])
  expect(created.get(name)).toMatchObject({ numPartitions: 2, replicationFactor: 1 })
  await expect.poll(() => admin.topics.list(), { timeout: 30_000 }).toContain(name)
  const described = (await admin.topics.describe([name])).get(name)!
  expect(described.topicId).toBe(created.get(name)!.topicId)
  expect(described.partitions.map(({ partition }) => partition)).toEqual([0, 1])
  expect(described.partitions[0]!.isr).toHaveLength(1)
  await admin.topics.createPartitions({ [name]: 5 })
  const count = async () => (await admin.topics.describe([name])).get(name)!.partitions.length
  await expect.poll(count, { timeout: 30_000 }).toBe(5)
  await admin.topics.delete([name])
  await expect.poll(() => admin.topics.list(), { timeout: 30_000 }).not.toContain(name)
  await expect(admin.topics.describe([name], { timeoutMs: 500 })).rejects.toThrow(
    /UNKNOWN_TOPIC_OR_PARTITION/,
  )
})

test('what fails of several is named; the rest is done; a check changes nothing', async () => {
  const [good, taken] = [target.topic('good'), await topicOf()]
  const failure: unknown = await admin.topics
    .create([{ name: taken }, { name: good }, { name: 'not good' }])
    .catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(PartialFailureError)
  const { failures } = failure as PartialFailureError
  expect([...failures].map(([name, { errorName }]) => [name, errorName]).sort()).toEqual(
    [
      [taken, 'TOPIC_ALREADY_EXISTS'],
      ['not good', 'INVALID_TOPIC_EXCEPTION'],
    ].sort(),
  )
  await expect.poll(() => admin.topics.list(), { timeout: 30_000 }).toContain(good)
  const checked = target.topic('checked')
  await admin.topics.create([{ name: checked, numPartitions: 1 }], { validateOnly: true })
  expect(await admin.topics.list()).not.toContain(checked)
  await expect(admin.topics.delete([checked])).rejects.toMatchObject({
    errorName: 'UNKNOWN_TOPIC_OR_PARTITION',
    retriable: false,
  })
})

test('settings of a topic are described and altered one by one', async () => {
  const name = await topicOf(1, { 'retention.ms': '1000000' })
  const resource = { type: 'topic', name } as const
  const before = await admin.configs.describe(resource)
  expect(before.get('retention.ms')).toMatchObject({
    value: '1000000',
    source: 'dynamicTopic',
    type: 'long',
    isReadOnly: false,
  })
  expect(before.get('segment.bytes')).toMatchObject({ source: 'default' })
  await admin.configs.alter(resource, { 'segment.bytes': '20000000', 'retention.ms': null })
  await admin.configs.alter(resource, [
    { name: 'cleanup.policy', operation: 'append', value: 'compact' },
  ])
  const keys = ['segment.bytes', 'retention.ms', 'cleanup.policy']
  const after = await admin.configs.describe(resource, { keys })
  expect(after.size).toBe(3)
  expect(after.get('segment.bytes')!.value).toBe('20000000')
  expect(after.get('retention.ms')!.source).not.toBe('dynamicTopic')
  expect(after.get('cleanup.policy')!.value!.split(',').sort()).toEqual(['compact', 'delete'])
  await expect(admin.configs.alter(resource, { 'segment.bytes': 'x' })).rejects.toMatchObject({
    errorName: 'INVALID_CONFIG',
  })
  const { brokers } = await admin.cluster.describe()
  const broker = { type: 'broker', name: String(brokers[0]!.nodeId) } as const
  const own = await admin.configs.describe(broker, { keys: ['num.network.threads'] })
  expect(Number(own.get('num.network.threads')!.value)).toBeGreaterThan(0)
})

test('offsets by end, beginning and time; records are deleted', async context => {
  const topic = await topicOf(2)
  for (const i of [1, 2, 3]) {
    await producer.send({ topic, partition: 0, value: `${i}`, timestamp: i * 1000 })
  }
  type When = 'earliest' | 'latest' | 'maxTimestamp' | number
  const at = async (when: When, partition = 0) =>
    (await admin.records.listOffsets([{ topic, partition, at: when }])).get(
      `${topic}-${partition}`,
    )!
  expect((await at('latest')).offset).toBe(3n)
  expect((await at('latest', 1)).offset).toBe(0n)
  expect(await at('maxTimestamp')).toMatchObject({ offset: 2n, timestamp: 3000n })
  expect(await at(1500)).toMatchObject({ offset: 1n, timestamp: 2000n })
  expect((await at(9000)).offset).toBe(-1n)
  if (!(await target.serves(DeleteRecordsRequest))) return context.skip('no DeleteRecords yet')
  const range = { topic, partition: 0, beforeOffset: 2n }
  expect((await admin.records.delete([range])).get(`${topic}-0`)).toBe(2n)
  expect((await at('earliest')).offset).toBe(2n)
  await expect(
    admin.records.delete([{ topic, partition: 0, beforeOffset: 100n }]),
  ).rejects.toMatchObject({ errorName: 'OFFSET_OUT_OF_RANGE' })
})

test('the cluster, its features and its leaders', async () => {
  const topic = await topicOf()
  const { brokers, clusterId, controllerId } = await admin.cluster.describe()
  expect(clusterId).not.toBe('')
  expect(brokers.map(({ nodeId }) => nodeId)).toContain(controllerId)
  expect((await admin.cluster.features()).get('metadata.version')).toBeDefined()
  const partition = { topic, partition: 0 }
  await expect(admin.cluster.electLeaders('preferred', [partition])).rejects.toMatchObject({
    errorName: 'ELECTION_NOT_NEEDED',
  })
})

test('log dirs and the replicas in them', async context => {
  if (!(await target.serves(DescribeLogDirsRequest))) return context.skip('no log dirs yet')
  const topic = await topicOf()
  await producer.send({ topic, value: 'x'.repeat(1000) })
  const dirs = await admin.cluster.logDirs()
  const replica = dirs.flatMap(dir => dir.replicas).find(r => r.topic === topic)!
  expect(replica).toMatchObject({ partition: 0, isFuture: false })
  expect(replica.sizeBytes).toBeGreaterThan(1000n)
  expect(dirs.every(({ error }) => error === 'NONE')).toBe(true)
})

test('the offsets of a group are altered, listed and deleted; the group as well', async context => {
  if (!(await target.serves(OffsetDeleteRequest))) return context.skip('no groups yet')
  const topic = await topicOf(2)
  const group = target.topic('group')
  await admin.groups.alterOffsets(group, [
    { topic, partition: 0, offset: 5n, metadata: 'm' },
    { topic, partition: 1, offset: 7n },
  ])
  expect(await admin.groups.listOffsets(group)).toHaveLength(2)
  expect(await admin.groups.listOffsets(group, [{ topic, partition: 0 }])).toEqual([
    { topic, partition: 0, offset: 5n, leaderEpoch: -1, metadata: 'm' },
  ])
  await admin.groups.deleteOffsets(group, [{ topic, partition: 0 }])
  expect((await admin.groups.listOffsets(group)).map(o => o.partition)).toEqual([1])
  const listed = (await admin.groups.list()).find(({ groupId }) => groupId === group)
  expect(listed).toMatchObject({ groupId: group, state: 'Empty' })
  const described = (await admin.groups.describe([group])).get(group)!
  expect(described).toMatchObject({ type: 'classic', state: 'Empty', members: [] })
  await admin.groups.removeMembers(group)
  await admin.groups.delete([group])
  await expect(admin.groups.describe([group])).rejects.toMatchObject({
    errorName: 'GROUP_ID_NOT_FOUND',
  })
  await expect(admin.groups.delete([group])).rejects.toMatchObject({
    errorName: 'GROUP_ID_NOT_FOUND',
  })
})

test('quotas are set, found and removed', async context => {
  if (!(await target.serves(AlterClientQuotasRequest))) return context.skip('no quotas yet')
  const clientId = target.topic('quota')
  await admin.quotas.alter({ clientId }, { producer_byte_rate: 1e9, consumer_byte_rate: 2e9 })
  await admin.quotas.alter({ clientId }, { consumer_byte_rate: null })
  const found = async () => (await admin.quotas.describe({ clientId }))[0]?.quotas
  await expect.poll(found, { timeout: 30_000 }).toEqual({ producer_byte_rate: 1e9 })
  await admin.quotas.alter({ clientId }, { producer_byte_rate: null })
  await expect.poll(found, { timeout: 30_000 }).toBeUndefined()
})
