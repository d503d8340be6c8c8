/**
 * OffsetCommit v2-v10: a group's positions are kept in __consumer_offsets. Topics that do not exist are refused
 * one by one: 3, or 100 where v10 names them by id.
 */
import { type Uuid, ZERO_UUID } from '../base/uuid.js'
import type { CommittedTopic } from '../coordinator/group/offsets/commit-offsets.js'
import { ErrorCode } from '../protocol/error-codes.js'
import type {
  OffsetCommitRequest,
  OffsetCommitResponse,
} from '../protocol/messages/offset-commit.js'
import type { ApiHandler } from './api-handler.js'
import type { GroupServices } from './group-services.js'
import type { TopicsView } from './services.js'

const FIRST_VERSION_WITH_IDS = 10

type RequestTopic = OffsetCommitRequest['topics'][number]

export function offsetCommitHandler(
  { coordinator }: GroupServices,
  topics: TopicsView,
): ApiHandler<typeof OffsetCommitRequest, typeof OffsetCommitResponse> {
  return {
    async handle(request, { apiVersion }) {
      const found = request.topics.map(topic => resolve(topic, apiVersion, topics))
      const known = found.filter(each => each !== null)
      const { groupId, memberId, groupInstanceId, generationIdOrMemberEpoch } = request
      const committed = await coordinator.commitOffsets({
        ...{ groupId, memberId, groupInstanceId, generationIdOrMemberEpoch },
        retentionTimeMs: request.retentionTimeMs,
        apiVersion,
        isTransactional: false,
        topics: known,
      })
      const answers = committed.values()
      return {
        topics: request.topics.map((topic, index) => {
          const answer = found[index] === null ? undefined : answers.next().value
          return answer ?? refuseTopic(topic, unknown(apiVersion))
        }),
      }
    },
    fail: (request, { errorCode }) => ({
      topics: request.topics.map(topic => refuseTopic(topic, errorCode)),
    }),
  }
}

/** Null: there is no such topic. */
function resolve(
  { name, topicId, partitions }: RequestTopic,
  apiVersion: number,
  topics: TopicsView,
): CommittedTopic | null {
  const byId = apiVersion >= FIRST_VERSION_WITH_IDS
  const topic = byId ? topics.topicById(topicId) : topics.topic(name)
  return topic === undefined ? null : { name: topic.name, topicId: topic.topicId, partitions }
}

function unknown(apiVersion: number): number {
  return apiVersion >= FIRST_VERSION_WITH_IDS
    ? ErrorCode.UNKNOWN_TOPIC_ID
    : ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
}

function refuseTopic({ name, topicId, partitions }: RequestTopic, errorCode: number) {
  return {
    name,
    topicId: (topicId as Uuid | undefined) ?? ZERO_UUID,
    partitions: partitions.map(({ partitionIndex }) => ({ partitionIndex, errorCode })),
  }
}
