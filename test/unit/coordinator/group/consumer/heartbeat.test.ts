/** ConsumerGroupHeartbeat as Kafka 4.4 answers it: epochs, partitions that move one step at a time, and refusals. */
import { describe, expect, test } from 'vitest'
import { ErrorCode } from '../../../../../src/protocol/error-codes.js'
import { GroupBench } from './consumer-fixture.js'

const foo = (bench: GroupBench, ...partitions: number[]) => [
  { topicId: bench.topics.topic('foo')!.topicId, partitions },
]

test('the first member gets everything at epoch 2; the second waits until the first has given its part up', async () => {
  const bench = await GroupBench.start()
  const first = await bench.beat('a')
  expect(first).toMatchObject({ memberEpoch: 2, heartbeatIntervalMs: 5000, owns: ['foo 0 1 2 3'] })
  await bench.pass()
  expect(await bench.beat('b')).toMatchObject({ memberEpoch: 3, owns: [] })
  const asked = await bench.beat('a', { memberEpoch: 2, topicPartitions: foo(bench, 0, 1, 2, 3) })
  expect(asked).toMatchObject({ memberEpoch: 2, owns: ['foo 0 1'] })
  expect(await bench.beat('b', { memberEpoch: 3 })).toMatchObject({ memberEpoch: 3, owns: null })
  const told = await bench.beat('a', { memberEpoch: 2, topicPartitions: foo(bench, 0, 1) })
  expect(told).toMatchObject({ memberEpoch: 3, owns: null })
  expect(await bench.beat('b', { memberEpoch: 3 })).toMatchObject({ owns: ['foo 2 3'] })
  expect(await bench.coordinator.describeConsumerGroup('g')).toMatchObject({
    groupState: 'Stable',
    groupEpoch: 3,
    assignmentEpoch: 3,
    assignorName: 'uniform',
  })
})

test('targets are not computed more often than the assignment interval', async () => {
  const bench = await GroupBench.start()
  await bench.beat('a')
  expect(await bench.beat('b')).toMatchObject({ memberEpoch: 2, owns: [] })
  expect(await bench.coordinator.describeConsumerGroup('g')).toMatchObject({
    groupState: 'Assigning',
  })
  await bench.pass()
  expect(await bench.beat('b', { memberEpoch: 2 })).toMatchObject({ memberEpoch: 3 })
})

describe('refusals', () => {
  test.each([
    ['no id', '', {}, ErrorCode.INVALID_REQUEST],
    ['no timeout', 'a', { rebalanceTimeoutMs: -1 }, ErrorCode.INVALID_REQUEST],
    ['no subscription', 'a', { subscribedTopicNames: null }, ErrorCode.INVALID_REQUEST],
    ['partitions not told', 'a', { topicPartitions: null }, ErrorCode.INVALID_REQUEST],
    ['an empty rack', 'a', { rackId: '' }, ErrorCode.INVALID_REQUEST],
    ['an epoch below -2', 'a', { memberEpoch: -3 }, ErrorCode.INVALID_REQUEST],
    ['away without an instance', 'a', { memberEpoch: -2 }, ErrorCode.INVALID_REQUEST],
    ['an unknown assignor', 'a', { serverAssignor: 'x' }, ErrorCode.UNSUPPORTED_ASSIGNOR],
    ['a broken pattern', 'a', { subscribedTopicRegex: '(' }, ErrorCode.INVALID_REGULAR_EXPRESSION],
    ['no such group', 'a', { memberEpoch: 3 }, ErrorCode.GROUP_ID_NOT_FOUND],
  ])('%s', async (_, memberId, fields, errorCode) => {
    const bench = await GroupBench.start()
    expect(await bench.beat(memberId, fields)).toMatchObject({ errorCode })
    expect(bench.log.batches(0)).toEqual([])
  })

  test('members that are unknown, ahead or behind', async () => {
    const bench = await GroupBench.start({ 'group.consumer.max.size': '2' })
    await bench.beat('a')
    const errorOf = async (memberId: string, memberEpoch: number) =>
      (await bench.beat(memberId, { memberEpoch })).errorCode
    expect(await errorOf('x', 2)).toBe(ErrorCode.UNKNOWN_MEMBER_ID)
    expect(await errorOf('a', 3)).toBe(ErrorCode.FENCED_MEMBER_EPOCH)
    expect(await errorOf('a', 1)).toBe(ErrorCode.FENCED_MEMBER_EPOCH)
    await bench.beat('b')
    expect(await errorOf('c', 0)).toBe(ErrorCode.GROUP_MAX_SIZE_REACHED)
  })
})

