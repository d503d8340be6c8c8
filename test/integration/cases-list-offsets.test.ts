/** Faults that other brokers had in looking up offsets by time, and in the leader epochs they told with them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BrokerProcess } from '../support/broker-process.js'
import {
  createTopic,
  EARLIEST,
  LATEST,
  listOffset,
  MAX_TIMESTAMP,
  produce,
} from '../support/partition-calls.js'
import { RawClient } from '../support/raw-client.js'
import { NOW, recordBatch, recordsOf } from '../support/record-batch-bytes.js'

let broker: BrokerProcess
let client: RawClient
let topics = 0

beforeAll(async () => {
  broker = await BrokerProcess.start()
  client = await RawClient.connect(broker.port)
})

afterAll(async () => {
  client.close()
  await broker.remove()
})

async function topicWith(configs: Record<string, string> = {}): Promise<string> {
  const name = `topic-${topics++}`
  expect(await createTopic(client, name, 1, configs)).toBe(0)
  return name
}

async function found(topic: string, time: number, version = 8): Promise<[number, number, number]> {
  const answer = await listOffset(client, topic, time, version)
  return [answer['errorCode'], Number(answer['offset']), Number(answer['timestamp'])]
}

async function append(topic: string, times: readonly number[], gzip: boolean): Promise<void> {
  const records = times.map(time => ({ value: String(time), timestamp: time }))
  expect((await produce(client, topic, recordBatch(records, { gzip })))['errorCode']).toBe(0)
}

test('a time after the last record, or an empty partition: no error, -1 and -1', async () => {
  const topic = await topicWith()
  expect(await found(topic, NOW)).toEqual([0, -1, -1])
  expect(await found(topic, MAX_TIMESTAMP)).toEqual([0, -1, -1])
  await append(topic, [NOW], false)
  for (const version of [1, 4, 8, 11]) {
    expect(await found(topic, NOW + 1, version)).toEqual([0, -1, -1])
  }
  expect(await found(topic, NOW)).toEqual([0, 0, NOW])
})

describe.each([false, true])('records of known times, gzip: %s', gzip => {
  test('the first record at or after each time, also inside batches and out of order', async () => {
    // A segment holds some five batches.
    const topic = await topicWith({ 'segment.bytes': '1048576', 'index.interval.bytes': '0' })
    const times: number[] = []
    let state = 7
    for (let batch = 0; batch < 12; batch++) {
      const ordered = batch % 3 !== 2
      const list = Array.from({ length: 40 }, (_, i) => {
        state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
        return NOW - 5000 + batch * 100 + (ordered ? i * 2 : state % 300)
      })
      await append(topic, list, gzip)
      times.push(...list)
    }
    const wrong: unknown[] = []
    for (let target = NOW - 5100; target < NOW - 3500; target += 7) {
      const offset = times.findIndex(time => time >= target)
      const wanted = offset < 0 ? [0, -1, -1] : [0, offset, times[offset]]
      const answer = await found(topic, target)
      if (String(answer) !== String(wanted)) wrong.push({ target, wanted, answer })
    }
    expect(wrong).toEqual([])
  })

  test('the largest time is that of its record, the first one of several', async () => {
    const topic = await topicWith()
    await append(topic, [NOW + 5, NOW + 9, NOW + 7], gzip)
    expect(await found(topic, MAX_TIMESTAMP)).toEqual([0, 1, NOW + 9])
    await append(topic, [NOW + 1, NOW + 2], gzip)
    expect(await found(topic, MAX_TIMESTAMP)).toEqual([0, 1, NOW + 9])
    await append(topic, [NOW + 3, NOW + 9, NOW + 9], gzip)
    expect(await found(topic, MAX_TIMESTAMP)).toEqual([0, 1, NOW + 9])
    await append(topic, [NOW + 3, NOW + 10, NOW + 10], gzip)
    expect(await found(topic, MAX_TIMESTAMP)).toEqual([0, 9, NOW + 10])
  })
})

test('LogAppendTime: the largest time is at the first record of its batch', async () => {
  const topic = await topicWith({ 'message.timestamp.type': 'LogAppendTime' })
  const answer = await produce(client, topic, recordBatch(recordsOf(3)))
  const time = Number(answer['logAppendTimeMs'])
  expect(time).toBeGreaterThan(0)
  expect(await found(topic, MAX_TIMESTAMP)).toEqual([0, 0, time])
  expect(await found(topic, time)).toEqual([0, 0, time])
})

test.each([
  [MAX_TIMESTAMP, 7],
  [-4, 8],
  [-5, 9],
  [-6, 11],
  [-7, 12],
])('the special time %d is 35 before version %d', async (time, since) => {
  const topic = await topicWith()
  for (let version = 1; version <= 11; version++) {
    const [errorCode] = await found(topic, time, version)
    expect([version, errorCode]).toEqual([version, version < since ? 35 : 0])
  }
})

test('the leader epoch is that of the record found, not the current one', async () => {
  const topic = await topicWith()
  const epochs: number[] = []
  const epochAt = async (time: number) => {
    const answer = await listOffset(client, topic, time)
    return [Number(answer['offset']), answer['leaderEpoch']]
  }
  expect((await listOffset(client, topic, NOW))['leaderEpoch']).toBe(-1)
  for (let round = 0; round < 3; round++) {
    await append(topic, [NOW + round], false)
    const metadata = await client.call('Metadata', 8, { topics: [{ name: topic }] })
    epochs.push(metadata['topics'][0].partitions[0].leaderEpoch)
    client.close()
    await broker.stop()
    await broker.restart()
    client = await RawClient.connect(broker.port)
  }
  expect(new Set(epochs).size).toBe(3)
  for (const [offset, epoch] of epochs.entries()) {
    expect(await epochAt(NOW + offset)).toEqual([offset, epoch])
  }
  expect(await epochAt(EARLIEST)).toEqual([0, epochs[0]])
  expect(await epochAt(MAX_TIMESTAMP)).toEqual([2, epochs[2]])
  const metadata = await client.call('Metadata', 8, { topics: [{ name: topic }] })
  const current = metadata['topics'][0].partitions[0].leaderEpoch
  expect(await epochAt(LATEST)).toEqual([3, current])
  for (const [offset, leaderEpoch] of epochs.entries()) {
    const partitions = [{ currentLeaderEpoch: -1, leaderEpoch }]
    const ends = await client.call('OffsetForLeaderEpoch', 3, {
      replicaId: -1,
      topics: [{ topic, partitions }],
    })
    const wanted = { errorCode: 0, leaderEpoch, endOffset: BigInt(offset + 1) }
    expect(ends['topics'][0].partitions[0]).toMatchObject(wanted)
  }
})
