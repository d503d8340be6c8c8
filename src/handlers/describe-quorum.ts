/**
 * DescribeQuorum v0-v2 (KIP-595): the Raft quorum of a metadata log. There is none here, the metadata lies in a store:
 * each partition that is asked for gets UNKNOWN_TOPIC_OR_PARTITION, as Kafka answers for partitions without a quorum.
 */
import { ErrorCode } from '../protocol/error-codes.js'
import type {
  DescribeQuorumRequest,
  DescribeQuorumResponse,
} from '../protocol/messages/describe-quorum.js'
import type { ApiHandler } from './api-handler.js'

export function describeQuorumHandler(): ApiHandler<
  typeof DescribeQuorumRequest,
  typeof DescribeQuorumResponse
> {
  return {
    handle: ({ topics }) => ({
      errorCode: ErrorCode.NONE,
      errorMessage: '',
      topics: topics.map(({ topicName, partitions }) => ({
        topicName,
        partitions: partitions.map(({ partitionIndex }) => ({
          partitionIndex,
          errorCode: ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
          errorMessage: 'This server does not host this topic-partition.',
          leaderId: 0,
          leaderEpoch: 0,
          highWatermark: 0n,
          currentVoters: [],
          observers: [],
        })),
      })),
      nodes: [],
    }),
    fail: (_request, { errorCode, errorMessage }) => ({
      errorCode,
      errorMessage,
      topics: [],
      nodes: [],
    }),
  }
}
