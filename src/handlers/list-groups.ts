/** ListGroups v0-v5: the groups of this broker, by state from v4 (KIP-518) and by type from v5 (KIP-848). */
import { ErrorCode } from '../protocol/error-codes.js'
import type { ListGroupsRequest, ListGroupsResponse } from '../protocol/messages/list-groups.js'
import type { ApiHandler } from './api-handler.js'
import type { GroupServices } from './group-services.js'

export function listGroupsHandler({
  coordinator,
}: GroupServices): ApiHandler<typeof ListGroupsRequest, typeof ListGroupsResponse> {
  return {
    async handle({ statesFilter, typesFilter }) {
      const lowerCase = (texts: readonly string[]) => new Set(texts.map(text => text.toLowerCase()))
      const filter = { states: lowerCase(statesFilter), types: lowerCase(typesFilter) }
      const listed = await coordinator.listGroups(filter)
      if (typeof listed === 'number') return { errorCode: listed, groups: [] }
      return { errorCode: ErrorCode.NONE, groups: listed }
    },
    fail: (_, { errorCode }) => ({ errorCode, groups: [] }),
  }
}
