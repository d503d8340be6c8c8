/** Connections that break at the worst moments: every record arrives exactly once and in order. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Cluster } from '../../src/client/cluster/cluster.js'
import { Producer } from '../../src/client/producer/producer.js'
import type { ProducerOptions } from '../../src/client/producer/producer-options.js'
import { type Fault, faultyTransport } from './faulty-transport.js'
import { createTopic, readPartition } from './read-topic.js'
import { type Target, startTarget } from './target.js'

let target: Target
let cluster: Cluster
beforeAll(async () => {
  target = await startTarget()
  cluster = new Cluster({ bootstrapServers: target.bootstrapServers })
})
afterAll(async () => {
  cluster.close()
  await target.close()
})

async function produceThrough(
  faultOf: (request: number) => Fault,
  options: Partial<ProducerOptions> = {},
  onSettled = () => {},
) {
  const topic = target.topic('faults')
  await createTopic(cluster, topic)
  const producer = new Producer({
    bootstrapServers: target.bootstrapServers,
    transport: faultyTransport(faultOf),
    batchSize: 200,
    lingerMs: 0,
    retryBackoffMs: 10,
    ...options,
  })
  const sent = Array.from({ length: 200 }, (_, i) => producer.send({ topic, value: `${i}` }))
  const results = await Promise.allSettled(sent)
  onSettled()
  // What answers late to the last of the faults may cost this a try, and its timeout may be short.
  const after = await producer
    .send({ topic, value: 'after' })
    .catch(() => producer.send({ topic, value: 'after' }))
  const metrics = producer.metrics()
  await producer.close()
  const records = await readPartition(target.bootstrapServers, topic, 0, Number(after.offset) + 1)
  return { results, metrics, values: records.map(r => r.value!.toString()) }
}

const expected = [...Array.from({ length: 200 }, (_, i) => `${i}`), 'after']

test.each(['loseAnswer', 'loseRequest'] as const)(
  'each record is there once and in order, whatever breaks: %s',
  async fault => {
    const { results, metrics, values } = await produceThrough(n => (n % 5 === 2 ? fault : 'none'))
    expect(results.every(({ status }) => status === 'fulfilled')).toBe(true)
    expect(values).toEqual(expected)
    expect(metrics.retries).toBeGreaterThan(0)
  },
)

test('both faults in turn, compressed, with one request in flight', async () => {
  const faults: Fault[] = ['none', 'loseAnswer', 'loseRequest']
  const { values } = await produceThrough(n => faults[n % 7] ?? 'none', {
    maxInFlightRequestsPerConnection: 1,
    compressionType: 'gzip',
  })
  expect(values).toEqual(expected)
})

test('offsets that were promised are the offsets where the records lie', async () => {
  const { results, values } = await produceThrough(n => (n % 4 === 1 ? 'loseAnswer' : 'none'))
  for (const [index, result] of results.entries()) {
    if (result.status !== 'fulfilled') throw result.reason as Error
    const { offset } = result.value
    // A batch that an earlier try had written long ago may come without its offset.
    if (offset >= 0n) expect(values[Number(offset)]).toBe(`${index}`)
  }
})

test('after the delivery timeout the rest goes on under a new epoch, without duplicates', async () => {
  let isBroken = true
  const { results, values } = await produceThrough(
    () => (isBroken ? 'loseAnswer' : 'none'),
    { deliveryTimeoutMs: 700, requestTimeoutMs: 500, retryBackoffMs: 50, maxBlockMs: 60_000 },
    () => (isBroken = false),
  )
  expect(results.every(({ status }) => status === 'rejected')).toBe(true)
  expect(values.at(-1)).toBe('after')
  const numbers = values.filter(value => value !== 'after')
  expect(new Set(numbers).size).toBe(numbers.length)
})
