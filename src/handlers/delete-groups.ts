/**
 * DeleteGroups v0-v3: deletes groups without members, and their offsets (KIP-229). v3 has messages, which Kafka
 * leaves out.
 */
import type {
  DeleteGroupsRequest,
  DeleteGroupsResponse,
} from '../protocol/messages/delete-groups.js'
import type { ApiHandler } from './api-handler.js'
import type { GroupServices } from './group-services.js'

export function deleteGroupsHandler({
  coordinator,
}: GroupServices): ApiHandler<typeof DeleteGroupsRequest, typeof DeleteGroupsResponse> {
  return {
    async handle({ groupsNames }) {
      const results = await Promise.all(
        [...new Set(groupsNames)].map(async groupId => {
          const errorCode = await coordinator.deleteGroup(groupId)
          return { groupId, errorCode }
        }),
      )
      return { throttleTimeMs: 0, results }
    },
    fail: ({ groupsNames }, { errorCode, errorMessage }) => ({
      throttleTimeMs: 0,
      results: [...new Set(groupsNames)].map(groupId => ({ groupId, errorCode, errorMessage })),
    }),
  }
}
