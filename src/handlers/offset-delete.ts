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
      if (groupId === '') {
        return { throttleTimeMs: 0, errorCode: ErrorCode.INVALID_GROUP_ID, topics: [] }
      }
      const isThere = (name: string, partition: number) =>
        partition >= 0 && partition < (topics.topic(name)?.partitions.length ?? 0)
      const answer = await coordinator.deleteOffsets({
        groupId,
        topics: wanted.map(({ name, partitions }) => ({
          name,
          partitions: indexesOf(partitions).filter(partition => isThere(name, partition)),
        })),
      })
      const { errorCode } = answer
      if (errorCode !== ErrorCode.NONE) return { throttleTimeMs: 0, errorCode, topics: [] }
      return {
        throttleTimeMs: 0,
        errorCode,
        topics: answer.topics.map(({ name, partitions }, index) => ({
          name,
          partitions: [
            ...partitions,
            ...indexesOf(wanted[index]!.partitions)
              .filter(partition => !isThere(name, partition))
              .map(partitionIndex => ({
                partitionIndex,
                errorCode: ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
              })),
          ],
        })),
      }
    },
    fail: (_, { errorCode }) => ({ throttleTimeMs: 0, errorCode, topics: [] }),
  }
}

function indexesOf(partitions: readonly { readonly partitionIndex: number }[]): number[] {
  return partitions.map(({ partitionIndex }) => partitionIndex)
}
