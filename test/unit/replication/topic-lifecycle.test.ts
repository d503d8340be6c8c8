/** Protects creation and deletion of topics against a real registry in memory: order, refusals, half-done work. */
import { beforeEach, expect, test, vi } from 'vitest'
import type { NativeAddon, PartitionSpec } from '../../../src/binding/native-addon.js'
import { loadBrokerConfig } from '../../../src/config/load-broker-config.js'
import { TopicConfigs } from '../../../src/config/topic-config.js'
import { MemoryStore } from '../../../src/metadata/memory-store.js'
import { TopicRegistry } from '../../../src/metadata/topic-registry.js'
import type { NewTopic } from '../../../src/replication/new-topic.js'
import { ReplicaManager } from '../../../src/replication/replica-manager.js'
import { TopicLifecycle } from '../../../src/replication/topic-lifecycle.js'

const events: string[] = []
let failing: string | null = null
let store: MemoryStore
let registry: TopicRegistry
let replicas: ReplicaManager
let lifecycle: TopicLifecycle

const addon = {
  openPartitions: (_dataPlane: unknown, specs: PartitionSpec[]) => {
    events.push(...specs.map(({ topic, partition }) => `open ${topic}-${partition}`))
    const failure = { code: 'ERR_IO', message: 'disk gone' }
    return Promise.resolve(specs.map(({ topic }) => (topic === failing ? failure : null)))
  },
  removePartition: (_dataPlane: unknown, topic: string, partition: number) => {
    events.push(`remove ${topic}-${partition}`)
    return Promise.resolve()
  },
} as unknown as NativeAddon

const placement = {
  isCordoned: false,
  prepare: ({ name }: { name: string }, partition: number) => {
    events.push(`prepare ${name}-${partition}`)
    return Promise.resolve('/logs')
  },
  discard: (topic: string, partition: number, delayMs: number) => {
    events.push(`discard ${topic}-${partition} after ${delayMs}`)
    return Promise.resolve()
  },
}

const checkpoints = {
  forget: (topic: string) => {
    events.push(`forget ${topic}`)
    return Promise.resolve()
  },
}

beforeEach(async () => {
  events.length = 0
  failing = null
  store = new MemoryStore()
  registry = await TopicRegistry.open(store, 1)
  const broker = loadBrokerConfig({ properties: { 'num.partitions': '2' } })
  replicas = new ReplicaManager(addon, {} as never)
  const topicConfigs = new TopicConfigs(broker)
  lifecycle = new TopicLifecycle({
    nodeId: 1,
    broker,
    topicConfigs,
    registry,
    replicas,
    placement,
    checkpoints,
  })
})

function topic(name: string, overrides: Partial<NewTopic> = {}): NewTopic {
  const plain = { numPartitions: -1, replicationFactor: -1, assignments: [], configs: [] }
  return { name, ...plain, ...overrides }
}

test('a created topic is answered when all its partitions serve', async () => {
  const result = await lifecycle.create(topic('t'))
  expect(result).toMatchObject({ numPartitions: 2, replicationFactor: 1 })
  expect(events).toEqual(['prepare t-0', 'prepare t-1', 'open t-0', 'open t-1'])
  expect(replicas.isServed('t', 0) && replicas.isServed('t', 1)).toBe(true)
})

test('validating creates nothing', async () => {
  expect(lifecycle.validate(topic('t'))).toMatchObject({ numPartitions: 2 })
  expect(registry.getByName('t')).toBeUndefined()
  expect(events).toEqual([])
})

test.each([
  [topic('bad name'), 17],
  [topic('a_b'), 17],
  [topic('a.b'), 36],
  [topic('__cluster_metadata'), 42],
  [topic('n', { numPartitions: 0 }), 37],
  [topic('n', { configs: [{ name: 'nope', value: '1' }] }), 40],
  [topic('n', { configs: [{ name: 'retention.ms', value: null }] }), 40],
])('refused: case %#', async (wanted, errorCode) => {
  await lifecycle.create(topic('a.b'))
  expect(await lifecycle.create(wanted)).toMatchObject({ errorCode })
})

