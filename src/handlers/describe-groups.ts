/**
 * DescribeGroups v0-v6: classic groups with their members. A group that is not there is Dead; from v6 that is error
 * 69 with a message too (KIP-1043). Consumer groups are described by ConsumerGroupDescribe.
 */
import type { DescribedGroup } from '../coordinator/group/describe-groups.js'
import { ErrorCode } from '../protocol/error-codes.js'
import type {
  DescribeGroupsRequest,
  DescribeGroupsResponse,
} from '../protocol/messages/describe-groups.js'
import type { ApiHandler } from './api-handler.js'
import { GROUP_OPERATIONS, OPERATIONS_NOT_ASKED } from './authorized-operations.js'
import type { GroupServices } from './group-services.js'

const FIRST_VERSION_WITH_NOT_FOUND = 6

export function describeGroupsHandler({
  coordinator,
}: GroupServices): ApiHandler<typeof DescribeGroupsRequest, typeof DescribeGroupsResponse> {
  return {
    async handle({ groups, includeAuthorizedOperations }, { apiVersion }) {
      const authorizedOperations = includeAuthorizedOperations
        ? GROUP_OPERATIONS
        : OPERATIONS_NOT_ASKED
      return {
        groups: await Promise.all(
          groups.map(async groupId => {
            const described = await coordinator.describeClassicGroup(groupId)
            if (typeof described === 'number') return failure(groupId, described, '')
            const group = described ?? notFound(groupId, apiVersion)
            return group.errorCode === ErrorCode.NONE ? { ...group, authorizedOperations } : group
          }),
        ),
      }
    },
    fail: ({ groups }, { errorCode }) => ({
      groups: groups.map(groupId => failure(groupId, errorCode, '')),
    }),
  }
}

function notFound(groupId: string, apiVersion: number): DescribedGroup {
  if (apiVersion < FIRST_VERSION_WITH_NOT_FOUND) return failure(groupId, ErrorCode.NONE, 'Dead')
  const errorMessage = `Group ${groupId} not found.`
  return { ...failure(groupId, ErrorCode.GROUP_ID_NOT_FOUND, 'Dead'), errorMessage }
}

function failure(groupId: string, errorCode: number, groupState: string): DescribedGroup {
  return { errorCode, groupId, groupState, protocolType: '', protocolData: '', members: [] }
}
