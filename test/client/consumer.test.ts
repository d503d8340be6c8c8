/** The consumer against a real broker: by hand and in groups of both protocols, what is read, kept and handed over. */
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { Cluster } from '../../src/client/cluster/cluster.js'
import type { ConsumerOptions } from '../../src/client/consumer/consumer-options.js'
import type { ConsumerRecord } from '../../src/client/consumer/consumer-record.js'
import { Consumer } from '../../src/client/consumer/consumer.js'
import { Producer } from '../../src/client/producer/producer.js'
import { ConsumerGroupHeartbeatRequest } from '../../src/protocol/messages/consumer-group-heartbeat.js'
import { createTopic } from './read-topic.js'
import { type Target, startTarget } from './target.js'

/** A member that a slow machine fences waits for a session to end before it reads again. */
vi.setConfig({ testTimeout: 150_000 })

let target: Target
let cluster: Cluster
let producer: Producer
let servesConsumerProtocol = false
const open: Consumer[] = []

beforeAll(async () => {
  target = await startTarget({ 'group.initial.rebalance.delay.ms': '0' })
  cluster = new Cluster({ bootstrapServers: target.bootstrapServers })
  producer = new Producer({ bootstrapServers: target.bootstrapServers, lingerMs: 0 })
  servesConsumerProtocol = await target.serves(ConsumerGroupHeartbeatRequest)
})
afterEach(async () => {
  await Promise.all(open.splice(0).map(consumer => consumer.close()))
})
afterAll(async () => {
  await producer.close()
  cluster.close()
  await target.close()
})

function consumerOf(options: Partial<ConsumerOptions> = {}): Consumer {
  const consumer = new Consumer({
    bootstrapServers: target.bootstrapServers,
    autoOffsetReset: 'earliest',
    ...options,
  })
  open.push(consumer)
  return consumer
}

async function topicWith(count: number, partitions = 1): Promise<string> {
  const topic = target.topic('consume')
  await createTopic(cluster, topic, partitions)
  await fill(topic, count, partitions)
  return topic
}

async function fill(topic: string, count: number, partitions = 1, from = 0): Promise<void> {
  await Promise.all(
    Array.from({ length: count }, (_, i) =>
      producer.send({ topic, partition: (from + i) % partitions, value: String(from + i) }),
    ),
  )
}

async function readUntil(consumer: Consumer, count: number): Promise<ConsumerRecord[]> {
  const records: ConsumerRecord[] = []
  for (let i = 0; i < 200 && records.length < count; i++)
    records.push(...(await consumer.poll(500)))
  expect(records).toHaveLength(count)
  return records
}

const values = (records: readonly ConsumerRecord[]) => records.map(r => r.value!.toString())
const numbers = (count: number, from = 0) =>
  Array.from({ length: count }, (_, i) => String(from + i))

describe('by hand', () => {
  test('reads in order from the first record, pages by maxPollRecords, and knows its lag', async () => {
    const topic = await topicWith(10)
    const consumer = consumerOf({ maxPollRecords: 4 })
    const partition = { topic, partition: 0 }
    consumer.assign([partition])
    const first = await readUntil(consumer, 4)
    expect(values(first)).toEqual(numbers(4))
    expect(await consumer.position(partition)).toBe(4n)
    expect(consumer.lag(partition)).toBe(6n)
    expect(values(await readUntil(consumer, 6))).toEqual(numbers(6, 4))
  })

  test('seeks to offsets, ends and times; pauses and resumes', async () => {
    const topic = await topicWith(6)
    const consumer = consumerOf({ autoOffsetReset: 'latest' })
    const partition = { topic, partition: 0 }
    consumer.assign([partition])
    expect(await consumer.position(partition)).toBe(6n)
    consumer.seek(partition, 2n)
    expect(values(await readUntil(consumer, 4))).toEqual(numbers(4, 2))
    consumer.seekToBeginning()
    consumer.pause([partition])
    expect(await consumer.poll(300)).toEqual([])
    expect(consumer.paused()).toEqual([partition])
    consumer.resume([partition])
    expect(values(await readUntil(consumer, 6))).toEqual(numbers(6))
    consumer.seekToTime(Date.now() + 3_600_000)
    expect(await consumer.position(partition)).toBe(6n)
    consumer.seekToTime(0)
    expect(await consumer.position(partition)).toBe(0n)
  })

  test('an offset beyond the log is reset by the policy, or told where there is none', async () => {
    const topic = await topicWith(3)
    const lenient = consumerOf()
    lenient.assign([{ topic, partition: 0 }])
    lenient.seek({ topic, partition: 0 }, 99n)
    expect(values(await readUntil(lenient, 3))).toEqual(numbers(3))
    const strict = consumerOf({ autoOffsetReset: 'none' })
    strict.assign([{ topic, partition: 0 }])
    strict.seek({ topic, partition: 0 }, 99n)
    await expect(readUntil(strict, 1)).rejects.toMatchObject({ errorName: 'OFFSET_OUT_OF_RANGE' })
  })

  test('iterates; leaving the loop goes on behind the last record', async () => {
    const topic = await topicWith(5)
    const consumer = consumerOf()
    consumer.assign([{ topic, partition: 0 }])
    const seen: string[] = []
    for await (const record of consumer) {
      seen.push(record.value!.toString())
      if (seen.length === 2) break
    }
    for await (const { records } of consumer.batches()) {
      seen.push(...values(records))
      break
    }
    expect(seen).toEqual(numbers(5))
  })

  test('what needs a group, or a subscription, says so', async () => {
    const consumer = consumerOf()
    expect(() => consumer.subscribe(['t'])).toThrow(/groupId/)
    await expect(consumer.poll(0)).rejects.toThrow(/subscribe\(\) or assign\(\)/)
    await expect(consumer.commit()).rejects.toThrow(/groupId/)
    await consumer.close()
    expect(() => consumer.assign([])).toThrow(/closed/)
  })
})

