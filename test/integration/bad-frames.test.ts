/** What strangers, broken clients and attackers send: it costs their connection and a line in the log, nothing else. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BrokerProcess } from '../support/broker-process.js'
import { createTopic, produceBody } from '../support/partition-calls.js'
import { encodeRequest, framed, RawClient } from '../support/raw-client.js'
import { recordBatch, recordsOf } from '../support/record-batch-bytes.js'

const MIB = 1 << 20
let broker: BrokerProcess
let client: RawClient

beforeAll(async () => {
  broker = await BrokerProcess.start()
  client = await RawClient.connect(broker.port)
  expect(await createTopic(client, 'orders')).toBe(0)
})

afterAll(async () => {
  client.close()
  await broker.remove()
})

function residentBytes(): number {
  const status = readFileSync(`/proc/${broker.pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)![1]) * 1024
}

async function expectServed(): Promise<void> {
  expect((await client.call('Metadata', 5, { topics: [] }))['brokers']).toHaveLength(1)
}

function sized(size: number, ...content: number[]): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(size)
  return Buffer.concat([bytes, Buffer.from(content)])
}

const BAD: [string, Buffer][] = [
  ['HTTP', Buffer.from('GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n')],
  ['TLS', Buffer.from([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3])],
  ['a negative size', sized(-1)],
  ['the most negative size', sized(-(2 ** 31))],
  ['size 0', sized(0)],
  ['one byte more than allowed', sized(100 * MIB + 1)],
  ['2 GiB', sized(2 ** 31 - 1)],
]

test.each(BAD)('%s: closed without an answer', async (_, bytes) => {
  const other = await RawClient.connect(broker.port)
  other.send(bytes)
  expect(await other.closedSilently()).toBe(true)
  await expectServed()
})

test('the log says what came, in one line however often it comes', async () => {
  for (let i = 0; i < 50; i++) {
    const other = await RawClient.connect(broker.port)
    other.send(BAD[0]![1])
    expect(await other.closedSilently()).toBe(true)
  }
  expect(broker.output.match(/looks like an HTTP request/g)).toHaveLength(1)
})

test('what is cut short anywhere waits for its rest, and a close in between harms nobody', async () => {
  const whole = encodeRequest('Produce', 9, produceBody('orders', recordBatch(recordsOf(1))))
  for (let cut = 1; cut < whole.length; cut += 3) {
    const other = await RawClient.connect(broker.port)
    other.send(whole.subarray(0, cut))
    other.close()
  }
  await expectServed()
})

test('a body cut short inside its frame closes the connection', async () => {
  const whole = encodeRequest('Produce', 9, produceBody('orders', recordBatch(recordsOf(1))))
  for (let cut = 4; cut < whole.length - 1; cut += 4) {
    const other = await RawClient.connect(broker.port)
    other.send(framed(whole.subarray(4, cut)))
    expect([cut, await other.closedSilently()]).toEqual([cut, true])
  }
  await expectServed()
})

test('connections that announce 100 MiB and send a little cost what they sent', async () => {
  const before = residentBytes()
  const others = await Promise.all(Array.from({ length: 50 }, () => RawClient.connect(broker.port)))
  const start = encodeRequest('Produce', 9, produceBody('orders', recordBatch(recordsOf(1))))
  for (let round = 0; round < 10; round++) {
    for (const other of others) {
      other.send(round === 0 ? sized(100 * MIB, ...start.subarray(4)) : Buffer.from([round]))
    }
    await new Promise(resolve => setTimeout(resolve, 30))
  }
  await expectServed()
  expect(others.some(other => other.ended)).toBe(false)
  expect(residentBytes() - before).toBeLessThan(64 * MIB)
  for (const other of others) other.close()
})

test('counts that promise more than the frame holds take no memory', async () => {
  const before = residentBytes()
  const liars = [
    encodeRequest('Metadata', 5, { topics: [] }),
    encodeRequest('Produce', 7, { topicData: [] }),
    encodeRequest('Fetch', 11, { topics: [] }),
    encodeRequest('ListOffsets', 5, { topics: [] }),
  ]
  // The empty array of each, made as long as an int32 can say.
  const places = [17, 17 + 8, 17 + 25, 17 + 5]
  for (const [i, liar] of liars.entries()) {
    const other = await RawClient.connect(broker.port)
    expect(liar.readInt32BE(places[i])).toBe(0)
    liar.writeInt32BE(0x7fffffff, places[i])
    other.send(liar)
    expect(await other.closedSilently()).toBe(true)
  }
  await expectServed()
  expect(residentBytes() - before).toBeLessThan(32 * MIB)
})
