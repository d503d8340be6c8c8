/**
 * The data plane's control queue as the request pipeline sees it: requests out, responses in. The interface
 * is what tests fake; `controlPortOf` ties it to one data plane of the addon.
 */
import type { ControlRequest, DataPlaneHandle, NativeAddon } from '../binding/native-addon.js'

export interface ControlPort {
  /** The requests that wait, at most 256; an empty list: none is left. */
  take(): ControlRequest[]
  /**
   * Answers a request; null: no bytes. Nothing is read from its connection for `throttleMs` after that. Answers to
   * connections that are gone are dropped.
   */
  respond(request: ControlRequest, frame: Buffer | null, throttleMs?: number): void
  /** Closes the connection of a request; the reason reaches the log once. */
  close(request: ControlRequest, reason: string): void
}

export function controlPortOf(addon: NativeAddon, dataPlane: DataPlaneHandle): ControlPort {
  return {
    take: () => addon.takeRequests(dataPlane),
    respond: ({ connection, place }, frame, throttleMs = 0) =>
      addon.respond(dataPlane, connection, place, frame, { closeAfter: false, throttleMs }),
    close: ({ connection }, reason) => addon.closeConnection(dataPlane, connection, reason),
  }
}
