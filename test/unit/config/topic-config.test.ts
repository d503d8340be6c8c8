/** Protects: precedence of topic over broker over default, and Kafka's own words for refused settings. */
import { expect, test } from 'vitest'
import { loadBrokerConfig } from '../../../src/config/load-broker-config.js'
import { TopicConfigs } from '../../../src/config/topic-config.js'

const topicsOf = (properties: Record<string, string> = {}) =>
  new TopicConfigs(loadBrokerConfig({ properties }))

test('a topic setting wins over the broker’s, which wins over the default', () => {
  const topics = topicsOf({ 'log.segment.bytes': '2097152', 'acks.all.flush': 'never' })
  expect(topics.defaults.get('segment.bytes')).toBe(2097152)
  expect(topics.defaults.get('acks.all.flush')).toBe('never')
  expect(topics.of([['segment.bytes', ' 4194304 ']]).get('segment.bytes')).toBe(4194304)
  expect(topics.defaults.get('index.interval.bytes')).toBe(4096)
})

test.each<[Record<string, string>, bigint]>([
  [{}, 604800000n],
  [{ 'log.retention.hours': '1' }, 3600000n],
  [{ 'log.retention.hours': '1', 'log.retention.minutes': '2' }, 120000n],
  [{ 'log.retention.minutes': '2', 'log.retention.ms': '3' }, 3n],
  [{ 'log.retention.hours': '-1' }, -1n],
])('retention.ms under %o', (properties, expected) => {
  expect(topicsOf(properties).defaults.get('retention.ms')).toBe(expected)
})

test('segment age, jitter and flush time have the same precedence', () => {
  const hours = topicsOf({ 'log.roll.hours': '2', 'log.roll.jitter.hours': '1' }).defaults
  expect([hours.get('segment.ms'), hours.get('segment.jitter.ms')]).toEqual([7200000n, 3600000n])
  const ms = topicsOf({ 'log.roll.ms': '5', 'log.roll.jitter.ms': '6', 'log.roll.hours': '2' })
  expect(ms.defaults.get('segment.ms')).toBe(5n)
  expect(ms.defaults.get('segment.jitter.ms')).toBe(6n)
  expect(topicsOf({ 'log.flush.scheduler.interval.ms': '9' }).defaults.get('flush.ms')).toBe(9n)
})

/** The messages are those that Apache Kafka 4.4 answered to the same settings. */
test.each<[Record<string, string | null>, string | undefined]>([
  [{ 'cleanup.policy': 'compact, delete' }, undefined],
  [{ 'cleanup.policy': '' }, undefined],
  [{ 'retention.bytes': '-5' }, undefined],
  [{ 'segment.bytes': ' 2000000 ' }, undefined],
  [{ 'leader.replication.throttled.replicas': '*' }, undefined],
  [{ foo: '1' }, 'Unknown topic config name: foo'],
  [{ 'segment.bytes': null }, 'Null value not supported for topic configs: segment.bytes'],
  [
    { 'segment.bytes': '10' },
    'Invalid value 10 for configuration segment.bytes: Value must be at least 1048576',
  ],
  [
    { 'segment.bytes': 'abc' },
    'Invalid value abc for configuration segment.bytes: Not a number of type INT',
  ],
  [
    { 'cleanup.policy': 'foo' },
    'Invalid value foo for configuration cleanup.policy: String must be one of: compact, delete',
  ],
  [
    { preallocate: 'maybe' },
    'Invalid value maybe for configuration preallocate: Expected value to be either true or false',
  ],
  [
    { 'compression.gzip.level': '0' },
    'Invalid value 0 for configuration compression.gzip.level: ' +
      'Value must be between 1 and 9 or equal to -1',
  ],
  [
    { 'min.cleanable.dirty.ratio': '2' },
    'Invalid value 2.0 for configuration min.cleanable.dirty.ratio: Value must be no more than 1',
  ],
  [
    { 'follower.replication.throttled.replicas': 'a' },
    'Invalid value [a] for configuration follower.replication.throttled.replicas: ' +
      "follower.replication.throttled.replicas must be the literal '*' or a list of replicas in " +
      'the following format: [partitionId]:[brokerId],[partitionId]:[brokerId],...',
  ],
  [
    { 'max.compaction.lag.ms': '5', 'min.compaction.lag.ms': '10' },
    'conflict topic config setting min.compaction.lag.ms (10) > max.compaction.lag.ms (5)',
  ],
  [
    { 'remote.storage.enable': 'true' },
    'Tiered Storage functionality is disabled in the broker. ' +
      'Topic cannot be configured with remote log storage.',
  ],
])('%o', (overrides, message) => {
  expect(topicsOf().violation(Object.entries(overrides))).toBe(message)
})

test('stored settings that are unknown or invalid are left out, not fatal', () => {
  const topic = topicsOf().of([
    ['from.the.future', '1'],
    ['segment.ms', 'x'],
    ['retention.ms', '7'],
  ])
  expect([topic.get('retention.ms'), topic.get('segment.ms')]).toEqual([7n, 604800000n])
})
