/**
 * ConsumerGroupDescribe v0-v1 (KIP-848): groups that the broker assigns for, with what each member has and is to
 * have. Classic groups are not found here. v1 tells members of the classic protocol from others.
 */
import { ErrorCode } from '../protocol/error-codes.js'
import { undescribed } from '../coordinator/group/consumer/describe.js'
import type {
  ConsumerGroupDescribeRequest,
  ConsumerGroupDescribeResponse,
} from '../protocol/messages/consumer-group-describe.js'
import type { ApiHandler } from './api-handler.js'
import { GROUP_OPERATIONS, OPERATIONS_NOT_ASKED } from './authorized-operations.js'
import type { GroupServices } from './group-services.js'

export function consumerGroupDescribeHandler({
  coordinator,
}: GroupServices): ApiHandler<
  typeof ConsumerGroupDescribeRequest,
  typeof ConsumerGroupDescribeResponse
> {
  return {
    async handle({ groupIds, includeAuthorizedOperations }) {
      const authorizedOperations = includeAuthorizedOperations
        ? GROUP_OPERATIONS
        : OPERATIONS_NOT_ASKED
      const describe = async (groupId: string) => {
        if (groupId === '') return undescribed(groupId, ErrorCode.INVALID_GROUP_ID)
        const group = await coordinator.describeConsumerGroup(groupId)
        const isDescribed = group.errorCode === ErrorCode.NONE
        return isDescribed ? { ...group, authorizedOperations } : group
      }
      return { throttleTimeMs: 0, groups: await Promise.all(groupIds.map(describe)) }
    },
    fail: ({ groupIds }, { errorCode, errorMessage }) => ({
      throttleTimeMs: 0,
      groups: groupIds.map(groupId => undescribed(groupId, errorCode, errorMessage)),
    }),
  }
}
