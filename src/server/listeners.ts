/** Opens the broker's listeners in the data plane and says at which addresses clients reach them. */
import { BrokerError, codeOf, messageOf } from '../base/errors.js'
import type { DataPlaneHandle, NativeAddon } from '../binding/native-addon.js'
import { type EndPoint, formatListener } from '../config/listeners.js'

/**
 * Opens the listeners in order, each under its index as its number. Resolves to them with the ports they got.
 * Throws ERR_LISTEN with the reason and a remedy for the first that cannot be opened.
 */
export function openListeners(
  addon: NativeAddon,
  dataPlane: DataPlaneHandle,
  listeners: readonly EndPoint[],
): EndPoint[] {
  return listeners.map((listener, index) => {
    try {
      const port = addon.listen(dataPlane, listener.host, listener.port, index)
      return { ...listener, port }
    } catch (error) {
      throw listenError(listener, error)
    }
  })
}

/** Advertised addresses with real ports: a port of 0 is that of the opened listener of the same name. */
export function withOpenedPorts(
  advertised: readonly EndPoint[],
  opened: readonly EndPoint[],
): EndPoint[] {
  return advertised.map(endPoint => {
    if (endPoint.port !== 0) return endPoint
    const port = opened.find(({ name }) => name === endPoint.name)?.port ?? 0
    return { ...endPoint, port }
  })
}

function listenError(listener: EndPoint, error: unknown): BrokerError {
  const [why, remedy] = reasonOf(listener, error)
  return new BrokerError(
    'ERR_LISTEN',
    `Cannot listen on ${formatListener(listener)}: ${why}. ${remedy}`,
    { cause: error },
  )
}

function reasonOf({ port }: EndPoint, error: unknown): readonly [why: string, remedy: string] {
  switch (errnoOf(error)) {
    case 'EADDRINUSE':
      return [
        `port ${port} is in use`,
        'Stop the program that uses it, or set another port in listeners.',
      ]
    case 'EACCES':
      return [
        `this user may not open port ${port}`,
        'Choose a port above 1023 in listeners, or give the program the right to open low ports.',
      ]
    case 'EADDRNOTAVAIL':
      return ['no interface of this machine has that address', 'Correct the host in listeners.']
    default:
      return [messageOf(error), 'Correct listeners.']
  }
}

/** The name of the system's error; the addon carries its number. */
function errnoOf(error: unknown): string | undefined {
  const number = typeof error === 'object' && error !== null && 'errno' in error && error.errno
  return { 13: 'EACCES', 98: 'EADDRINUSE', 99: 'EADDRNOTAVAIL' }[Number(number)] ?? codeOf(error)
}
