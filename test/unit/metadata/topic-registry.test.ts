/** Protects: topics survive restarts and crashes in Kafka 3.9's layout, and names follow Kafka's rules. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Uuid } from '../../../src/base/uuid.js'
import { EmbeddedStore } from '../../../src/metadata/embedded-store.js'
import { MemoryStore } from '../../../src/metadata/memory-store.js'
import type { MetadataStore } from '../../../src/metadata/metadata-store.js'
import { TopicRegistry } from '../../../src/metadata/topic-registry.js'

const ID = 'SNb5wpsoQgGF4TJCZRIUNw' as Uuid

async function jsonAt(store: MetadataStore, path: string): Promise<unknown> {
  return JSON.parse((await store.get(path)).data!.toString())
}

describe('in memory', () => {
  let store: MemoryStore
  let registry: TopicRegistry
  beforeEach(async () => {
    store = new MemoryStore()
    registry = await TopicRegistry.open(store, 1)
  })
  afterEach(() => store.close())

  test('the nodes are those that Kafka 3.9 writes', async () => {
    await registry.createTopic({
      name: 't1',
      topicId: ID,
      assignments: [[1], [1]],
      configs: [['retention.ms', '60000']],
    })
    expect(await jsonAt(store, '/brokers/topics/t1')).toEqual({
      version: 3,
      topic_id: ID,
      partitions: { 0: [1], 1: [1] },
      adding_replicas: {},
      removing_replicas: {},
    })
    expect((await store.get('/brokers/topics/t1/partitions')).data).toBeNull()
    expect(await jsonAt(store, '/brokers/topics/t1/partitions/1/state')).toEqual({
      controller_epoch: 1,
      leader: 1,
      version: 1,
      leader_epoch: 0,
      isr: [1],
    })
    expect(await jsonAt(store, '/config/topics/t1')).toEqual({
      version: 1,
      config: { 'retention.ms': '60000' },
    })
    expect((await store.get('/controller_epoch')).data!.toString()).toBe('1')
  })

  test('a topic is found by name and id', async () => {
    const topic = await registry.createTopic({ name: 'a', assignments: [[1], [1], [1]] })
    expect(registry.getByName('a')).toBe(topic)
    expect(registry.getById(topic.topicId)).toBe(topic)
    expect(topic.partitions.map(({ partition }) => partition)).toEqual([0, 1, 2])
    expect([...registry.list()]).toEqual([topic])
  })

  test('each start raises the leader epoch of the partitions it leads, and only of those', async () => {
    await registry.createTopic({ name: 'mine', assignments: [[1], [1]] })
    await registry.createTopic({ name: 'other', assignments: [[2]] })
    const second = await TopicRegistry.open(store, 1)
    const third = await TopicRegistry.open(store, 1)
    const epochs = (of: TopicRegistry, name: string) =>
      of.getByName(name)!.partitions.map(p => [p.leaderEpoch, p.partitionEpoch])
    expect(epochs(second, 'mine')).toEqual([
      [1, 1],
      [1, 1],
    ])
    expect(epochs(third, 'mine')).toEqual([
      [2, 2],
      [2, 2],
    ])
    expect(epochs(third, 'other')).toEqual([[0, 0]])
    expect(third.controllerEpoch).toBe(3)
    expect(await jsonAt(store, '/brokers/topics/mine/partitions/0/state')).toMatchObject({
      leader_epoch: 2,
      controller_epoch: 3,
    })
  })

  test.each([
    ['', /the empty string is not allowed/],
    ['.', /'\.' is not allowed/],
    ['..', /is not allowed/],
    ['a b', /contains one or more characters other than/],
    ['ü', /contains one or more characters other than/],
    ['x'.repeat(250), /longer than the max allowed length 249/],
  ])('the name %j is refused', async (name, message) => {
    await expect(registry.createTopic({ name, assignments: [[1]] })).rejects.toMatchObject({
      code: 'ERR_TOPIC_NAME',
      message: expect.stringMatching(message),
    })
  })

  test('names that differ in . and _ only collide, also while being created', async () => {
    const outcomes = await Promise.allSettled([
      registry.createTopic({ name: 'a.b_c', assignments: [[1]] }),
      registry.createTopic({ name: 'a_b.c', assignments: [[1]] }),
      registry.createTopic({ name: 'a.b_c', assignments: [[1]] }),
    ])
    expect(outcomes[0].status).toBe('fulfilled')
    expect(outcomes[1]).toMatchObject({
      reason: { message: "Topic 'a_b.c' collides with existing topic: a.b_c" },
    })
    expect(outcomes[2]).toMatchObject({ reason: { code: 'ERR_TOPIC_EXISTS' } })
  })

  test('a topic that somebody else created meanwhile exists; the name is not left reserved', async () => {
    await store.create('/config/topics/t', null)
    const creation = registry.createTopic({ name: 't', assignments: [[1]] })
    await expect(creation).rejects.toMatchObject({ code: 'ERR_TOPIC_EXISTS' })
    await store.delete('/config/topics/t', -1)
    await registry.createTopic({ name: 't', assignments: [[1]] })
  })

  test('deletion hides the topic at once, blocks its name, and frees it in the end', async () => {
    const topic = await registry.createTopic({ name: 'a', assignments: [[1], [1]] })
    await registry.markForDeletion('a')
    expect(registry.getByName('a')).toBeUndefined()
    expect(registry.getById(topic.topicId)).toBeUndefined()
    expect(registry.pendingDeletions()).toEqual([topic])
    await expect(registry.createTopic({ name: 'a', assignments: [[1]] })).rejects.toMatchObject({
      code: 'ERR_TOPIC_EXISTS',
    })
    await registry.finishDeletion('a')
    expect(await store.children('/brokers/topics')).toEqual([])
    expect(await store.children('/config/topics')).toEqual([])
    expect(await store.children('/admin/delete_topics')).toEqual([])
    const again = await registry.createTopic({ name: 'a', assignments: [[1]] })
    expect(again.topicId).not.toBe(topic.topicId)
  })

  test('a deletion that a crash interrupted is pending after the start', async () => {
    await registry.createTopic({ name: 'a', assignments: [[1]] })
    await registry.markForDeletion('a')
    await store.create('/admin/delete_topics/unknown', null)
    const restarted = await TopicRegistry.open(store, 1)
    expect(restarted.getByName('a')).toBeUndefined()
    expect(restarted.pendingDeletions().map(({ name }) => name)).toEqual(['a'])
    await restarted.finishDeletion('a')
    expect(await store.children('/admin/delete_topics')).toEqual([])
    expect((await TopicRegistry.open(store, 1)).size).toBe(0)
  })

  test('unknown topics are neither deleted nor configured', async () => {
    await expect(registry.markForDeletion('x')).rejects.toMatchObject({ code: 'ERR_TOPIC_UNKNOWN' })
    await expect(registry.setConfigs('x', new Map())).rejects.toMatchObject({
      code: 'ERR_TOPIC_UNKNOWN',
    })
    await registry.finishDeletion('x')
  })

  test('settings are replaced, and stay over a restart', async () => {
    await registry.createTopic({ name: 'a', assignments: [[1]], configs: [['segment.ms', '5']] })
    await registry.setConfigs('a', new Map([['retention.ms', '7']]))
    const restarted = await TopicRegistry.open(store, 1)
    expect([...restarted.getByName('a')!.configs]).toEqual([['retention.ms', '7']])
  })

  test('a damaged node is named', async () => {
    await store.create('/brokers/topics/bad', Buffer.from('{"version":3'))
    await expect(TopicRegistry.open(store, 1)).rejects.toMatchObject({
      code: 'ERR_METADATA_MALFORMED',
      message: expect.stringContaining('/brokers/topics/bad'),
    })
  })
})

test('10,000 partitions, in one topic and in thousands, come back after a restart', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'registry-'))
  let store = await EmbeddedStore.open(dir)
  const registry = await TopicRegistry.open(store, 1)
  const names = Array.from({ length: 5000 }, (_, index) => `topic-${index}`)
  await Promise.all([
    registry.createTopic({ name: 'wide', assignments: Array.from({ length: 5000 }, () => [1]) }),
    ...names.map(name => registry.createTopic({ name, assignments: [[1]] })),
  ])
  await store.close()
  store = await EmbeddedStore.open(dir)
  const restarted = await TopicRegistry.open(store, 1)
  expect(restarted.size).toBe(5001)
  const wide = restarted.getByName('wide')!.partitions
  expect(wide.map(({ partition }) => partition)).toEqual([...Array(5000).keys()])
  expect(wide.every(({ leaderEpoch }) => leaderEpoch === 1)).toBe(true)
  expect(restarted.getByName('topic-4999')).toEqual({
    ...registry.getByName('topic-4999'),
    partitions: [
      { ...registry.getByName('topic-4999')!.partitions[0], leaderEpoch: 1, partitionEpoch: 1 },
    ],
  })
  await store.close()
  rmSync(dir, { recursive: true })
})
