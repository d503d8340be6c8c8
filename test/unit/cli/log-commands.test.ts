/** Protects what log-dirs, delete-records and get-offsets take and print: lines and refusals as those of Kafka's tools. */
import { expect, test } from 'vitest'
import { parseOffsetFile } from '../../../src/cli/delete-records/offset-file.js'
import { partitionFilterOf } from '../../../src/cli/get-offsets/partition-filter.js'
import { timestampOf } from '../../../src/cli/get-offsets/time.js'
import { jsonOf, selectBrokers } from '../../../src/cli/log-dirs/describe.js'

const PARTITIONS = ['a', 'ab', 'b'].flatMap(topic =>
  Array.from({ length: 6 }, (_, partition) => ({ topic, partition })),
)

function selected(options: Parameters<typeof partitionFilterOf>[0]): string {
  const isWanted = partitionFilterOf(options)
  return PARTITIONS.filter(({ topic, partition }) => isWanted(topic, partition))
    .map(({ topic, partition }) => `${topic}${partition}`)
    .join(' ')
}

test.each([
  [{ topicPartitions: 'a:1,b:0-2' }, 'a1 b0 b1'],
  [{ topicPartitions: 'ab:4-,b:-1' }, 'ab4 ab5 b0'],
  [{ topicPartitions: ':5' }, 'a5 ab5 b5'],
  [{ topicPartitions: 'b' }, 'b0 b1 b2 b3 b4 b5'],
  [{ topic: 'a.*', partitions: '0,9' }, 'a0 ab0'],
  [{ topic: 'a', partitions: '2' }, 'a2'],
])('%o is about %s', (options, expected) => {
  expect(selected(options)).toBe(expected)
})

test.each([
  [{ topicPartitions: 'a:x' }, /^Invalid rule specification: a:x$/],
  [{ topicPartitions: 'a', topic: 'a' }, /cannot be used with --topic or --partitions/],
  [{ partitions: '1,x' }, /expects a comma separated list of numeric partition ids/],
])('%o is refused', (options, message) => {
  expect(() => partitionFilterOf(options)).toThrow(message)
})

test('times are numbers or their names', () => {
  expect(['latest', 'earliest', 'max-timestamp', '-5', '17'].map(timestampOf)).toEqual([
    -1n,
    -2n,
    -3n,
    -5n,
    17n,
  ])
  expect(() => timestampOf('foo')).toThrow(/^Malformed time argument foo\. Please use -1 or latest/)
})

test('the file of offsets', () => {
  const text = '{"partitions":[{"topic":"t","partition":1,"offset":-1}],"version":1}'
  expect(parseOffsetFile(text)).toEqual([{ topic: 't', partition: 1, beforeOffset: -1n }])
})

test.each([
  ['x', /^The input string is not a valid JSON$/],
  ['{"version":3}', /^Not supported version field value 3$/],
  ['{}', /^Missing partitions field$/],
  ['{"partitions":[{"topic":"t","partition":0}]}', /offset must be an integer/],
  [
    JSON.stringify({ partitions: [0, 0].map(partition => ({ topic: 't', partition, offset: 1 })) }),
    /contains duplicate topic partitions: t-0$/,
  ],
])('the file of offsets %s is refused', (text, message) => {
  expect(() => parseOffsetFile(text)).toThrow(message)
})

test('log dirs are printed in the layout of kafka-log-dirs', () => {
  const partition = { partitionIndex: 1, partitionSize: 151n, offsetLag: 0n, isFutureKey: false }
  const space = { totalBytes: 5n, usableBytes: 4n, isCordoned: false }
  const topics = ['t', 'u'].map(name => ({ name, partitions: [partition] }))
  const results = [
    { errorCode: 0, logDir: '/a', topics, ...space },
    { errorCode: 56, logDir: '/b', topics: [], ...space },
  ]
  expect(jsonOf([{ broker: 1, results }], ['t'])).toMatch(
    '{"brokers":[{"broker":1,"logDirs":[{"partitions":[{"partition":"t-1","size":151,' +
      '"offsetLag":0,"isFuture":false}],"error":null,"logDir":"/a"},{"partitions":[],"error":' +
      '"KAFKA_STORAGE_ERROR: ',
  )
})

test('brokers that are not there are named', () => {
  const brokers = [2, 1].map(nodeId => ({ nodeId, host: 'h', port: 1, rack: null }))
  expect(selectBrokers({ brokers, topics: [] }, undefined).map(b => b.nodeId)).toEqual([1, 2])
  expect(() => selectBrokers({ brokers, topics: [] }, '2,7')).toThrow(
    'ERROR: The given brokers do not exist from --broker-list: 7. Current existent brokers: 1,2',
  )
})