test('the epoch before is good while nothing too much is owned: the answer may have been lost', async () => {
  const bench = await GroupBench.start()
  await bench.beat('a')
  await bench.pass()
  await bench.beat('a', { memberEpoch: 2, subscribedTopicNames: ['foo', 'bar'] })
  const again = await bench.beat('a', { memberEpoch: 2, topicPartitions: foo(bench, 0, 1, 2, 3) })
  expect(again).toMatchObject({ errorCode: ErrorCode.NONE, memberEpoch: 3 })
  const notSaid = await bench.beat('a', { memberEpoch: 2 })
  expect(notSaid.errorCode).toBe(ErrorCode.FENCED_MEMBER_EPOCH)
})

test('silent members, and members that keep what they are to give up, are put out', async () => {
  const bench = await GroupBench.start()
  await bench.beat('a')
  await bench.pass()
  await bench.beat('b')
  const held = { topicPartitions: foo(bench, 0, 1, 2, 3) }
  await bench.beat('a', { memberEpoch: 2, rebalanceTimeoutMs: 10_000, ...held })
  await bench.pass(9_000)
  expect((await bench.beat('a', { memberEpoch: 2, ...held })).errorCode).toBe(ErrorCode.NONE)
  await bench.pass(55_000)
  expect(bench.shard.groups.get('g')).toMatchObject({ stateName: 'Empty' })
})

test('static members: away and back under another id, with the same partitions', async () => {
  const bench = await GroupBench.start()
  const fixed = { instanceId: 'i' }
  await bench.beat('a', fixed)
  expect((await bench.beat('b', fixed)).errorCode).toBe(ErrorCode.UNRELEASED_INSTANCE_ID)
  expect(await bench.beat('a', { ...fixed, memberEpoch: -2 })).toMatchObject({ memberEpoch: -2 })
  expect(await bench.beat('b', fixed)).toMatchObject({ memberEpoch: 2, owns: ['foo 0 1 2 3'] })
  const old = await bench.beat('a', { ...fixed, memberEpoch: 2 })
  expect(old.errorCode).toBe(ErrorCode.FENCED_INSTANCE_ID)
  expect((await bench.beat('b', { ...fixed, memberEpoch: -1 })).memberEpoch).toBe(-1)
  expect(bench.shard.groups.get('g')).toMatchObject({ stateName: 'Empty' })
})

test('a static member that comes back under its own id keeps its session', async () => {
  const bench = await GroupBench.start()
  const fixed = { instanceId: 'i' }
  await bench.beat('a', fixed)
  await bench.beat('a', { ...fixed, memberEpoch: -2 })
  await bench.pass(30_000)
  expect(await bench.beat('a', fixed)).toMatchObject({ memberEpoch: 2 })
  await bench.pass(30_000)
  expect(bench.shard.groups.get('g')).toMatchObject({ isEmpty: false })
  await bench.pass(30_000)
  expect(bench.shard.groups.get('g')).toMatchObject({ isEmpty: true })
})

test('patterns: resolved on a later turn, anew when topics come, and growth is noticed', async () => {
  const bench = await GroupBench.start()
  const pattern = { subscribedTopicNames: null, subscribedTopicRegex: 'fo+|baz' }
  expect(await bench.beat('a', pattern)).toMatchObject({ owns: [] })
  await bench.pass()
  let { memberEpoch, owns } = await bench.beat('a', { memberEpoch: 1 })
  expect(owns).toEqual(['foo 0 1 2 3'])
  bench.topics.put('baz', 1)
  await bench.topicsChanged('baz')
  await bench.pass(11_000)
  await bench.beat('a', { memberEpoch })
  await bench.pass()
  ;({ memberEpoch, owns } = await bench.beat('a', { memberEpoch }))
  expect(owns).toEqual(['baz 0', 'foo 0 1 2 3'])
  bench.topics.put('baz', 2)
  await bench.topicsChanged('baz')
  await bench.pass()
  expect(await bench.beat('a', { memberEpoch })).toMatchObject({ owns: ['baz 0 1', 'foo 0 1 2 3'] })
})

test('a load finds the group as it was, and starts its sessions', async () => {
  const bench = await GroupBench.start()
  await bench.beat('a', { subscribedTopicRegex: 'b.*' })
  await bench.pass()
  await bench.beat('b', { serverAssignor: 'range', instanceId: 'i' })
  const before = await bench.coordinator.describeConsumerGroup('g')
  await bench.load()
  expect(await bench.coordinator.describeConsumerGroup('g')).toEqual(before)
  await bench.pass(46_000)
  expect(bench.shard.groups.get('g')).toMatchObject({ stateName: 'Empty' })
})

test('an append that fails changes nothing', async () => {
  const bench = await GroupBench.start()
  await bench.beat('a')
  const before = await bench.coordinator.describeConsumerGroup('g')
  bench.log.failWith = 'ERR_STORAGE'
  await bench.pass()
  const refused = await bench.beat('b')
  expect(refused.errorCode).toBe(ErrorCode.COORDINATOR_NOT_AVAILABLE)
  bench.log.failWith = null
  expect(await bench.coordinator.describeConsumerGroup('g')).toEqual(before)
})
