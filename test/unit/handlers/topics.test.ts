/** Protects CreateTopics, DeleteTopics and DescribeTopicPartitions: what is refused, and the pages. */
import { expect, test } from 'vitest'
import type { Uuid } from '../../../src/base/uuid.js'
import { createTopicsHandler } from '../../../src/handlers/create-topics.js'
import { deleteTopicsHandler } from '../../../src/handlers/delete-topics.js'
import { describeTopicPartitionsHandler } from '../../../src/handlers/describe-topic-partitions.js'
import {
  CreateTopicsRequest,
  CreateTopicsResponse,
} from '../../../src/protocol/messages/create-topics.js'
import {
  DeleteTopicsRequest,
  DeleteTopicsResponse,
} from '../../../src/protocol/messages/delete-topics.js'
import {
  DescribeTopicPartitionsRequest,
  DescribeTopicPartitionsResponse,
} from '../../../src/protocol/messages/describe-topic-partitions.js'
import {
  FakeLifecycle,
  TOPIC_ID,
  ZERO_UUID,
  ask,
  noQuotas,
  settings,
  topicView,
  topicsView,
} from './fakes.js'

const CREATE = [CreateTopicsRequest, CreateTopicsResponse] as const
const DELETE = [DeleteTopicsRequest, DeleteTopicsResponse] as const
const DESCRIBE = [DescribeTopicPartitionsRequest, DescribeTopicPartitionsResponse] as const
const UNKNOWN_ID = 'iZfgDjjJSLKk0qrpPK9hRA' as Uuid

const wantedTopic = (name: string, numPartitions = 1) => ({
  name,
  numPartitions,
  replicationFactor: 1,
  assignments: [],
  configs: [],
})

test('a name given twice is refused once with 42, the others are created', async () => {
  const lifecycle = new FakeLifecycle()
  const request = { topics: [wantedTopic('a'), wantedTopic('b'), wantedTopic('a')] }
  const answer = await ask(
    CREATE,
    createTopicsHandler({ lifecycle, settings, ...noQuotas }),
    7,
    request,
  )
  expect(answer.topics.map(({ name, errorCode }) => [name, errorCode])).toEqual([
    ['a', 42],
    ['b', 0],
  ])
  expect(lifecycle.created.map(({ name }) => name)).toEqual(['b'])
})

test('validateOnly creates nothing', async () => {
  const lifecycle = new FakeLifecycle()
  const request = { topics: [wantedTopic('a')], validateOnly: true }
  const answer = await ask(
    CREATE,
    createTopicsHandler({ lifecycle, settings, ...noQuotas }),
    7,
    request,
  )
  expect(answer.topics[0]!.errorCode).toBe(0)
  expect(lifecycle.created).toEqual([])
})

test('more than 10,000 partitions in one request are refused with 44, all of them', async () => {
  const lifecycle = new FakeLifecycle()
  const request = { topics: [wantedTopic('a', 6000), wantedTopic('b', 6000)] }
  const answer = await ask(
    CREATE,
    createTopicsHandler({ lifecycle, settings, ...noQuotas }),
    7,
    request,
  )
  expect(answer.topics.map(({ errorCode }) => errorCode)).toEqual([44, 44])
  expect(lifecycle.created).toEqual([])
})

test('a creation that outlasts the timeout is answered with 7', async () => {
  const lifecycle = new FakeLifecycle()
  lifecycle.create = () => new Promise(() => {})
  const request = { topics: [wantedTopic('a')], timeoutMs: 1 }
  const answer = await ask(
    CREATE,
    createTopicsHandler({ lifecycle, settings, ...noQuotas }),
    7,
    request,
  )
  expect(answer.topics[0]!.errorCode).toBe(7)
})

function deleter(lifecycle: FakeLifecycle, deleteTopicEnable = true) {
  const topics = topicsView(topicView('orders', 1))
  const changed = { ...settings, deleteTopicEnable }
  return deleteTopicsHandler({ topics, lifecycle, settings: changed, ...noQuotas })
}

test('topics are deleted by name or id; doubtful wishes delete nothing', async () => {
  const lifecycle = new FakeLifecycle()
  const wishes = [
    { name: 'nope' },
    { topicId: UNKNOWN_ID },
    {},
    { name: 'orders', topicId: TOPIC_ID },
  ]
  const answer = await ask(DELETE, deleter(lifecycle), 6, { topics: wishes, timeoutMs: 100 })
  expect(answer.responses.map(({ errorCode }) => errorCode)).toEqual([3, 100, 42, 42])
  const twice = [{ name: 'orders' }, { topicId: TOPIC_ID }]
  const both = await ask(DELETE, deleter(lifecycle), 6, { topics: twice, timeoutMs: 100 })
  expect(both.responses.map(({ errorCode }) => errorCode)).toEqual([42, 42])
  expect(lifecycle.deleted).toEqual([])
  const good = { topics: [{ topicId: TOPIC_ID }], timeoutMs: 100 }
  const done = await ask(DELETE, deleter(lifecycle), 6, good)
  expect(done.responses[0]).toMatchObject({ name: 'orders', topicId: TOPIC_ID, errorCode: 0 })
  expect(lifecycle.deleted).toEqual(['orders'])
})

test('with delete.topic.enable=false everything is refused: 73, below version 3 42', async () => {
  const lifecycle = new FakeLifecycle()
  const byName = { topicNames: ['orders'], timeoutMs: 100 }
  const off = deleter(lifecycle, false)
  expect((await ask(DELETE, off, 3, byName)).responses[0]!.errorCode).toBe(73)
  expect((await ask(DELETE, off, 2, byName)).responses[0]!.errorCode).toBe(42)
  expect(lifecycle.deleted).toEqual([])
})

const describer = describeTopicPartitionsHandler(
  topicsView(topicView('a', 3), topicView('b', 2, UNKNOWN_ID)),
  settings,
)

test('pages end at the limit and go on at the cursor, without gap or repetition', async () => {
  const seen: string[] = []
  let cursor: { topicName: string; partitionIndex: number } | null = null
  for (let page = 0; page < 10; page++) {
    const answer: DescribeTopicPartitionsResponse = await ask(DESCRIBE, describer, 0, {
      topics: [],
      responsePartitionLimit: 2,
      cursor,
    })
    for (const { name, partitions } of answer.topics) {
      seen.push(...partitions.map(({ partitionIndex }) => `${name}-${partitionIndex}`))
    }
    cursor = answer.nextCursor
    if (cursor === null) break
  }
  expect(seen).toEqual(['a-0', 'a-1', 'a-2', 'b-0', 'b-1'])
})

test('missing topics are told by error, wrong cursors refused with 42', async () => {
  const names = [{ name: 'b' }, { name: 'nope' }, { name: 'a b' }]
  const answer = await ask(DESCRIBE, describer, 0, { topics: names })
  expect(answer.topics.map(({ name, errorCode }) => [name, errorCode])).toEqual([
    ['a b', 17],
    ['b', 0],
    ['nope', 3],
  ])
  for (const cursor of [
    { topicName: 'c', partitionIndex: 0 },
    { topicName: 'b', partitionIndex: -1 },
  ]) {
    const refused = await ask(DESCRIBE, describer, 0, { topics: [{ name: 'b' }], cursor })
    expect(refused.topics[0]!).toMatchObject({ errorCode: 42, topicId: ZERO_UUID })
  }
})