describe.each(['classic', 'consumer'] as const)('in a %s group', groupProtocol => {
  const skipped = () => groupProtocol === 'consumer' && !servesConsumerProtocol
  const member = (groupId: string, options: Partial<ConsumerOptions> = {}) =>
    consumerOf({ groupId, groupProtocol, ...options })

  test('reads everything once, commits at close, and the next one goes on there', async () => {
    if (skipped()) return
    const topic = await topicWith(20, 2)
    const groupId = target.topic('group')
    const first = member(groupId)
    first.subscribe([topic])
    const records = await readUntil(first, 20)
    expect(values(records).sort()).toEqual(numbers(20).sort())
    await first.close()
    await fill(topic, 4, 2, 20)
    const second = member(groupId)
    second.subscribe([topic])
    expect(values(await readUntil(second, 4)).sort()).toEqual(numbers(4, 20))
    expect(await second.committed([{ topic, partition: 0 }])).toMatchObject([{ offset: 10n }])
  })

  test('without auto-commit only commits count', async () => {
    if (skipped()) return
    const topic = await topicWith(6)
    const groupId = target.topic('group')
    const first = member(groupId, { enableAutoCommit: false, maxPollRecords: 2 })
    first.subscribe([topic])
    await readUntil(first, 2)
    await first.commit()
    await readUntil(first, 2)
    await first.close()
    const second = member(groupId)
    second.subscribe([topic])
    expect(values(await readUntil(second, 4))).toEqual(numbers(4, 2))
  })

  test('two members share the partitions; when one leaves the other has all of them', async () => {
    if (skipped()) return
    const topic = await topicWith(0, 4)
    const groupId = target.topic('group')
    const events: string[] = []
    const one = member(groupId)
    const two = member(groupId)
    one.subscribe([topic], {
      onPartitionsAssigned: partitions => void events.push(`+${partitions.length}`),
      onPartitionsRevoked: partitions => void events.push(`-${partitions.length}`),
    })
    const until = async (holds: () => boolean): Promise<void> => {
      for (let i = 0; i < 240 && !holds(); i++) {
        await Promise.all([
          one.poll(250),
          two.subscription.length > 0 ? two.poll(250).catch(() => []) : null,
        ])
      }
      expect(holds()).toBe(true)
    }
    await until(() => one.assignment.length === 4)
    two.subscribe([topic])
    await until(() => one.assignment.length === 2 && two.assignment.length === 2)
    const owned = [...one.assignment, ...two.assignment].map(p => p.partition).sort()
    expect(owned).toEqual([0, 1, 2, 3])
    await two.close()
    await until(() => one.assignment.length === 4)
    expect(events[0]).toBe('+4')
    expect(events.some(event => event.startsWith('-'))).toBe(true)
  })

  test('new partitions and new topics of a pattern are read', async () => {
    if (skipped()) return
    const prefix = target.topic('pattern')
    await createTopic(cluster, `${prefix}-a`, 1)
    const consumer = member(target.topic('group'), { metadataMaxAgeMs: 500 })
    consumer.subscribe(new RegExp(`^${prefix}-`))
    for (let i = 0; i < 120 && consumer.assignment.length < 1; i++) await consumer.poll(250)
    await createTopic(cluster, `${prefix}-b`, 2)
    for (let i = 0; i < 120 && consumer.assignment.length < 3; i++) await consumer.poll(250)
    expect(consumer.assignment).toHaveLength(3)
    await fill(`${prefix}-b`, 2, 2)
    expect(values(await readUntil(consumer, 2)).sort()).toEqual(['0', '1'])
  })
})
