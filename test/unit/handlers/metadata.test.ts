/** Protects Metadata: which topics are answered in which version, ids, creation, and advertised endpoints. */
import { expect, test } from 'vitest'
import { metadataHandler } from '../../../src/handlers/metadata.js'
import { MetadataRequest, MetadataResponse } from '../../../src/protocol/messages/metadata.js'
import {
  FakeLifecycle,
  TOPIC_ID,
  ZERO_UUID,
  ask,
  cluster,
  settings,
  topicView,
  topicsView,
} from './fakes.js'

const SCHEMAS = [MetadataRequest, MetadataResponse] as const
const topics = topicsView(topicView('orders', 2), topicView('__consumer_offsets', 1, ZERO_UUID))

function handler(lifecycle = new FakeLifecycle(), overrides: Partial<typeof settings> = {}) {
  return metadataHandler({ cluster, topics, lifecycle, settings: { ...settings, ...overrides } })
}

test('null means all topics, an empty list none, and in version 0 all', async () => {
  const names = async (version: number, wanted: [] | null) =>
    (await ask(SCHEMAS, handler(), version, { topics: wanted })).topics.map(({ name }) => name)
  expect(await names(0, [])).toEqual(['__consumer_offsets', 'orders'])
  expect(await names(1, [])).toEqual([])
  expect(await names(1, null)).toEqual(['__consumer_offsets', 'orders'])
})

test('versions 10 and 11 refuse ids and missing names with 42', async () => {
  for (const version of [10, 11]) {
    const byId = { topics: [{ topicId: TOPIC_ID, name: 'orders' }] }
    const nameless = { topics: [{ topicId: ZERO_UUID, name: null }] }
    expect((await ask(SCHEMAS, handler(), version, byId)).topics[0]!.errorCode).toBe(42)
    expect((await ask(SCHEMAS, handler(), version, nameless)).topics[0]!.errorCode).toBe(42)
  }
})

test('version 12 finds topics by id; an unknown id is 100 without a name', async () => {
  const unknown = 'iZfgDjjJSLKk0qrpPK9hRA' as typeof TOPIC_ID
  const wanted = [TOPIC_ID, unknown].map(topicId => ({ topicId, name: null }))
  const { topics: found } = await ask(SCHEMAS, handler(), 12, { topics: wanted })
  expect(found.map(({ name, errorCode }) => ({ name, errorCode }))).toEqual([
    { name: 'orders', errorCode: 0 },
    { name: null, errorCode: 100 },
  ])
})

test('a missing topic is created and answered with 3; a bad name with 17 and never created', async () => {
  const lifecycle = new FakeLifecycle()
  const wanted = { topics: [{ name: 'new' }, { name: 'bad name' }, { name: 'new' }] }
  const answer = await ask(SCHEMAS, handler(lifecycle), 5, wanted)
  expect(answer.topics.map(({ name, errorCode }) => [name, errorCode])).toEqual([
    ['new', 3],
    ['bad name', 17],
  ])
  expect(lifecycle.created.map(({ name, numPartitions }) => [name, numPartitions])).toEqual([
    ['new', -1],
  ])
})

test.each([
  ['the client forbids it', {}, false],
  ['the broker is set so', { autoCreateTopicsEnable: false }, true],
])('nothing is created when %s', async (_why, overrides, allowAutoTopicCreation) => {
  const lifecycle = new FakeLifecycle()
  const wanted = { topics: [{ name: 'new' }], allowAutoTopicCreation }
  const answer = await ask(SCHEMAS, handler(lifecycle, overrides), 4, wanted)
  expect(answer.topics[0]!.errorCode).toBe(3)
  expect(lifecycle.created).toEqual([])
})

test('the answer carries the endpoint of the listener that was asked', async () => {
  const wanted = { topics: [] }
  const inside = await ask(SCHEMAS, handler(), 12, wanted)
  const outside = await ask(SCHEMAS, handler(), 12, wanted, 'EXTERNAL')
  expect(inside.brokers[0]).toMatchObject({ host: '127.0.0.1', port: 9092 })
  expect(outside.brokers[0]).toMatchObject({ host: 'broker.example', port: 19092 })
})

test('allowed operations are told only when asked for', async () => {
  const plain = await ask(SCHEMAS, handler(), 8, { topics: null })
  expect(plain.clusterAuthorizedOperations).toBe(-2147483648)
  const asked = await ask(SCHEMAS, handler(), 8, {
    topics: null,
    includeClusterAuthorizedOperations: true,
    includeTopicAuthorizedOperations: true,
  })
  expect(asked.clusterAuthorizedOperations).toBe(8096)
  expect(asked.topics[0]!.topicAuthorizedOperations).toBe(3576)
})
