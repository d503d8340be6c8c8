/** Stands in for tcp.ts in bundles for browsers (package.json, "browser"), which have no TCP. */
import { configError } from '../errors.js'
import type { OpenTransport } from './transport.js'

export const openTcp: OpenTransport = () =>
  Promise.reject(
    configError(
      'A browser cannot open TCP connections. Pass a transport of your own as `transport`.',
    ),
  )
