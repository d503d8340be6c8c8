/**
 * Decides which listeners a broker opens and what it tells clients, from `listeners`,
 * `advertised.listeners`, `listener.security.protocol.map` and `controller.listener.names`. Fails
 * closed: without authentication only loopback addresses are opened, unless the operator insists.
 */
import { hostname } from 'node:os'
import {
  formatListener,
  isAllInterfaces,
  isLoopback,
  parseListeners,
  parseProtocolMap,
  type EndPoint,
  type Listener,
  type ListenerViolation,
  type SecurityProtocol,
} from './listeners.js'

export interface ListenerSettings {
  readonly listeners: readonly string[]
  readonly advertisedListeners: readonly string[] | null
  readonly protocolMap: readonly string[]
  readonly controllerListenerNames: readonly string[]
  readonly interBrokerListenerName: string | null
  /** Opens non-loopback listeners without authentication. */
  readonly insecureAllowAnonymous: boolean
}

export interface ResolvedListeners {
  readonly listeners: readonly EndPoint[]
  /** A port of 0 stands for the port that the listener of the same name got. */
  readonly advertisedListeners: readonly EndPoint[]
}

/** A violation and the setting it belongs to. */
export type ListenerProblem = ListenerViolation & { readonly key: string }

export type ListenerKey = 'listeners' | 'advertised.listeners' | 'listener.security.protocol.map'

/** Either the resolved listeners or all problems found. */
export function resolveListeners(
  settings: ListenerSettings,
): ResolvedListeners | ListenerProblem[] {
  const map = parseProtocolMap(settings.protocolMap)
  if (!isProtocolMap(map)) return [{ key: 'listener.security.protocol.map', ...map }]
  const opened = endPoints('listeners', settings.listeners, settings, map)
  if (isProblems(opened)) return opened
  const problems = opened.flatMap(listener => openingProblems(listener, settings))
  if (opened.length === 0) problems.push(noListener(settings))
  const advertised = advertisedEndPoints(settings, opened, map)
  if (isProblems(advertised)) return [...problems, ...advertised]
  problems.push(...advertisingProblems(settings, opened, advertised))
  return problems.length > 0 ? problems : { listeners: opened, advertisedListeners: advertised }
}

function endPoints(
  key: ListenerKey,
  items: readonly string[],
  settings: ListenerSettings,
  map: ReadonlyMap<string, SecurityProtocol>,
): EndPoint[] | ListenerProblem[] {
  const parsed = parseListeners(items)
  if (!parsed.ok) {
    return [{ key, value: parsed.value, reason: parsed.reason, remedy: parsed.remedy }]
  }
  const ofController = new Set(settings.controllerListenerNames.map(name => name.toUpperCase()))
  const resolved: EndPoint[] = []
  for (const listener of parsed.listeners) {
    if (ofController.has(listener.name)) continue
    const securityProtocol = map.get(listener.name)
    if (securityProtocol === undefined) return [unmappedName(key, listener)]
    resolved.push({ ...listener, securityProtocol })
  }
  return resolved
}

function advertisedEndPoints(
  settings: ListenerSettings,
  opened: readonly EndPoint[],
  map: ReadonlyMap<string, SecurityProtocol>,
): EndPoint[] | ListenerProblem[] {
  if (settings.advertisedListeners !== null) {
    return endPoints('advertised.listeners', settings.advertisedListeners, settings, map)
  }
  return opened.map(listener =>
    listener.host === '' ? { ...listener, host: hostname() } : listener,
  )
}

function openingProblems(listener: EndPoint, settings: ListenerSettings): ListenerProblem[] {
  const value = formatListener(listener)
  if (listener.securityProtocol !== 'PLAINTEXT') {
    return [
      {
        key: 'listeners',
        value,
        reason: `the security protocol ${listener.securityProtocol} is not built yet`,
        remedy: 'use PLAINTEXT on a loopback address',
      },
    ]
  }
  if (isLoopback(listener.host) || settings.insecureAllowAnonymous) return []
  return [
    {
      key: 'listeners',
      value,
      reason: 'other machines can reach this listener, and it asks for no authentication',
      remedy:
        `listen on loopback, as in ${listener.name}://127.0.0.1:${listener.port}, or start with ` +
        '--insecure-allow-anonymous if everyone who reaches the port may read and write everything',
    },
  ]
}

function advertisingProblems(
  settings: ListenerSettings,
  opened: readonly EndPoint[],
  advertised: readonly EndPoint[],
): ListenerProblem[] {
  const openedNames = new Set(opened.map(listener => listener.name))
  const problems: ListenerProblem[] = []
  for (const listener of advertised) {
    const value = formatListener(listener)
    if (isAllInterfaces(listener.host)) {
      problems.push({
        key: 'advertised.listeners',
        value,
        reason: 'clients cannot connect to an address that means all interfaces',
        remedy:
          'name a host that clients reach, as in ' +
          formatListener({ ...listener, host: hostname() }),
      })
    }
    if (!openedNames.has(listener.name)) {
      problems.push({
        key: 'advertised.listeners',
        value,
        reason: `listeners has no listener named ${listener.name}`,
        remedy: 'advertise only names that listeners contains',
      })
    }
  }
  if (advertised.length === 0 && opened.length > 0) problems.push(nothingAdvertised())
  return [...problems, ...interBrokerProblems(settings, advertised)]
}

function interBrokerProblems(
  settings: ListenerSettings,
  advertised: readonly EndPoint[],
): ListenerProblem[] {
  const name = settings.interBrokerListenerName
  if (name === null || advertised.some(listener => listener.name === name.toUpperCase())) return []
  return [
    {
      key: 'inter.broker.listener.name',
      value: name,
      reason: 'no advertised listener has this name',
      remedy: 'name one of advertised.listeners, or delete the line',
    },
  ]
}

function unmappedName(key: ListenerKey, listener: Listener): ListenerProblem {
  return {
    key,
    value: formatListener(listener),
    reason: `listener.security.protocol.map has no protocol for ${listener.name}`,
    remedy: `add ${listener.name}:PLAINTEXT to it`,
  }
}

function noListener(settings: ListenerSettings): ListenerProblem {
  return {
    key: 'listeners',
    value: settings.listeners.join(','),
    reason: 'no listener is left for clients',
    remedy: 'add one that controller.listener.names does not contain',
  }
}

function nothingAdvertised(): ListenerProblem {
  return {
    key: 'advertised.listeners',
    value: '',
    reason: 'no listener is told to clients',
    remedy: 'name at least one of listeners, or delete the line',
  }
}

function isProtocolMap(
  result: ReadonlyMap<string, SecurityProtocol> | ListenerViolation,
): result is ReadonlyMap<string, SecurityProtocol> {
  return result instanceof Map
}

function isProblems(result: EndPoint[] | ListenerProblem[]): result is ListenerProblem[] {
  const first = result[0]
  return first !== undefined && 'reason' in first
}
