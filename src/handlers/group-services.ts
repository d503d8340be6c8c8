/** What the handlers of groups and offsets need of the broker, and what they share. */
import type { GroupRequestContext } from '../coordinator/group/group-context.js'
import type { GroupCoordinator } from '../coordinator/group/group-coordinator.js'
import type { RequestContext } from './api-handler.js'

export interface GroupServices {
  readonly coordinator: GroupCoordinator
  /** Makes __consumer_offsets if it is not there yet; false: it cannot be made now. */
  ensureOffsetsTopic(): Promise<boolean>
}

/** Who sent a request, as groups remember it. */
export function groupContextOf({
  apiVersion,
  clientId,
  peer,
}: RequestContext): GroupRequestContext {
  const port = peer.lastIndexOf(':')
  const host = port === -1 ? peer : peer.slice(0, port)
  // As Java prints an address without a name.
  return { apiVersion, clientId: clientId ?? '', clientHost: `/${host.replace(/^\[|\]$/g, '')}` }
}
