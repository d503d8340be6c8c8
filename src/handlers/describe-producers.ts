/** DescribeProducers v0 (KIP-664): the idempotent producers that a partition remembers, for `kafka-transactions`. */
import { ErrorCode } from '../protocol/error-codes.js'
import { topicNameViolation } from '../metadata/topic-name.js'
import type {
  DescribeProducersRequest,
  DescribeProducersResponse,
} from '../protocol/messages/describe-producers.js'
import type { ApiHandler, RequestFailure } from './api-handler.js'
import type { ActiveProducer, BrokerServices } from './services.js'

export function describeProducersHandler({
  logs,
  topics,
}: Pick<BrokerServices, 'logs' | 'topics'>): ApiHandler<
  typeof DescribeProducersRequest,
  typeof DescribeProducersResponse
> {
  const describe = (name: string, partition: number): Described => {
    const errorMessage = topicNameViolation(name)
    if (errorMessage !== undefined) {
      return { errorCode: ErrorCode.INVALID_TOPIC_EXCEPTION, errorMessage }
    }
    const topic = topics.topic(name)
    if (topic === undefined) {
      return {
        errorCode: ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
        errorMessage: 'This server does not host this topic-partition.',
      }
    }
    if (!topic.partitions.some(({ partitionIndex }) => partitionIndex === partition)) {
      return { errorCode: ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, errorMessage: null }
    }
    const producers = logs.activeProducers(name, partition)
    return producers ?? { errorCode: logs.absence(name, partition), errorMessage: null }
  }
  return {
    handle: request => answer(request, describe),
    fail: (request, failure) => answer(request, () => failure),
  }
}

type Described = readonly ActiveProducer[] | RequestFailure

function answer(
  { topics }: DescribeProducersRequest,
  describe: (topic: string, partition: number) => Described,
) {
  return {
    throttleTimeMs: 0,
    topics: topics.map(({ name, partitionIndexes }) => ({
      name,
      partitions: partitionIndexes.map(partitionIndex => {
        const described = describe(name, partitionIndex)
        return 'errorCode' in described
          ? { partitionIndex, ...described, activeProducers: [] }
          : {
              partitionIndex,
              errorCode: ErrorCode.NONE,
              errorMessage: null,
              activeProducers: described,
            }
      }),
    })),
  }
}
