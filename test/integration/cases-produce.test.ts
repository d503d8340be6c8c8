/** Faults that other brokers had in producing and in idempotence, against the real process with batches made by hand. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BrokerProcess } from '../support/broker-process.js'
import {
  createTopic,
  fetch,
  LATEST,
  listOffset,
  produce,
  type ProduceOptions,
  produceBody,
} from '../support/partition-calls.js'
import { encodeRequest, RawClient } from '../support/raw-client.js'
import {
  batchesOf,
  type BatchOptions,
  NOW,
  recordBatch,
  recordsOf,
} from '../support/record-batch-bytes.js'

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

async function errorOf(topic: string, records: Buffer | null, options: ProduceOptions = {}) {
  return (await produce(client, topic, records, options))['errorCode']
}

async function endOf(topic: string): Promise<number> {
  return Number((await listOffset(client, topic, LATEST))['offset'])
}

describe('compacted topics', () => {
  test.each(['compact', 'compact,delete'])(
    'cleanup.policy=%s: a batch with keyless records is refused for good and as a whole',
    async policy => {
      const topic = await topicWith({ 'cleanup.policy': policy })
      const records = recordsOf(10).map((record, i) => ({
        ...record,
        key: i === 3 || i === 7 ? null : `key ${i}`,
      }))
      for (const version of [3, 7, 8, 9, 12]) {
        const answer = await produce(client, topic, recordBatch(records), { version })
        expect([version, answer['errorCode']]).toEqual([version, 87])
        if (version >= 8) expect(answer['errorMessage']).toMatch(/without a key/)
      }
      expect(await endOf(topic)).toBe(0)
    },
  )

  test('an empty key is a key', async () => {
    const topic = await topicWith({ 'cleanup.policy': 'compact' })
    expect(await errorOf(topic, recordBatch([{ key: '', value: 'x' }]))).toBe(0)
    expect(await endOf(topic)).toBe(1)
  })
})

describe('acks', () => {
  test('0: not a byte of answer; the next bytes answer the next request', async () => {
    const topic = await topicWith()
    const body = produceBody(topic, recordBatch(recordsOf(2)), { acks: 0 })
    const frames = [7, 8, 9].map(version => encodeRequest('Produce', version, body))
    client.send(Buffer.concat(frames))
    expect((await client.call('Metadata', 5, { topics: [] }))['brokers']).toHaveLength(1)
    expect(await endOf(topic)).toBe(6)
  })

  test('0 to an unknown partition closes the connection without a byte', async () => {
    const other = await RawClient.connect(broker.port)
    const body = produceBody('unknown', recordBatch(recordsOf(1)), { acks: 0 })
    other.send(encodeRequest('Produce', 9, body))
    expect(await other.closedSilently()).toBe(true)
  })

  test.each([2, -2, 32767])('%d is refused with 21 and appends nothing', async acks => {
    const topic = await topicWith()
    const answer = await produce(client, topic, recordBatch(recordsOf(1)), { acks })
    expect([answer['errorCode'], answer['baseOffset']]).toEqual([21, -1n])
    expect(await endOf(topic)).toBe(0)
  })
})

describe('max.message.bytes', () => {
  const LIMIT = 32768

  test('is the size of the batch: 40 records of 1 KiB are too large together', async () => {
    const topic = await topicWith({ 'max.message.bytes': String(LIMIT) })
    expect(await errorOf(topic, recordBatch(recordsOf(40, 1024)))).toBe(10)
    expect(await errorOf(topic, recordBatch(recordsOf(20, 1024)))).toBe(0)
    expect(await endOf(topic)).toBe(20)
  })

  test('is the size as sent: 200 KiB of zeros in a small gzip batch are accepted', async () => {
    const topic = await topicWith({ 'max.message.bytes': String(LIMIT) })
    const batch = recordBatch([{ value: '0'.repeat(200 * 1024) }], { gzip: true })
    expect(batch.length).toBeLessThan(LIMIT)
    expect(await errorOf(topic, batch)).toBe(0)
    const read = await fetch(client, topic, 0)
    expect(read['records'].subarray(61)).toEqual(batch.subarray(61))
  })

  test('the limit is accepted, one byte more is not', async () => {
    const topic = await topicWith({ 'max.message.bytes': String(LIMIT) })
    const overhead = recordBatch([{ value: 'x'.repeat(30_000) }]).length - 30_000
    const batchOf = (size: number) => recordBatch([{ value: 'x'.repeat(size - overhead) }])
    expect(batchOf(LIMIT)).toHaveLength(LIMIT)
    expect(await errorOf(topic, batchOf(LIMIT + 1))).toBe(10)
    expect(await errorOf(topic, batchOf(LIMIT))).toBe(0)
  })
})

test('a damaged batch is refused with 2, whichever byte is wrong; null records with 87', async () => {
  const topic = await topicWith()
  const good = recordBatch(recordsOf(3))
  // The leader epoch, bytes 12 to 15, is the broker's to write.
  for (let at = 16; at < good.length; at += 5) {
    const batch = Buffer.from(good)
    batch[at]! ^= 0x5a
    expect([at, await errorOf(topic, batch)]).toEqual([at, 2])
  }
  expect(await errorOf(topic, null)).toBe(87)
  expect(await endOf(topic)).toBe(0)
})

test('the same partition twice in ListOffsets: 42 for it, answers for the others', async () => {
  const topic = await topicWith()
  const partitions = [
    { partitionIndex: 0, currentLeaderEpoch: -1, timestamp: -1 },
    { partitionIndex: 5, currentLeaderEpoch: -1, timestamp: -1 },
    { partitionIndex: 0, currentLeaderEpoch: -1, timestamp: -2 },
  ]
  for (const version of [1, 4, 7, 11]) {
    const answer = await client.call('ListOffsets', version, {
      replicaId: -1,
      topics: [{ name: topic, partitions }],
    })
    const codes = new Map<number, number>()
    for (const partition of answer['topics'][0].partitions) {
      codes.set(partition.partitionIndex, partition.errorCode)
    }
    expect([...codes].sort()).toEqual([
      [0, 42],
      [5, 3],
    ])
  }
})

describe('idempotence', () => {
  async function newProducer(): Promise<(sequence: number, more?: BatchOptions) => Buffer> {
    const answer = await client.call('InitProducerId', 1, { transactionTimeoutMs: 1000 })
    expect(answer['errorCode']).toBe(0)
    return (baseSequence, more = {}) =>
      recordBatch(recordsOf(5), {
        producerId: answer['producerId'],
        producerEpoch: answer['producerEpoch'],
        baseSequence,
        ...more,
      })
  }

  const outcome = async (topic: string, batch: Buffer, version = 9) => {
    const answer = await produce(client, topic, Buffer.from(batch), { version })
    return [answer['errorCode'], Number(answer['baseOffset'])]
  }

  test('a repeated batch has its first offset and is not written again', async () => {
    const topic = await topicWith()
    const batch = await newProducer()
    for (const sequence of [0, 5, 10, 15, 20]) {
      expect(await outcome(topic, batch(sequence))).toEqual([0, sequence])
      for (const earlier of [0, sequence]) {
        expect(await outcome(topic, batch(earlier))).toEqual([0, earlier])
      }
    }
    expect(await endOf(topic)).toBe(25)
    expect((await outcome(topic, batch(30)))[0]).toBe(45)
    expect(await endOf(topic)).toBe(25)
    expect(await outcome(topic, batch(25))).toEqual([0, 25])
    expect(await outcome(topic, batch(0))).toEqual([45, -1])
  })

  async function restarted(end: () => Promise<unknown>): Promise<void> {
    await end()
    client.close()
    await broker.restart()
    client = await RawClient.connect(broker.port)
  }

  test('the same over kill -9 and over clean restarts', async () => {
    const topic = await topicWith()
    const batch = await newProducer()
    await outcome(topic, batch(0))
    await outcome(topic, batch(5))
    await restarted(() => broker.kill())
    expect(await outcome(topic, batch(0))).toEqual([0, 0])
    expect(await outcome(topic, batch(5))).toEqual([0, 5])
    for (let round = 0; round < 2; round++) {
      await restarted(() => broker.stop())
      // Of each producer, Kafka's snapshot files hold the last batch only.
      expect(await outcome(topic, batch(5))).toEqual([0, 5])
      expect(await outcome(topic, batch(15))).toEqual([45, -1])
      expect(await endOf(topic)).toBe(10)
    }
    expect(await outcome(topic, batch(10))).toEqual([0, 10])
    const read = await fetch(client, topic, 0)
    expect(batchesOf(read['records']).map(each => Number(each.baseOffset))).toEqual([0, 5, 10])
  })

  test('a batch that was sent but never answered before kill -9 is written once', async () => {
    const topic = await topicWith()
    const batch = await newProducer()
    await outcome(topic, batch(0))
    client.send(encodeRequest('Produce', 9, produceBody(topic, batch(5))))
    await restarted(() => broker.kill())
    expect(await outcome(topic, batch(5))).toEqual([0, 5])
    expect(await endOf(topic)).toBe(10)
  })

  test.each([-1n, 0n, BigInt(NOW) - 40n * 86_400_000n])(
    'a client whose records say time %s goes on producing',
    async time => {
      const topic = await topicWith()
      const batch = await newProducer()
      for (let sequence = 0; sequence < 100; sequence += 5) {
        const times = { baseTimestamp: time, maxTimestamp: time }
        expect(await outcome(topic, batch(sequence, times))).toEqual([0, sequence])
      }
    },
  )

  test('the year 2100 is no trouble where the topic allows it, and else refused as such', async () => {
    const future = { baseTimestamp: 4_102_444_800_000n, maxTimestamp: 4_102_444_800_000n }
    const strict = await topicWith()
    const batch = await newProducer()
    expect(await outcome(strict, batch(0, future))).toEqual([32, -1])
    expect(await outcome(strict, batch(0))).toEqual([0, 0])
    const lax = await topicWith({ 'message.timestamp.after.max.ms': '9223372036854775807' })
    for (let sequence = 0; sequence < 50; sequence += 5) {
      expect(await outcome(lax, batch(sequence, future))).toEqual([0, sequence])
    }
  })
})

test('transactional batches are refused by name, with and without a transactional id', async () => {
  const topic = await topicWith()
  const transactional = { attributes: 16, producerId: 1n, producerEpoch: 0, baseSequence: 0 }
  const batch = recordBatch(recordsOf(1), transactional)
  expect(await errorOf(topic, batch)).toBe(53)
  const named = await produce(client, topic, batch, { transactionalId: 'tx' })
  expect(named['errorCode']).toBe(48)
  expect(named['errorMessage']).toMatch(/does not support transactions yet/)
  expect(await endOf(topic)).toBe(0)
})
