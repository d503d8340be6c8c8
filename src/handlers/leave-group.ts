/** LeaveGroup v0-v5: members leave a group. Below v3 it is one member, whose error is that of the response. */
import type { LeaveAnswer, Leaver } from '../coordinator/group/classic/leave.js'
import { ErrorCode } from '../protocol/error-codes.js'
import type { LeaveGroupRequest, LeaveGroupResponse } from '../protocol/messages/leave-group.js'
import type { ApiHandler } from './api-handler.js'
import { type GroupServices, groupContextOf } from './group-services.js'

const FIRST_VERSION_WITH_MEMBERS = 3

export function leaveGroupHandler({
  coordinator,
}: GroupServices): ApiHandler<typeof LeaveGroupRequest, typeof LeaveGroupResponse> {
  return {
    async handle(request, context) {
      const leavers = leaversOf(request, context.apiVersion)
      const answer = await coordinator.leaveGroup(request.groupId, leavers, groupContextOf(context))
      return context.apiVersion >= FIRST_VERSION_WITH_MEMBERS ? answer : folded(answer)
    },
    fail: (_, { errorCode }) => ({ errorCode, members: [] }),
  }
}

function leaversOf({ memberId, members }: LeaveGroupRequest, apiVersion: number): Leaver[] {
  return apiVersion >= FIRST_VERSION_WITH_MEMBERS ? members : [{ memberId, groupInstanceId: null }]
}

function folded({ errorCode, members }: LeaveAnswer): LeaveAnswer {
  if (errorCode !== ErrorCode.NONE) return { errorCode, members: [] }
  return { errorCode: members?.[0]?.errorCode ?? ErrorCode.NONE, members: [] }
}
