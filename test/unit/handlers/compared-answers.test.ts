/** Protects answers that the comparison with Apache Kafka (test/peers/request-diff) corrected. */
import { expect, test } from 'vitest'
import { alterPartitionReassignmentsHandler } from '../../../src/handlers/alter-partition-reassignments.js'
import { brokerOperationProblem } from '../../../src/metadata/config-changes.js'
import {
  AlterPartitionReassignmentsRequest,
  AlterPartitionReassignmentsResponse,
} from '../../../src/protocol/messages/alter-partition-reassignments.js'
import { assignmentViolation } from '../../../src/replication/new-topic.js'
import { ask, cluster, topicView, topicsView } from './fakes.js'

const topics = topicsView(topicView('orders', 2))

test('AlterPartitionReassignments of nothing has an empty message', async () => {
  const handler = alterPartitionReassignmentsHandler({ cluster, topics })
  const schemas = [AlterPartitionReassignmentsRequest, AlterPartitionReassignmentsResponse] as const
  expect((await ask(schemas, handler, 1, { topics: [] })).errorMessage).toBe('')
})

test('manual assignments: of several mistakes the one at the smallest broker id is named', () => {
  expect(assignmentViolation([1, 1, 2], undefined, [1])).toMatch(/broker 1 more than once/)
  expect(assignmentViolation([1, 0, 1], undefined, [1])).toMatch(/includes broker 0, but no such/)
})

test('operations on brokers are looked at before they are applied', () => {
  const typeOf = (name: string) => ({ 'log.dirs': 'list', 'broker.id': 'int' })[name]
  const problem = (name: string, configOperation: number) =>
    brokerOperationProblem([{ name, configOperation, value: '1' }], typeOf)
  expect(problem('log.dirs', 2)).toBeNull()
  expect(problem('broker.id', 0)).toBeNull()
  expect(problem('broker.id', 2)?.errorMessage).toMatch(/append is not allowed for config key/)
  expect(problem('what', 3)?.errorMessage).toBe('Unknown config name: what')
  expect(problem('broker.id', 4)).toEqual({
    errorCode: 42,
    errorMessage: 'Unknown operations type 4',
  })
})
