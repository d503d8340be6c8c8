/**
 * JoinGroup v0-v9: a client becomes a member of a classic group, or comes back to it. The answer waits until all
 * members have joined. Before v7 nothing has no name but the empty one.
 */
import type { JoinAnswer } from '../coordinator/group/classic/classic-member.js'
import type { JoinGroupRequest, JoinGroupResponse } from '../protocol/messages/join-group.js'
import type { ApiHandler } from './api-handler.js'
import { type GroupServices, groupContextOf } from './group-services.js'

const FIRST_VERSION_WITH_NULL_NAMES = 7

export function joinGroupHandler({
  coordinator,
}: GroupServices): ApiHandler<typeof JoinGroupRequest, typeof JoinGroupResponse> {
  return {
    handle: async (request, context) =>
      forVersion(await coordinator.joinGroup(request, groupContextOf(context)), context.apiVersion),
    fail: ({ memberId }, { errorCode }, { apiVersion }) =>
      forVersion({ errorCode, protocolName: null, leader: '', memberId, members: [] }, apiVersion),
  }
}

function forVersion(answer: JoinAnswer, apiVersion: number): JoinAnswer {
  if (apiVersion >= FIRST_VERSION_WITH_NULL_NAMES) return answer
  return { ...answer, protocolName: answer.protocolName ?? '' }
}
