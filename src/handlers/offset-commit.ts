/**
 * OffsetCommit v2-v10: a group's positions are kept in __consumer_offsets. What does not exist is refused by itself:
 * partitions and topics with 3, topics that v10 names by id with 100.
 */
import type { CommittedTopic } from '../coordinator/group/offsets/commit-offsets.js'
import { ErrorCode } from '../protocol/error-codes.js'
import type {
  OffsetCommitRequest,
  OffsetCommitResponse,
} from '../protocol/messages/offset-commit.js'
import type { InferInput } from '../protocol/schema/message.js'
import type { ApiHandler } from './api-handler.js'
import type { GroupServices } from './group-services.js'
import type { TopicView, TopicsView } from './services.js'

const FIRST_VERSION_WITH_IDS = 10

type RequestTopic = OffsetCommitRequest['topics'][number]
type ResponseTopic = InferInput<typeof OffsetCommitResponse>['topics'][number]

export function offsetCommitHandler(
  { coordinator }: GroupServices,
  topics: TopicsView,
): ApiHandler<typeof OffsetCommitRequest, typeof OffsetCommitResponse> {
  return {
    async handle(request, { apiVersion }) {
      const byId = apiVersion >= FIRST_VERSION_WITH_IDS
      const found = request.topics.map(topic =>
        byId ? topics.topicById(topic.topicId) : topics.topic(topic.name),
      )
      const known = request.topics.flatMap((topic, index) => existing(topic, found[index]))
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
          const view = found[index]
          if (view === undefined) {
            const { UNKNOWN_TOPIC_ID, UNKNOWN_TOPIC_OR_PARTITION } = ErrorCode
            return refuseTopic(topic, byId ? UNKNOWN_TOPIC_ID : UNKNOWN_TOPIC_OR_PARTITION)
          }
          const answered = answers.next().value?.partitions ?? []
          return { ...topic, partitions: [...missing(topic, view), ...answered] }
        }),
      }
    },
    fail: (request, { errorCode }) => ({
      topics: request.topics.map(topic => refuseTopic(topic, errorCode)),
    }),
  }
}

/** What of a topic can be committed; empty: there is no such topic. */
function existing({ partitions }: RequestTopic, view: TopicView | undefined): CommittedTopic[] {
  if (view === undefined) return []
  const { name, topicId } = view
  return [{ name, topicId, partitions: partitions.filter(each => isPartition(each, view)) }]
}

function missing({ partitions }: RequestTopic, view: TopicView): ResponseTopic['partitions'] {
  return partitions
    .filter(each => !isPartition(each, view))
    .map(({ partitionIndex }) => ({
      partitionIndex,
      errorCode: ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
    }))
}

function isPartition({ partitionIndex }: { partitionIndex: number }, view: TopicView): boolean {
  return partitionIndex >= 0 && partitionIndex < view.partitions.length
}

function refuseTopic(
  { name, topicId, partitions }: RequestTopic,
  errorCode: number,
): ResponseTopic {
  return {
    name,
    topicId,
    partitions: partitions.map(({ partitionIndex }) => ({ partitionIndex, errorCode })),
  }
}
