/** OffsetDelete v0: deletes offsets of a group, but not of topics that it is subscribed to (KIP-496). */
import { ErrorCode } from '../protocol/error-codes.js'
import type {
  OffsetDeleteRequest,
  OffsetDeleteResponse,
} from '../protocol/messages/offset-delete.js'
import type { ApiHandler } from './api-handler.js'
import type { GroupServices } from './group-services.js'
import type { TopicsView } from './services.js'

export function offsetDeleteHandler(
  { coordinator }: GroupServices,
  topics: TopicsView,
): ApiHandler<typeof OffsetDeleteRequest, typeof OffsetDeleteResponse> {
  return {
    async handle({ groupId, topics: wanted }) {
      const isKnown = ({ name }: { name: string }) => topics.topic(name) !== undefined
      const deletion = wanted.filter(isKnown).map(({ name, partitions }) => ({
        name,
        partitions: partitions.map(({ partitionIndex }) => partitionIndex),
      }))
      const answer = await coordinator.deleteOffsets({ groupId, topics: deletion })
      if (answer.errorCode !== ErrorCode.NONE) {
        return { throttleTimeMs: 0, errorCode: answer.errorCode, topics: [] }
      }
      const errorCode = ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
      const unknown = wanted
        .filter(topic => !isKnown(topic))
        .map(({ name, partitions }) => ({
          name,
          partitions: partitions.map(({ partitionIndex }) => ({ partitionIndex, errorCode })),
        }))
      return {
        throttleTimeMs: 0,
        errorCode: ErrorCode.NONE,
        topics: [...answer.topics, ...unknown],
      }
    },
    fail: (_, { errorCode }) => ({ throttleTimeMs: 0, errorCode, topics: [] }),
  }
}
