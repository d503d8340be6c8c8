/** Protects the columns of `topics --describe` and which option combinations are refused. */
import { expect, test } from 'vitest'
import { linesOf } from '../../../src/cli/topics/describe.js'
import { topics } from '../../../src/cli/topics/topics.js'

const TOPIC = {
  topic: 'p1',
  topicId: 'GjIhlSdCQoKtu0jbPD0L9g',
  configs: [
    { name: 'cleanup.policy', value: 'compact' },
    { name: 'retention.ms', value: '5' },
  ],
  partitions: [
    { partition: 0, leader: 1, replicas: [1, 2], isr: [1, 2], elr: [], lastKnownElr: [] },
    { partition: 1, leader: null, replicas: [1, 2], isr: [2], elr: [1], lastKnownElr: null },
  ],
}

const FIRST = '\tTopic: p1\tPartition: 0\tLeader: 1\tReplicas: 1,2\tIsr: 1,2\tElr: \tLastKnownElr: '
const SECOND =
  '\tTopic: p1\tPartition: 1\tLeader: none\tReplicas: 1,2\tIsr: 2\tElr: 1\tLastKnownElr: N/A'
const HEAD =
  'Topic: p1\tTopicId: GjIhlSdCQoKtu0jbPD0L9g\tPartitionCount: 2\tReplicationFactor: 2\t' +
  'Configs: cleanup.policy=compact,retention.ms=5'

test('lines are those of kafka-topics', () => {
  expect(linesOf(TOPIC, {})).toEqual([HEAD, FIRST, SECOND])
})

test('filters leave the partitions they name, without the head line', () => {
  expect(linesOf(TOPIC, { unavailablePartitions: true })).toEqual([SECOND])
  expect(linesOf(TOPIC, { underReplicatedPartitions: true })).toEqual([SECOND])
  expect(linesOf(TOPIC, { topicsWithOverrides: true })).toEqual([HEAD])
  expect(linesOf({ ...TOPIC, configs: [] }, { topicsWithOverrides: true })).toEqual([])
})

test.each([
  [{}, /exactly one action/],
  [{ list: true, create: true, topic: 't' }, /exactly one action/],
  [{ create: true }, /needs --topic/],
  [{ list: true, partitions: '3' }, /--partitions cannot be used with --list/],
  [{ delete: true, topic: 't', config: ['a=b'] }, /--config can only be used with --create/],
  [{ list: true, ifExists: true }, /--if-exists cannot be used with --list/],
])('refused before anything is sent: %o', async (options, message) => {
  await expect(topics({ config: [], ...options })).rejects.toThrow(message)
})

test('a missing bootstrap server is told with an example', async () => {
  await expect(topics({ config: [], list: true })).rejects.toThrow(/127\.0\.0\.1:9092/)
})
