/** Bootstrap servers: `host:port,host:port`, IPv6 addresses in brackets. */
import { BrokerError } from '../base/errors.js'

export interface Address {
  readonly host: string
  readonly port: number
}

const ADDRESS = /^(?:\[([0-9a-fA-F:.%a-z]+)\]|([^:[\]\s/]+)):([0-9]{1,5})$/

/** The addresses of a list, in order. Throws ERR_CLIENT_ADDRESS for one that is malformed. */
export function parseBootstrapServers(text: string): Address[] {
  const addresses = text
    .split(',')
    .map(item => item.trim())
    .filter(item => item !== '')
    .map(parseAddress)
  if (addresses.length > 0) return addresses
  throw new BrokerError('ERR_CLIENT_ADDRESS', `No bootstrap server is named. ${REMEDY}`)
}

const REMEDY = 'Write host:port, as in 127.0.0.1:9092 or [::1]:9092; separate several by commas.'

function parseAddress(item: string): Address {
  const match = ADDRESS.exec(item)
  const port = Number(match?.[3])
  if (match !== null && port >= 1 && port <= 65535) return { host: (match[1] ?? match[2])!, port }
  throw new BrokerError('ERR_CLIENT_ADDRESS', `"${item}" is not a bootstrap server. ${REMEDY}`)
}
