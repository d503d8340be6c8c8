/** Committed offsets: who may commit, what is kept, how long (KIP-211), and what deletes it. */
import { describe, expect, test } from 'vitest'
import { ClassicClient } from './classic-client.js'
import { type CoordinatorFixture, startCoordinator } from './coordinator-fixture.js'

const MINUTE = 60_000
const NONE = 0

async function member(fixture: CoordinatorFixture, topics = ['t']): Promise<ClassicClient> {
  const client = new ClassicClient(fixture.coordinator, { topics, sessionTimeoutMs: 600_000 })
  const joining = client.joinFully()
  await fixture.time.advance(0)
  await fixture.time.advance(3000)
  await joining
  await client.sync()
  return client
}
const outsider = ({ coordinator }: CoordinatorFixture, groupId = 'g') =>
  new ClassicClient(coordinator, { groupId })
const expire = async (fixture: CoordinatorFixture, ms: number) => {
  await fixture.time.advance(ms)
  await fixture.coordinator.expireOffsets()
}

describe('committing', () => {
  test('a member of the generation may, others may not, and nobody is disturbed', async () => {
    const fixture = await startCoordinator()
    const client = await member(fixture)
    expect(await client.commit(5n)).toBe(NONE)
    expect(await outsider(fixture).commit(9n)).toBe(25)
    const zombie = new ClassicClient(fixture.coordinator)
    Object.assign(zombie, { memberId: client.memberId, generationId: 0 })
    expect(await zombie.commit(9n)).toBe(22)
    Object.assign(zombie, { memberId: 'nobody', generationId: 1 })
    expect(await zombie.commit(9n)).toBe(25)
    expect(await client.committed()).toBe(5n)
    expect(await client.heartbeat()).toBe(NONE)
  })

  test('anybody may in a group without members, and offsets survive a restart', async () => {
    const fixture = await startCoordinator()
    expect(await outsider(fixture).commit(7n)).toBe(NONE)
    const again = await fixture.restart()
    expect(await outsider(again).committed()).toBe(7n)
    expect(await outsider(again).committed(1)).toBe(-1n)
    expect(await outsider(again, 'other').committed()).toBe(-1n)
  })

  test('100 KB of metadata are refused, offset.metadata.max.bytes are not', async () => {
    const fixture = await startCoordinator({ 'offset.metadata.max.bytes': '10' })
    const client = outsider(fixture)
    expect(await client.commit(1n, { metadata: 'x'.repeat(100_000) })).toBe(12)
    expect(await client.committed()).toBe(-1n)
    expect(await client.commit(1n, { metadata: 'x'.repeat(10) })).toBe(NONE)
  })

  test('what cannot be stored is not there', async () => {
    const fixture = await startCoordinator()
    fixture.log.failWith = 'ERR_TOO_LARGE'
    expect(await outsider(fixture).commit(1n)).toBe(28)
    fixture.log.failWith = 'ERR_STORAGE'
    expect(await outsider(fixture).commit(1n)).toBe(15)
    fixture.log.failWith = null
    expect(await outsider(fixture).committed()).toBe(-1n)
  })
})

