/** Protects: no producer id is ever given twice, and the cluster keeps one id. */
import { beforeEach, expect, test } from 'vitest'
import { ensureClusterId } from '../../../src/metadata/cluster-id.js'
import { MemoryStore } from '../../../src/metadata/memory-store.js'
import { ProducerIdAllocator } from '../../../src/metadata/producer-id-allocator.js'

let store: MemoryStore
beforeEach(() => {
  store = new MemoryStore()
})

const block = async () =>
  JSON.parse((await store.get('/latest_producer_id_block')).data!.toString()) as unknown

test('ids rise from 0; a block is claimed before its first id leaves', async () => {
  const allocator = new ProducerIdAllocator(store, 1)
  expect(await allocator.allocate()).toBe(0n)
  expect(await allocator.allocate()).toBe(1n)
  expect(await block()).toEqual({ version: 1, broker: 1, block_start: '0', block_end: '999' })
})

test('after a crash the rest of the block is skipped', async () => {
  await new ProducerIdAllocator(store, 1).allocate()
  expect(await new ProducerIdAllocator(store, 1).allocate()).toBe(1000n)
})

test('many at once, by several brokers, are all different', async () => {
  const allocators = [1, 2, 3].map(broker => new ProducerIdAllocator(store, broker))
  const ids = await Promise.all(
    allocators.flatMap(allocator => Array.from({ length: 1500 }, () => allocator.allocate())),
  )
  expect(new Set(ids).size).toBe(4500)
})

test('a node without data, as ZooKeeper clusters make it, counts as no block', async () => {
  await store.create('/latest_producer_id_block', null)
  expect(await new ProducerIdAllocator(store, 1).allocate()).toBe(0n)
})

test('the last ids are not given out twice by wrapping round', async () => {
  const last = JSON.stringify({
    version: 1,
    broker: 1,
    block_start: '9223372036854775000',
    block_end: '9223372036854775799',
  })
  await store.create('/latest_producer_id_block', Buffer.from(last))
  await expect(new ProducerIdAllocator(store, 1).allocate()).rejects.toMatchObject({
    code: 'ERR_PRODUCER_IDS_EXHAUSTED',
  })
})

test('the cluster id is made once, adopted from log dirs, and never changed', async () => {
  const [first, second] = await Promise.all([ensureClusterId(store), ensureClusterId(store)])
  expect(first).toBe(second)
  expect(await ensureClusterId(store, first)).toBe(first)
  await expect(ensureClusterId(store, 'other')).rejects.toMatchObject({
    code: 'ERR_CLUSTER_ID_MISMATCH',
  })
  expect(await ensureClusterId(new MemoryStore(), 'adopted')).toBe('adopted')
})
