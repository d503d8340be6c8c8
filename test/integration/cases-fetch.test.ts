/** Faults that other brokers had in fetching: waiting, sessions, error codes, offsets that move. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BrokerProcess } from '../support/broker-process.js'
import {
  createTopic,
  EARLIEST,
  fetch,
  fetchBody,
  LATEST,
  listOffset,
  produce,
} from '../support/partition-calls.js'
import { encodeRequest, RawClient } from '../support/raw-client.js'
import { batchesOf, recordBatch, recordsOf } from '../support/record-batch-bytes.js'
import type { WireMessage } from '../support/wire-codec.js'

/** Long enough that nobody mistakes its end for an answer. */
const LONG_WAIT_MS = 50_000
/** What the Java consumer has a case for. */
const CONSUMER_KNOWS = [0, 1, 2, 3, 6, 9, 29, 56, 74, 75, 78, 100, 103, -1]
let broker: BrokerProcess
let client: RawClient
let producer: RawClient
let topics = 0

beforeAll(async () => {
  broker = await BrokerProcess.start()
  client = await RawClient.connect(broker.port)
  producer = await RawClient.connect(broker.port)
})

afterAll(async () => {
  client.close()
  producer.close()
  await broker.remove()
})

async function newTopic(partitions = 1): Promise<string> {
  const name = `topic-${topics++}`
  expect(await createTopic(producer, name, partitions)).toBe(0)
  return name
}

function partitionsOf(offsets: Record<number, number>): WireMessage[] {
  return Object.entries(offsets).map(([partition, fetchOffset]) => ({
    partition: Number(partition),
    currentLeaderEpoch: -1,
    fetchOffset,
    lastFetchedEpoch: -1,
    logStartOffset: -1,
    partitionMaxBytes: 1 << 20,
  }))
}

function told(answer: WireMessage): [number, number][] {
  return answer['responses'].flatMap((topic: WireMessage) =>
    topic['partitions'].map((p: WireMessage) => [p['partitionIndex'], p['records']?.length ?? 0]),
  )
}

test('offsets start at 0, and restarts and crashes never move a record or the end', async () => {
  const topic = await newTopic()
  for (const count of [1, 2, 3]) await produce(client, topic, recordBatch(recordsOf(count)))
  for (let round = 0; round < 5; round++) {
    client.close()
    producer.close()
    await (round % 2 === 0 ? broker.stop() : broker.kill())
    await broker.restart()
    client = await RawClient.connect(broker.port)
    producer = await RawClient.connect(broker.port)
    expect((await listOffset(client, topic, EARLIEST))['offset']).toBe(0n)
    expect((await listOffset(client, topic, LATEST))['offset']).toBe(6n)
    const read = await fetch(client, topic, 0)
    expect(read['highWatermark']).toBe(6n)
    expect(read['lastStableOffset']).toBe(6n)
    const bases = batchesOf(read['records']).map(each => [each.baseOffset, each.recordsCount])
    expect(bases).toEqual([
      [0n, 1],
      [1n, 2],
      [3n, 3],
    ])
  }
})

describe('waiting', () => {
  test('an idle fetch waits, with a session and without, and an append wakes it', async () => {
    const topic = await newTopic()
    const opened = await client.call('Fetch', 12, { ...fetchBody(topic, 0), sessionEpoch: 0 })
    expect(opened['sessionId']).toBeGreaterThan(0)
    const idle = { ...fetchBody(topic, 0), topics: [], sessionId: opened['sessionId'] }
    const bodies = [
      { ...idle, sessionEpoch: 1, maxWaitMs: LONG_WAIT_MS },
      fetchBody(topic, 1, { maxWaitMs: LONG_WAIT_MS }),
    ]
    for (const body of bodies) {
      client.send(encodeRequest('Fetch', 12, body, { correlationId: 7 }))
      await new Promise(resolve => setTimeout(resolve, 150))
      expect(client.bytesReceived).toBe(0)
      await produce(producer, topic, recordBatch(recordsOf(1)))
      expect(told(await client.answer('Fetch', 12, 7))).toEqual([[0, expect.any(Number)]])
    }
  })

  test('a wait that ends without records is an empty success', async () => {
    const topic = await newTopic()
    const answer = await client.call('Fetch', 12, fetchBody(topic, 0, { maxWaitMs: 100 }))
    expect(told(answer)).toEqual([[0, 0]])
    expect(answer['responses'][0].partitions[0].errorCode).toBe(0)
  })

  test('minBytes counts over all partitions of a session', async () => {
    const topic = await newTopic(3)
    const body = {
      ...fetchBody(topic, 0),
      topics: [{ topic, partitions: partitionsOf([0, 0, 0]) }],
    }
    const { sessionId } = await client.call('Fetch', 12, { ...body, sessionEpoch: 0 })
    const size = recordBatch(recordsOf(1, 100)).length
    const next = { ...body, topics: [], sessionId, sessionEpoch: 1, minBytes: 3 * size }
    client.send(
      encodeRequest('Fetch', 12, { ...next, maxWaitMs: LONG_WAIT_MS }, { correlationId: 7 }),
    )
    for (const partition of [0, 1]) {
      await produce(producer, topic, recordBatch(recordsOf(1, 100)), { partition })
    }
    await new Promise(resolve => setTimeout(resolve, 100))
    expect(client.bytesReceived).toBe(0)
    await produce(producer, topic, recordBatch(recordsOf(1, 100)), { partition: 2 })
    const answered = told(await client.answer('Fetch', 12, 7)).sort()
    expect(answered).toEqual([0, 1, 2].map(partition => [partition, size]))
  })

  test('a partition that fills its cap is answered at once, however large minBytes is', async () => {
    const topic = await newTopic()
    for (let i = 0; i < 20; i++) await produce(producer, topic, recordBatch(recordsOf(1, 10_000)))
    const caps = { maxWaitMs: LONG_WAIT_MS, minBytes: 10 << 20, partitionMaxBytes: 30_000 }
    for (let offset = 0, rounds = 0; offset < 18; rounds++) {
      expect(rounds).toBeLessThan(20)
      const read = await fetch(client, topic, offset, caps)
      const batches = batchesOf(read['records'])
      offset = Number(batches.at(-1)!.baseOffset) + 1
    }
  })
})