describe('expiry', () => {
  const settings = { 'offsets.retention.minutes': '1' }

  test('a live group keeps its offsets, however idle', async () => {
    const fixture = await startCoordinator(settings)
    const client = await member(fixture)
    await client.commit(5n)
    await expire(fixture, 5 * MINUTE)
    expect(await client.committed()).toBe(5n)
  })

  test('a group that rebalances keeps them too', async () => {
    const fixture = await startCoordinator(settings)
    const client = await member(fixture)
    await client.commit(5n)
    const other = new ClassicClient(fixture.coordinator)
    void other.joinFully()
    await expire(fixture, 55_000)
    await expire(fixture, 4000)
    expect(await client.committed()).toBe(5n)
  })

  test('an empty group loses them a retention after it became empty, and disappears', async () => {
    const fixture = await startCoordinator(settings)
    const client = await member(fixture)
    await client.commit(5n)
    await fixture.time.advance(5 * MINUTE)
    await client.leave()
    await expire(fixture, MINUTE - 1)
    expect(await client.committed()).toBe(5n)
    await expire(fixture, 1)
    expect(await client.committed()).toBe(-1n)
    expect(fixture.shard().groups.size).toBe(0)
    expect((await fixture.restart()).shard().groups.size).toBe(0)
  })

  test('a simple consumer loses them a retention after its last commit', async () => {
    const fixture = await startCoordinator(settings)
    const client = outsider(fixture)
    await client.commit(5n)
    await fixture.time.advance(50_000)
    await client.commit(6n)
    await expire(fixture, 50_000)
    expect(await client.committed()).toBe(6n)
    await expire(fixture, 10_000)
    expect(await client.committed()).toBe(-1n)
  })

  test('a live group loses those of topics that it no longer wants', async () => {
    const fixture = await startCoordinator(settings)
    const client = await member(fixture, ['t'])
    await client.commit(5n)
    await client.commit(6n, { topic: 'gone' })
    await expire(fixture, MINUTE)
    expect(await client.committed()).toBe(5n)
    expect(await client.committed(0, 'gone')).toBe(-1n)
  })

  test('a retention in the request wins, and survives a restart', async () => {
    const fixture = await startCoordinator(settings)
    await outsider(fixture).commit(5n, { retentionTimeMs: BigInt(10 * MINUTE) })
    const again = await fixture.restart()
    await expire(again, 9 * MINUTE)
    expect(await outsider(again).committed()).toBe(5n)
    await expire(again, MINUTE)
    expect(await outsider(again).committed()).toBe(-1n)
  })
})

describe('deleting', () => {
  test('a group goes with its offsets when it is empty', async () => {
    const fixture = await startCoordinator()
    const client = await member(fixture)
    await client.commit(5n)
    expect(await fixture.coordinator.deleteGroup('g')).toBe(68)
    await client.leave()
    expect(await fixture.coordinator.deleteGroup('g')).toBe(NONE)
    expect(await fixture.coordinator.deleteGroup('g')).toBe(69)
    const again = await fixture.restart()
    expect(again.shard().groups.size).toBe(0)
    expect(await outsider(again).committed()).toBe(-1n)
  })

  test('offsets of topics that members read stay', async () => {
    const fixture = await startCoordinator()
    const client = await member(fixture, ['t'])
    await client.commit(5n)
    await client.commit(6n, { topic: 'other' })
    const remove = (name: string) =>
      fixture.coordinator.deleteOffsets({ groupId: 'g', topics: [{ name, partitions: [0] }] })
    expect((await remove('t')).topics[0]!.partitions[0]!.errorCode).toBe(86)
    expect((await remove('other')).topics[0]!.partitions[0]!.errorCode).toBe(NONE)
    expect(await client.committed()).toBe(5n)
    expect(await client.committed(0, 'other')).toBe(-1n)
  })

  test('a deleted topic takes its offsets along in all groups', async () => {
    const fixture = await startCoordinator()
    await outsider(fixture, 'a').commit(1n)
    await outsider(fixture, 'b').commit(2n)
    await outsider(fixture, 'b').commit(3n, { topic: 'stays' })
    await fixture.coordinator.topicsDeleted(new Set(['t']))
    expect(await outsider(fixture, 'a').committed()).toBe(-1n)
    expect(await outsider(fixture, 'b').committed()).toBe(-1n)
    expect(await outsider(fixture, 'b').committed(0, 'stays')).toBe(3n)
  })

  test('more tombstones than a batch holds go into several', async () => {
    const fixture = await startCoordinator()
    const client = outsider(fixture)
    const topic = 'x'.repeat(200)
    for (let partition = 0; partition < 1500; partition++)
      await client.commit(1n, { partition, topic })
    const before = fixture.log.batches(0).length
    expect(await fixture.coordinator.deleteGroup('g')).toBe(NONE)
    expect(fixture.log.batches(0).length).toBeGreaterThan(before + 1)
    expect((await fixture.restart()).shard().groups.size).toBe(0)
  })
})
