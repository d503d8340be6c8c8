/**
 * SyncGroup v0-v5: the leader tells who reads what, and every member learns its part. From v5 a client names the
 * protocol that it believes in (KIP-559), and must.
 */
import { ErrorCode } from '../protocol/error-codes.js'
import type { SyncGroupRequest, SyncGroupResponse } from '../protocol/messages/sync-group.js'
import type { ApiHandler } from './api-handler.js'
import { type GroupServices, groupContextOf } from './group-services.js'

const FIRST_VERSION_WITH_PROTOCOL = 5
const NO_ASSIGNMENT = { protocolType: null, protocolName: null, assignment: Buffer.alloc(0) }

export function syncGroupHandler({
  coordinator,
}: GroupServices): ApiHandler<typeof SyncGroupRequest, typeof SyncGroupResponse> {
  return {
    handle(request, context) {
      const lacksProtocol = request.protocolType === null || request.protocolName === null
      if (context.apiVersion >= FIRST_VERSION_WITH_PROTOCOL && lacksProtocol) {
        return { ...NO_ASSIGNMENT, errorCode: ErrorCode.INCONSISTENT_GROUP_PROTOCOL }
      }
      return coordinator.syncGroup(request, groupContextOf(context))
    },
    fail: (_, { errorCode }) => ({ ...NO_ASSIGNMENT, errorCode }),
  }
}
