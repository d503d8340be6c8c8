/**
 * AlterPartitionReassignments v0-v1 (KIP-455): moves partitions between brokers; v1 may forbid another replication
 * factor. On one broker the only possible target is where they are: that is done at once, everything else is refused
 * as Kafka does, and there is never a reassignment to cancel (85).
 */
import { ErrorCode } from '../protocol/error-codes.js'
import type {
  AlterPartitionReassignmentsRequest,
  AlterPartitionReassignmentsResponse,
} from '../protocol/messages/alter-partition-reassignments.js'
import { assignmentViolation } from '../replication/new-topic.js'
import type { ApiHandler, RequestFailure } from './api-handler.js'
import type { BrokerServices } from './services.js'

const DONE: RequestFailure = { errorCode: ErrorCode.NONE, errorMessage: null }

export function alterPartitionReassignmentsHandler({
  cluster,
  topics,
}: Pick<BrokerServices, 'cluster' | 'topics'>): ApiHandler<
  typeof AlterPartitionReassignmentsRequest,
  typeof AlterPartitionReassignmentsResponse
> {
  const reassign = (name: string, { partitionIndex, replicas }: Reassignable): RequestFailure => {
    const topic = topics.topic(name)
    const errorCode = ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    if (topic === undefined) {
      return { errorCode, errorMessage: `Unable to find a topic named ${name}.` }
    }
    if (!topic.partitions.some(each => each.partitionIndex === partitionIndex)) {
      return { errorCode, errorMessage: `Unable to find partition ${name}:${partitionIndex}.` }
    }
    if (replicas === null) {
      return { errorCode: ErrorCode.NO_REASSIGNMENT_IN_PROGRESS, errorMessage: null }
    }
    const violation = assignmentViolation(replicas, undefined, [cluster.nodeId])
    if (violation === null) return DONE
    return { errorCode: ErrorCode.INVALID_REPLICA_ASSIGNMENT, errorMessage: violation }
  }
  return {
    handle: request => {
      // Kafka's answer to nothing has an empty message, any other has none.
      const whole = request.topics.length > 0 ? DONE : { ...DONE, errorMessage: '' }
      return answer(request, whole, reassign)
    },
    fail: (request, failure) => answer(request, failure, () => failure),
  }
}

type Reassignable = AlterPartitionReassignmentsRequest['topics'][number]['partitions'][number]

function answer(
  { topics, allowReplicationFactorChange }: AlterPartitionReassignmentsRequest,
  whole: RequestFailure,
  result: (topic: string, partition: Reassignable) => RequestFailure,
) {
  return {
    throttleTimeMs: 0,
    allowReplicationFactorChange,
    errorCode: whole.errorCode,
    errorMessage: whole.errorMessage,
    responses: topics.map(({ name, partitions }) => ({
      name,
      partitions: partitions.map(partition => ({
        partitionIndex: partition.partitionIndex,
        ...result(name, partition),
      })),
    })),
  }
}
