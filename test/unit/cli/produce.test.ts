/** Protects how lines become records, which settings the producer's tools know, and the lines of the perf test. */
import { expect, test } from 'vitest'
import { LineReader } from '../../../src/cli/produce/line-reader.js'
import { PerfStatistics } from '../../../src/cli/produce/perf-statistics.js'
import { parsePairs, producerOptions } from '../../../src/cli/produce/producer-properties.js'

const reader = (properties: Record<string, string>) =>
  new LineReader(new Map(Object.entries(properties)))

test('a line is a value, with a key and headers where they are asked for', () => {
  expect(reader({}).read('a\tb')).toEqual({ key: null, value: 'a\tb', headers: [] })
  const keyed = reader({ 'parse.key': 'true', 'key.separator': '::' })
  expect(keyed.read('k::v::w')).toEqual({ key: 'k', value: 'v::w', headers: [] })
  expect(() => keyed.read('no key')).toThrow(/No key separator found on line number 2/)
  const full = reader({
    'parse.headers': 'true',
    'parse.key': 'TRUE',
    'key.separator': '|',
    'null.marker': 'NULL',
  })
  expect(full.read('h1:x,h2:NULL\tk|NULL')).toEqual({
    key: 'k',
    value: null,
    headers: [
      ['h1', 'x'],
      ['h2', null],
    ],
  })
  expect(full.read('NULL\tNULL|v')).toEqual({ key: null, value: 'v', headers: [] })
  expect(() => full.read('bad\tk|v')).toThrow(/header key separator found in pair 'bad'/)
  const lenient = reader({ 'parse.key': 'true', 'ignore.error': 'true' })
  expect(lenient.read('no key')).toEqual({ key: null, value: 'no key', headers: [] })
})

test('separators that cannot be told apart are refused', () => {
  expect(() => reader({ 'headers.separator': ':' })).toThrow(
    /headers.separator and headers.key.separator/,
  )
  expect(() => reader({ 'parse.key': 'true', 'parse.headers': 'true' })).toThrow(/key.separator/)
  expect(() => reader({ 'key.separator': '' })).toThrow(/empty/)
})

test('Kafka’s names become options; what the client does not know is named; transactions are refused', () => {
  const pairs = [
    'linger.ms=10',
    'acks=1',
    'enable.idempotence=false',
    'key.serializer=x.Y',
    'client.id=c=d',
  ]
  expect(producerOptions(parsePairs('--command-property', pairs))).toEqual({
    options: { lingerMs: 10, acks: 1, enableIdempotence: false, clientId: 'c=d' },
    unused: ['key.serializer'],
  })
  expect(() => parsePairs('--x', ['nonsense'])).toThrow(/key=value/)
  expect(() => producerOptions(new Map([['linger.ms', 'soon']]))).toThrow(/whole number/)
  expect(() => producerOptions(new Map([['transactional.id', 't']]))).toThrow(/not built yet/)
  expect(() => producerOptions(new Map([['security.protocol', 'SSL']]))).toThrow(/PLAINTEXT/)
})

test('the lines of the perf test are Kafka’s', () => {
  const lines: string[] = []
  const statistics = new PerfStatistics(3, 1000, 0, line => lines.push(line))
  statistics.record(1, 1024 * 1024, 500)
  statistics.record(3, 1024 * 1024, 1000)
  statistics.record(8, 1024 * 1024, 1500)
  statistics.printTotal(2000)
  expect(lines).toEqual([
    '2 records sent, 2.0 records/sec (2.00 MB/sec), 2.0 ms avg latency, 3.0 ms max latency.',
    '3 records sent, 1.500000 records/sec (1.50 MB/sec), 4.00 ms avg latency, 8.00 ms max latency, ' +
      '3 ms 50th, 8 ms 95th, 8 ms 99th, 8 ms 99.9th.',
  ])
})