describe('sessions', () => {
  async function open(topic: string, offsets: Record<number, number>) {
    const body = { ...fetchBody(topic, 0), topics: [{ topic, partitions: partitionsOf(offsets) }] }
    const answer = await client.call('Fetch', 11, { ...body, sessionEpoch: 0 })
    let sessionEpoch = 0
    const next = (more: WireMessage = {}) => {
      sessionEpoch++
      return client.call('Fetch', 11, {
        ...body,
        topics: [],
        sessionId: answer['sessionId'],
        sessionEpoch,
        ...more,
      })
    }
    return { id: answer['sessionId'] as number, next }
  }

  test('forgotten partitions stop, changed offsets count, only changes are told', async () => {
    const topic = await newTopic(3)
    const { next } = await open(topic, { 0: 0, 1: 0, 2: 0 })
    expect(told(await next())).toEqual([])
    for (const partition of [0, 1, 2]) {
      await produce(producer, topic, recordBatch(recordsOf(2)), { partition })
    }
    const first = told(await next())
    expect(first.map(([partition]) => partition).sort()).toEqual([0, 1, 2])
    const moved = { topics: [{ topic, partitions: partitionsOf({ 0: 2, 2: 2 }) }] }
    const forgotten = { forgottenTopicsData: [{ topic, partitions: [1] }] }
    expect(told(await next({ ...moved, ...forgotten }))).toEqual([])
    await produce(producer, topic, recordBatch(recordsOf(1)), { partition: 1 })
    expect(told(await next())).toEqual([])
    await produce(producer, topic, recordBatch(recordsOf(1)), { partition: 2 })
    expect(told(await next()).map(([partition]) => partition)).toEqual([2])
  })

  test('an unknown session is 70, a wrong epoch 71, epoch -1 closes it', async () => {
    const topic = await newTopic()
    const { id, next } = await open(topic, { 0: 0 })
    expect((await next({ sessionId: id ^ 0x5a5a }))['errorCode']).toBe(70)
    expect((await next({ sessionEpoch: 40 }))['errorCode']).toBe(71)
    expect((await next({ sessionEpoch: 1 }))['errorCode']).toBe(0)
    const closing = await next({ sessionEpoch: -1, topics: [{ topic, partitions: [] }] })
    expect([closing['errorCode'], closing['sessionId']]).toEqual([0, 0])
    expect((await next({ sessionEpoch: 2 }))['errorCode']).toBe(70)
  })

  test('more sessions than slots are sessionless, not refused', async () => {
    const topic = await newTopic()
    const body = { ...fetchBody(topic, 0), sessionEpoch: 0 }
    const frame = encodeRequest('Fetch', 11, body, { correlationId: 9 })
    const answers: WireMessage[] = []
    client.send(Buffer.concat(Array.from({ length: 1500 }, () => frame)))
    while (answers.length < 1500) answers.push(await client.answer('Fetch', 11, 9))
    expect(answers.every(answer => answer['errorCode'] === 0)).toBe(true)
    expect(answers.every(answer => told(answer).length === 1)).toBe(true)
    expect(answers.some(answer => answer['sessionId'] === 0)).toBe(true)
  })
})

test('the Java consumer has a case for every partition error', async () => {
  const topic = await newTopic()
  await produce(producer, topic, recordBatch(recordsOf(1)))
  const codes: number[] = []
  for (const fetchOffset of [-5, 0, 1, 2, Number.MAX_SAFE_INTEGER]) {
    for (const currentLeaderEpoch of [-1, 0, 1, 1000]) {
      for (const replicaId of [-1, 1, 2]) {
        const partition = { ...partitionsOf({ 0: fetchOffset })[0]!, currentLeaderEpoch }
        const unknown = { ...partition, partition: 7 }
        const list = [{ topic, partitions: [partition, unknown] }]
        const answer = await client.call('Fetch', 11, {
          ...fetchBody(topic, 0),
          topics: list,
          replicaId,
        })
        expect(answer['responses'][0].partitions).toHaveLength(2)
        codes.push(...answer['responses'][0].partitions.map((p: WireMessage) => p['errorCode']))
      }
    }
  }
  expect([...new Set(codes)].filter(code => !CONSUMER_KNOWS.includes(code) && code !== 76)).toEqual(
    [],
  )
  for (const code of [0, 1, 3, 6]) expect(codes).toContain(code)
})
