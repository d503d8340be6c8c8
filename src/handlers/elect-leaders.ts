/**
 * ElectLeaders v0-v2: preferred (KIP-183) and unclean (KIP-460) elections. On one broker every partition is led by its
 * only replica, so that none is ever needed: 84 ELECTION_NOT_NEEDED, as Kafka answers. A null list asks for all
 * partitions, of which only those that changed are listed.
 */
import { ErrorCode } from '../protocol/error-codes.js'
import type {
  ElectLeadersRequest,
  ElectLeadersResponse,
} from '../protocol/messages/elect-leaders.js'
import type { ApiHandler, RequestFailure } from './api-handler.js'
import type { TopicsView } from './services.js'

const ELECTION_TYPES = [0, 1]

export function electLeadersHandler(
  topics: TopicsView,
): ApiHandler<typeof ElectLeadersRequest, typeof ElectLeadersResponse> {
  return {
    handle(request, { apiVersion }) {
      if (!ELECTION_TYPES.includes(request.electionType)) {
        const errorMessage = `Unknown election type ${request.electionType}`
        return failure(request, { errorCode: ErrorCode.INVALID_REQUEST, errorMessage }, apiVersion)
      }
      if (request.topicPartitions === null) {
        const all = topics.topicNames().map(topic => ({ topic, partitionResult: [] }))
        return { throttleTimeMs: 0, errorCode: ErrorCode.NONE, replicaElectionResults: all }
      }
      return answer(request, ErrorCode.NONE, (topic, partition) => elect(topics, topic, partition))
    },
    fail: (request, refusal, { apiVersion }) => failure(request, refusal, apiVersion),
  }
}

function elect(topics: TopicsView, name: string, partition: number): RequestFailure {
  const topic = topics.topic(name)
  const errorCode = ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
  if (topic === undefined) return { errorCode, errorMessage: `No such topic as ${name}` }
  if (!topic.partitions.some(({ partitionIndex }) => partitionIndex === partition)) {
    return { errorCode, errorMessage: `No such partition as ${name}-${partition}` }
  }
  return {
    errorCode: ErrorCode.ELECTION_NOT_NEEDED,
    errorMessage: 'Leader election not needed for topic partition.',
  }
}

/** Version 0 has no error of the whole request. */
function failure(request: ElectLeadersRequest, refusal: RequestFailure, apiVersion: number) {
  return answer(request, apiVersion === 0 ? ErrorCode.NONE : refusal.errorCode, () => refusal)
}

function answer(
  { topicPartitions }: ElectLeadersRequest,
  errorCode: number,
  result: (topic: string, partition: number) => RequestFailure,
) {
  const replicaElectionResults = (topicPartitions ?? []).map(({ topic, partitions }) => ({
    topic,
    partitionResult: partitions.map(partitionId => ({
      partitionId,
      ...result(topic, partitionId),
    })),
  }))
  return { throttleTimeMs: 0, errorCode, replicaElectionResults }
}
