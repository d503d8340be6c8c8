/** The producer against a real broker: what arrives, in what order, in how many batches, and what is refused. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { Cluster } from '../../src/client/cluster/cluster.js'
import { KafkaError } from '../../src/client/errors.js'
import { Producer } from '../../src/client/producer/producer.js'
import type { ProducerOptions } from '../../src/client/producer/producer-options.js'
import { CODEC_NAMES } from '../../src/records/compression/codec.js'
import { createTopic, readPartition } from './read-topic.js'
import { type Target, startTarget } from './target.js'

let target: Target
let cluster: Cluster
const open: Producer[] = []
beforeAll(async () => {
  target = await startTarget()
  cluster = new Cluster({ bootstrapServers: target.bootstrapServers })
})
afterEach(async () => {
  await Promise.all(open.splice(0).map(producer => producer.close()))
})
afterAll(async () => {
  cluster.close()
  await target.close()
})

function producerOf(options: Partial<ProducerOptions> = {}): Producer {
  const producer = new Producer({ bootstrapServers: target.bootstrapServers, ...options })
  open.push(producer)
  return producer
}

async function topicOf(partitions = 1, configs: Record<string, string> = {}): Promise<string> {
  const name = target.topic('produce')
  await createTopic(cluster, name, partitions, configs)
  return name
}

function read(topic: string, partition: number, count: number) {
  return readPartition(target.bootstrapServers, topic, partition, count)
}

test('key, value, headers, timestamp and tombstones arrive as they were given', async () => {
  const topic = await topicOf()
  const producer = producerOf()
  const first = await producer.send({
    topic,
    key: 'ключ',
    value: Buffer.from([0, 255]),
    headers: [
      ['a', 'x'],
      ['a', null],
      ['', Buffer.alloc(0)],
    ],
    timestamp: new Date(1_700_000_000_000),
  })
  expect(first.toJSON()).toEqual({ topic, partition: 0, offset: '0', timestamp: '1700000000000' })
  const second = await producer.send({ topic, key: '', value: null, timestamp: 5n })
  expect(second.offset).toBe(1n)
  await producer.send({ topic, headers: { one: '1' } })
  const records = await read(topic, 0, 3)
  expect(records[0]).toMatchObject({ timestamp: 1_700_000_000_000n, value: Buffer.from([0, 255]) })
  expect(records[0]!.key!.toString()).toBe('ключ')
  expect(records[0]!.headers.map(h => [h.key, h.value?.toString() ?? null])).toEqual([
    ['a', 'x'],
    ['a', null],
    ['', ''],
  ])
  expect(records[1]).toMatchObject({ timestamp: 5n, key: Buffer.alloc(0), value: null })
  expect(records[2]).toMatchObject({ key: null, value: null })
  expect(records[2]!.headers).toHaveLength(1)
})

test.each(CODEC_NAMES)('10,000 records arrive once and in order, compression %s', async codec => {
  const topic = await topicOf()
  const producer = producerOf({ compressionType: codec, batchSize: 8192 })
  const sent = await Promise.all(
    Array.from({ length: 10_000 }, (_, i) => producer.send({ topic, value: `value ${i}` })),
  )
  expect(sent.map(({ offset }) => Number(offset))).toEqual(sent.map((_, i) => i))
  const records = await read(topic, 0, 10_000)
  expect(records.map(r => r.value!.toString())).toEqual(sent.map((_, i) => `value ${i}`))
  expect(producer.metrics()).toMatchObject({ recordsAcked: 10_000, retries: 0, bufferedBytes: 0 })
  expect(producer.metrics().batchesAcked).toBeLessThan(100)
})

test.each([0, 1, 'all'] as const)('acks=%s', async acks => {
  const topic = await topicOf()
  const producer = producerOf({ acks, lingerMs: 0 })
  const { offset } = await producer.send({ topic, value: 'x' })
  expect(offset).toBe(acks === 0 ? -1n : 0n)
  await producer.send({ topic, value: 'y' })
  expect((await read(topic, 0, 2)).map(r => r.value!.toString())).toEqual(['x', 'y'])
})

test('linger collects, flush does not wait for it', async () => {
  const topic = await topicOf()
  const producer = producerOf({ lingerMs: 60_000, deliveryTimeoutMs: 200_000 })
  await producer.partitionsFor(topic)
  const sent = [producer.send({ topic, value: 'a' }), producer.send({ topic, value: 'b' })]
  await producer.flush()
  await Promise.all(sent)
  expect(producer.metrics()).toMatchObject({ recordsAcked: 2, batchesAcked: 1 })
})

test('the same key goes where Java sends it; records without key use every partition', async () => {
  const topic = await topicOf(7)
  const producer = producerOf({ batchSize: 200, lingerMs: 1 })
  const keyed = await Promise.all(
    ['a', 'foobar', 'key-1', 'Kafka', ''].map(key => producer.send({ topic, key, value: 'v' })),
  )
  // As org.apache.kafka.common.utils.Utils.murmur2 gives, masked and modulo 7.
  expect(keyed.map(({ partition }) => partition)).toEqual([5, 0, 5, 5, 2])
  for (let i = 0; i < 700; i++) producer.offer({ topic, value: `${i}` })
  await producer.flush()
  const counts = await Promise.all(
    Array.from({ length: 7 }, async (_, p) => {
      const ends = await Promise.all([producer.send({ topic, partition: p, value: 'end' })])
      return Number(ends[0].offset)
    }),
  )
  expect(counts.every(count => count > 0)).toBe(true)
  expect(counts.reduce((a, b) => a + b)).toBe(705)
})

test('round-robin and a function of one’s own', async () => {
  const topic = await topicOf(3)
  const inTurn = producerOf({ partitioner: 'roundRobin' })
  await inTurn.partitionsFor(topic)
  const turns = await Promise.all([0, 1, 2, 3].map(() => inTurn.send({ topic, key: 'same' })))
  expect(turns.map(({ partition }) => partition)).toEqual([0, 1, 2, 0])
  const own = producerOf({ partitioner: ({ partitionCount }) => partitionCount - 1 })
  expect((await own.send({ topic, key: 'k' })).partition).toBe(2)
  const wrong = producerOf({ partitioner: () => 3 })
  await expect(wrong.send({ topic })).rejects.toMatchObject({ code: 'ERR_CLIENT_CONFIG' })
})

test('a batch that the topic refuses as too large is split, in order', async () => {
  const topic = await topicOf(1, { 'max.message.bytes': '2000' })
  const producer = producerOf({ batchSize: 16_384, compressionType: 'none' })
  await producer.partitionsFor(topic)
  const sent = Array.from({ length: 100 }, (_, i) =>
    producer.send({ topic, value: `${i}`.padStart(100, '.') }),
  )
  const offsets = (await Promise.all(sent)).map(({ offset }) => Number(offset))
  expect(offsets).toEqual(sent.map((_, i) => i))
  expect(producer.metrics().splits).toBeGreaterThan(0)
  const values = (await read(topic, 0, 100)).map(r =>
    Number(r.value!.toString().replaceAll('.', '')),
  )
  expect(values).toEqual(offsets)
  // One record that is too large by itself fails alone; what follows is not held up by its number.
  const huge = producer.send({ topic, value: Buffer.alloc(5000) })
  const after = producer.send({ topic, value: 'after' })
  await expect(huge).rejects.toMatchObject({ errorName: 'MESSAGE_TOO_LARGE' })
  expect((await after).offset).toBe(100n)
})

test('records above maxRequestSize are refused at once', async () => {
  const topic = await topicOf()
  const producer = producerOf({ maxRequestSize: 10_000 })
  await expect(producer.send({ topic, value: Buffer.alloc(10_000) })).rejects.toMatchObject({
    errorName: 'MESSAGE_TOO_LARGE',
  })
  expect((await producer.send({ topic, value: Buffer.alloc(9_000) })).offset).toBe(0n)
})

test('when memory is used up, sends wait and keep their order', async () => {
  const topic = await topicOf()
  const producer = producerOf({ bufferMemory: 4096, batchSize: 1024, lingerMs: 0 })
  const sent = Array.from({ length: 200 }, (_, i) =>
    producer.send({ topic, value: `${i}`.padEnd(200) }),
  )
  const offsets = (await Promise.all(sent)).map(({ offset }) => Number(offset))
  expect(offsets).toEqual(sent.map((_, i) => i))
  expect(producer.offer({ topic, value: 'now' })).toBe(true)
})

test('an unknown topic or partition ends after maxBlockMs; a bad name at once', async () => {
  const producer = producerOf({ maxBlockMs: 300, allowAutoCreateTopics: false })
  const failure: unknown = await producer
    .send({ topic: target.topic('missing'), value: 'x' })
    .catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(KafkaError)
  expect((failure as KafkaError).cause).toMatchObject({ errorName: 'UNKNOWN_TOPIC_OR_PARTITION' })
  const topic = await topicOf()
  await expect(producer.send({ topic, partition: 9, value: 'x' })).rejects.toThrow(/partition 9/)
  await expect(producer.send({ topic: 'no good', value: 'x' })).rejects.toMatchObject({
    errorName: 'INVALID_TOPIC_EXCEPTION',
  })
})

test('a closed producer has settled all and takes no more', async () => {
  const topic = await topicOf()
  const producer = producerOf({ lingerMs: 1000 })
  const sent = producer.send({ topic, value: 'last' })
  await producer.close()
  expect((await sent).offset).toBe(0n)
  await expect(producer.send({ topic })).rejects.toMatchObject({ code: 'ERR_CLIENT_CLOSED' })
})

test('options that contradict each other are refused by name', () => {
  const bootstrapServers = target.bootstrapServers
  expect(() => new Producer({ bootstrapServers, acks: 1, enableIdempotence: true })).toThrow(
    /acks=1/,
  )
  expect(() => new Producer({ bootstrapServers, deliveryTimeoutMs: 10 })).toThrow(/30005/)
  expect(() => new Producer({ bootstrapServers, batchSize: -1 })).toThrow(/batchSize/)
})
