/**
 * DescribeTopicPartitions v0 (KIP-966): topics with their partitions and eligible leader replicas, in the order of
 * their names, page by page. A page ends at responsePartitionLimit or max.request.partition.size.limit (2000)
 * partitions; nextCursor tells where the next one begins. Both replica lists are empty on a single broker.
 */
import { ZERO_UUID } from '../base/uuid.js'
import { ErrorCode } from '../protocol/error-codes.js'
import type {
  DescribeTopicPartitionsRequest,
  DescribeTopicPartitionsResponse,
} from '../protocol/messages/describe-topic-partitions.js'
import type { InferInput } from '../protocol/schema/message.js'
import type { ApiHandler } from './api-handler.js'
import { TOPIC_OPERATIONS } from './authorized-operations.js'
import { describePartition, describeUnknownTopic } from './described-topic.js'
import type { HandlerSettings, TopicsView } from './services.js'

type Response = InferInput<typeof DescribeTopicPartitionsResponse>
type ResponseTopic = Response['topics'][number]

const NO_ELR = { eligibleLeaderReplicas: [], lastKnownElr: [] }
const UNKNOWN = { topicId: ZERO_UUID, topicAuthorizedOperations: TOPIC_OPERATIONS }

export function describeTopicPartitionsHandler(
  topics: TopicsView,
  settings: HandlerSettings,
): ApiHandler<typeof DescribeTopicPartitionsRequest, typeof DescribeTopicPartitionsResponse> {
  return {
    handle(request) {
      const names = namesOf(request, topics)
      if (names === null) return failure(request, ErrorCode.INVALID_REQUEST)
      const limit = Math.min(settings.maxRequestPartitionSizeLimit, request.responsePartitionLimit)
      return pageOf(names, request, topics, Math.max(limit, 1))
    },
    fail: (request, { errorCode }) => failure(request, errorCode),
  }
}

/** The topics from the cursor on; null: the cursor is not a valid one for this request. */
function namesOf(
  { topics: wanted, cursor }: DescribeTopicPartitionsRequest,
  topics: TopicsView,
): string[] | null {
  const start = cursor?.topicName ?? ''
  const all = wanted.length === 0
  const names = all ? topics.topicNames() : [...new Set(wanted.map(({ name }) => name))].sort()
  if (cursor !== null) {
    if (cursor.partitionIndex < 0) return null
    if (!all && !names.includes(cursor.topicName)) return null
  }
  return names.filter(name => name >= start)
}

function pageOf(
  names: readonly string[],
  { cursor, topics: wanted }: DescribeTopicPartitionsRequest,
  topics: TopicsView,
  limit: number,
): Response {
  const page: ResponseTopic[] = []
  let left = limit
  for (const name of names) {
    if (left === 0) return respond(page, { topicName: name, partitionIndex: 0 })
    const topic = topics.topic(name)
    if (topic === undefined) {
      if (wanted.length > 0) page.push({ ...describeUnknownTopic(name), ...UNKNOWN })
      continue
    }
    const from = name === cursor?.topicName ? cursor.partitionIndex : 0
    const partitions = topic.partitions.slice(from, from + left)
    page.push({
      errorCode: ErrorCode.NONE,
      name,
      topicId: topic.topicId,
      isInternal: topic.isInternal,
      partitions: partitions.map(partition => ({ ...describePartition(partition), ...NO_ELR })),
      topicAuthorizedOperations: TOPIC_OPERATIONS,
    })
    const next = from + partitions.length
    if (next < topic.partitions.length)
      return respond(page, { topicName: name, partitionIndex: next })
    left -= partitions.length
  }
  return respond(page, null)
}

function respond(topics: ResponseTopic[], nextCursor: Response['nextCursor']): Response {
  return { throttleTimeMs: 0, topics, nextCursor: nextCursor ?? null }
}

function failure(request: DescribeTopicPartitionsRequest, errorCode: number): Response {
  const topics = request.topics.map(({ name }) => ({
    errorCode,
    name,
    topicId: ZERO_UUID,
    partitions: [],
  }))
  return { throttleTimeMs: 0, topics }
}
