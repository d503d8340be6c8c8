/** Protects which topics may be created, with Kafka's codes, and where their replicas are placed. */
import { expect, test } from 'vitest'
import { type NewTopic, replicasOf } from '../../../src/replication/new-topic.js'

const DEFAULTS = { numPartitions: 2, replicationFactor: 1, brokerIds: [1] }

function topic(overrides: Partial<NewTopic>): NewTopic {
  const plain = { numPartitions: -1, replicationFactor: -1, assignments: [], configs: [] }
  return { name: 't', ...plain, ...overrides }
}

const manual = (...lists: [number, number[]][]) =>
  topic({
    assignments: lists.map(([partitionIndex, brokerIds]) => ({ partitionIndex, brokerIds })),
  })

test('counts of -1 take the defaults, others are taken as given', () => {
  expect(replicasOf(topic({}), DEFAULTS)).toEqual([[1], [1]])
  expect(replicasOf(topic({ numPartitions: 3, replicationFactor: 1 }), DEFAULTS)).toEqual([
    [1],
    [1],
    [1],
  ])
  expect(replicasOf(manual([1, [1]], [0, [1]]), DEFAULTS)).toEqual([[1], [1]])
})

test.each([
  [topic({ numPartitions: 0 }), 37],
  [topic({ numPartitions: -2 }), 37],
  [topic({ replicationFactor: 0 }), 38],
  [topic({ replicationFactor: 3 }), 38],
  [manual([0, []]), 39],
  [manual([0, [9]]), 39],
  [manual([0, [1, 1]]), 39],
  [manual([0, [1]], [0, [1]]), 39],
  [manual([0, [1]], [2, [1]]), 39],
  [{ ...manual([0, [1]]), numPartitions: 1 }, 42],
  [{ ...manual([0, [1]]), replicationFactor: 1 }, 42],
])('refused: case %#', (wanted, errorCode) => {
  expect(replicasOf(wanted, DEFAULTS)).toMatchObject({ errorCode })
})

test('replicas of one topic must all be as many', () => {
  const result = replicasOf(manual([0, [1, 2]], [1, [1]]), { ...DEFAULTS, brokerIds: [1, 2] })
  expect(result).toMatchObject({ errorCode: 39 })
})
