/** Heartbeat v0-v4: a member of a classic group lives, and learns whether it has to join again. */
import type { HeartbeatRequest, HeartbeatResponse } from '../protocol/messages/heartbeat.js'
import type { ApiHandler } from './api-handler.js'
import { type GroupServices, groupContextOf } from './group-services.js'

export function heartbeatHandler({
  coordinator,
}: GroupServices): ApiHandler<typeof HeartbeatRequest, typeof HeartbeatResponse> {
  return {
    handle: (request, context) => coordinator.heartbeat(request, groupContextOf(context)),
    fail: (_, { errorCode }) => ({ errorCode }),
  }
}