test('of two at once one creates and the other learns that the topic exists', async () => {
  const results = await Promise.all([lifecycle.create(topic('t')), lifecycle.create(topic('t'))])
  expect(results[0]).toHaveProperty('topicId')
  expect(results[1]).toMatchObject({ errorCode: 36 })
})

test('a topic whose logs cannot be made is not left behind', async () => {
  failing = 't'
  expect(await lifecycle.create(topic('t'))).toMatchObject({ errorCode: 56 })
  expect(registry.getByName('t')).toBeUndefined()
  failing = null
  expect(await lifecycle.create(topic('t'))).toHaveProperty('topicId')
})

test.each(['markForDeletion', 'finishDeletion'] as const)(
  'a creation that fails and cannot be undone (%s) does not block the name',
  async step => {
    failing = 't'
    vi.spyOn(registry, step).mockRejectedValueOnce(new Error('no space'))
    expect(await lifecycle.create(topic('t'))).toMatchObject({ errorCode: 56 })
    failing = null
    expect(await lifecycle.create(topic('t'))).toHaveProperty('topicId')
    expect(await lifecycle.create(topic('t'))).toMatchObject({ errorCode: 36 })
  },
)

test('a deletion that could not be finished does not block the name', async () => {
  await lifecycle.create(topic('t'))
  vi.spyOn(registry, 'finishDeletion').mockRejectedValueOnce(new Error('no space'))
  await expect(lifecycle.delete('t')).rejects.toThrow('no space')
  expect(await lifecycle.create(topic('t'))).toHaveProperty('topicId')
})

test('deleting takes logs out of service before their folders go, and frees the name', async () => {
  const configs = [{ name: 'file.delete.delay.ms', value: '5' }]
  await lifecycle.create(topic('t', { numPartitions: 1, configs }))
  events.length = 0
  expect(await lifecycle.delete('t')).toBeNull()
  expect(events).toEqual(['remove t-0', 'discard t-0 after 5', 'forget t'])
  expect(await lifecycle.delete('t')).toMatchObject({ errorCode: 3 })
  expect(await lifecycle.create(topic('t'))).toHaveProperty('topicId')
})

test('a deletion that a crash interrupted is finished at the next start', async () => {
  await lifecycle.create(topic('t', { numPartitions: 1 }))
  await registry.markForDeletion('t')
  const reopened = await TopicRegistry.open(store, 1)
  expect(reopened.getByName('t')).toBeUndefined()
  expect(reopened.pendingDeletions().map(({ name }) => name)).toEqual(['t'])
  for (const pending of registry.pendingDeletions()) await lifecycle.finishDeletion(pending)
  expect(events.slice(-2)).toEqual(['discard t-0 after 60000', 'forget t'])
  expect(await lifecycle.create(topic('t'))).toHaveProperty('topicId')
})

test('added partitions serve before the answer, and are there after a restart', async () => {
  await lifecycle.create(topic('t'))
  events.length = 0
  const more = { name: 't', count: 4, assignments: null }
  expect(await lifecycle.addPartitions(more, true)).toBeNull()
  expect(events).toEqual([])
  expect(await lifecycle.addPartitions(more, false)).toBeNull()
  expect(events).toEqual(['prepare t-2', 'prepare t-3', 'open t-2', 'open t-3'])
  const reopened = await TopicRegistry.open(store, 1)
  expect(reopened.getByName('t')?.partitions.map(({ partition }) => partition)).toEqual([
    0, 1, 2, 3,
  ])
})

test.each([
  ['no such topic', 'x', 4, null, 3],
  ['as many as there are', 't', 2, null, 37],
  ['fewer', 't', 1, null, 37],
  ['too few assignments', 't', 4, [[1]], 39],
  ['an unknown broker', 't', 3, [[2]], 39],
])('more partitions are refused: %s', async (_why, name, count, replicasOfNew, errorCode) => {
  await lifecycle.create(topic('t'))
  const assignments = replicasOfNew?.map(brokerIds => ({ brokerIds })) ?? null
  const refusal = await lifecycle.addPartitions({ name, count, assignments }, false)
  expect(refusal).toMatchObject({ errorCode })
  expect(registry.getByName('t')?.partitions).toHaveLength(2)
})
