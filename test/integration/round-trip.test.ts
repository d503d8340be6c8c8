/**
 * What goes in comes out, with clients that we did not write: every codec, before and after a clean restart and a
 * kill -9. ROUND_TRIP_LINES sets the size for the fast clients (default 100,000; the full run is 1,000,000:
 * `ROUND_TRIP_LINES=1000000 ROUND_TRIP_SLOW_LINES=1000000 npx vitest run … round-trip`).
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BrokerProcess } from '../support/broker-process.js'
import {
  CODECS,
  type Codec,
  LinesFile,
  PRODUCERS,
  type ProducerName,
  readersThatDiffer,
} from '../support/round-trip.js'

const FAST: readonly ProducerName[] = ['kcat', 'confluent-kafka']
const SLOW: readonly ProducerName[] = ['kafka-python', 'KafkaJS']
const fastFile = new LinesFile(Number(process.env['ROUND_TRIP_LINES'] ?? 100_000))
const slowFile = new LinesFile(Number(process.env['ROUND_TRIP_SLOW_LINES'] ?? 10_000))
const HOUR = 3_600_000

let broker: BrokerProcess
let fastSum: string
let slowSum: string

const topicOf = (producer: string, codec: Codec): string => `${producer}-${codec}`

beforeAll(async () => {
  broker = await BrokerProcess.start()
  fastSum = await fastFile.write()
  slowSum = await slowFile.write()
}, HOUR)

afterAll(async () => {
  await broker.remove()
  fastFile.remove()
  slowFile.remove()
})

for (const codec of CODECS) {
  for (const producer of [...FAST, ...SLOW]) {
    test(`${producer} produces ${codec}, kcat reads the same`, { timeout: HOUR }, async () => {
      const file = FAST.includes(producer) ? fastFile : slowFile
      const topic = topicOf(producer, codec)
      await PRODUCERS[producer](broker.bootstrapServers, topic, codec, file.path, file.lines)
      const sum = FAST.includes(producer) ? fastSum : slowSum
      expect(await readersThatDiffer(broker, topic, file, sum, ['kcat'])).toEqual([])
    })
  }
}

test('after a clean restart every client reads the same', { timeout: HOUR }, async () => {
  expect(await broker.stop()).toBe(0)
  await broker.restart()
  expect(await readAll()).toEqual([])
})

test('after kill -9 every client reads the same', { timeout: HOUR }, async () => {
  await broker.kill()
  await broker.restart()
  expect(await readAll()).toEqual([])
})

async function readAll(): Promise<string[]> {
  const differing: string[] = []
  for (const codec of CODECS) {
    for (const producer of FAST) {
      const topic = topicOf(producer, codec)
      const readers =
        producer === 'kcat' ? (['kcat', 'confluent-kafka'] as const) : (['kcat'] as const)
      differing.push(...(await readersThatDiffer(broker, topic, fastFile, fastSum, readers)))
    }
    for (const producer of SLOW) {
      const topic = topicOf(producer, codec)
      const readers =
        producer === 'kafka-python' ? (['kafka-python'] as const) : (['kcat'] as const)
      differing.push(...(await readersThatDiffer(broker, topic, slowFile, slowSum, readers)))
    }
  }
  return differing
}
