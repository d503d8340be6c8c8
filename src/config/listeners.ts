/**
 * Listeners: NAME://host:port lists, and the map from listener names to security protocols.
 * Only the form is judged here; which listeners a broker may open is decided in listener-rules.ts.
 */
import { isIPv4, isIPv6 } from 'node:net'

export type SecurityProtocol = 'PLAINTEXT' | 'SSL' | 'SASL_PLAINTEXT' | 'SASL_SSL'

export interface Listener {
  /** Upper case, as Kafka normalises it. */
  readonly name: string
  /** Without brackets; empty for all interfaces. */
  readonly host: string
  /** 0 lets the system choose. */
  readonly port: number
}

/** A listener whose security protocol is known. */
export interface EndPoint extends Listener {
  readonly securityProtocol: SecurityProtocol
}

/** A list that cannot be read; `value` is the part to quote. */
export interface ListenerViolation {
  readonly value: string
  readonly reason: string
  readonly remedy: string
}

export type ListenersResult =
  | { readonly ok: true; readonly listeners: readonly Listener[] }
  | ({ readonly ok: false } & ListenerViolation)

const LISTENER = /^([^:/\s]+):\/\/(\[[0-9a-zA-Z%.:]*\]|[0-9a-zA-Z\-._]*):([0-9]+)$/
const BARE_IPV6 = /^[^:/\s]+:\/\/[0-9a-fA-F:]*:[0-9a-fA-F:]*:[0-9]+$/
const PROTOCOLS: readonly SecurityProtocol[] = ['PLAINTEXT', 'SSL', 'SASL_PLAINTEXT', 'SASL_SSL']

/** Parses each `NAME://host:port`; refuses malformed ones, and names or ports used twice. */
export function parseListeners(items: readonly string[]): ListenersResult {
  const listeners: Listener[] = []
  for (const item of items) {
    const parsed = parseListener(item)
    if ('reason' in parsed) return { ok: false, ...parsed }
    const clash = clashOf(parsed, listeners)
    if (clash !== undefined) return { ok: false, value: item, ...clash }
    listeners.push(parsed)
  }
  return { ok: true, listeners }
}

/** `NAME:PROTOCOL` items to a map; names are upper-cased. */
export function parseProtocolMap(
  items: readonly string[],
): ReadonlyMap<string, SecurityProtocol> | ListenerViolation {
  const map = new Map<string, SecurityProtocol>()
  for (const item of items) {
    const [name = '', protocol = '', ...more] = item.split(':').map(part => part.trim())
    const known = PROTOCOLS.find(candidate => candidate === protocol.toUpperCase())
    if (name === '' || known === undefined || more.length > 0) {
      return {
        value: item,
        reason: 'each item must be NAME:PROTOCOL with one of ' + PROTOCOLS.join(', '),
        remedy: 'write, for example, INTERNAL:PLAINTEXT',
      }
    }
    map.set(name.toUpperCase(), known)
  }
  return map
}

/** The text form, with brackets around IPv6 addresses. */
export function formatListener(listener: Listener): string {
  return `${listener.name}://${formatHostPort(listener.host, listener.port)}`
}

export function formatHostPort(host: string, port: number): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}

/**
 * Whether only this machine can reach the host. Names other than localhost are taken for reachable.
 */
export function isLoopback(host: string): boolean {
  if (host.toLowerCase() === 'localhost') return true
  if (isIPv4(host)) return host.startsWith('127.')
  return isIPv6(host) && (/^(0*:)*:?0*1$/.test(host) || /^::ffff:127\./i.test(host))
}

/** Whether the host means "all interfaces", which no client can connect to. */
export function isAllInterfaces(host: string): boolean {
  return host === '' || host === '0.0.0.0' || (isIPv6(host) && /^[0:]+$/.test(host))
}

function parseListener(item: string): Listener | ListenerViolation {
  const match = LISTENER.exec(item)
  if (match === null) {
    return {
      value: item,
      reason: BARE_IPV6.test(item)
        ? 'an IPv6 address must stand in brackets'
        : 'a listener must have the form NAME://host:port',
      remedy: 'write, for example, PLAINTEXT://127.0.0.1:9092 or PLAINTEXT://[::1]:9092',
    }
  }
  const [, name = '', bracketed = '', digits = ''] = match
  const host = bracketed.replace(/^\[|\]$/g, '')
  const port = Number(digits)
  if (bracketed.startsWith('[') && !isIPv6(host)) {
    return {
      value: item,
      reason: `"${host}" is not an IPv6 address`,
      remedy: 'put only IPv6 addresses in brackets',
    }
  }
  if (port > 65535) {
    return {
      value: item,
      reason: `port ${digits} does not exist`,
      remedy: 'choose a port from 1 to 65535, or 0 for any free one',
    }
  }
  return { name: name.toUpperCase(), host, port }
}

function clashOf(
  listener: Listener,
  earlier: readonly Listener[],
): Omit<ListenerViolation, 'value'> | undefined {
  if (earlier.some(other => other.name === listener.name)) {
    return {
      reason: `the listener name ${listener.name} is used twice`,
      remedy: 'give each listener its own name and map it in listener.security.protocol.map',
    }
  }
  const samePort = earlier.find(other => other.port === listener.port && listener.port !== 0)
  if (samePort === undefined || areIPv4AndIPv6(samePort.host, listener.host)) return undefined
  return {
    reason: `port ${listener.port} is used twice`,
    remedy: 'give each listener its own port; only an IPv4 and an IPv6 address may share one',
  }
}

function areIPv4AndIPv6(left: string, right: string): boolean {
  return (isIPv4(left) && isIPv6(right)) || (isIPv6(left) && isIPv4(right))
}
