/**
 * ConsumerGroupHeartbeat v0-v1 (KIP-848): joins, keeps and leaves consumer groups, and tells members what to read.
 * v1 patterns, and ids that the members make.
 */
import { ErrorCode } from '../protocol/error-codes.js'
import type {
  ConsumerGroupHeartbeatRequest,
  ConsumerGroupHeartbeatResponse,
} from '../protocol/messages/consumer-group-heartbeat.js'
import type { InferInput } from '../protocol/schema/message.js'
import type { ApiHandler } from './api-handler.js'
import { type GroupServices, groupContextOf } from './group-services.js'

export function consumerGroupHeartbeatHandler({
  coordinator,
}: GroupServices): ApiHandler<
  typeof ConsumerGroupHeartbeatRequest,
  typeof ConsumerGroupHeartbeatResponse
> {
  return {
    async handle(request, context) {
      if (request.groupId === '') {
        return failure(ErrorCode.INVALID_REQUEST, "GroupId can't be empty.")
      }
      const answer = await coordinator.consumerHeartbeat(request, groupContextOf(context))
      return { throttleTimeMs: 0, ...answer }
    },
    fail: (_, { errorCode, errorMessage }) => failure(errorCode, errorMessage),
  }
}

function failure(
  errorCode: number,
  errorMessage: string | null,
): InferInput<typeof ConsumerGroupHeartbeatResponse> {
  return { throttleTimeMs: 0, errorCode, errorMessage, memberEpoch: 0, heartbeatIntervalMs: 0 }
}
