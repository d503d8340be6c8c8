/** The options that Producer, Consumer and Admin share. Names are Kafka's in camel case; times are milliseconds. */
import { configError } from './errors.js'
import type { OpenTransport } from './transport/transport.js'

/** How to reach a cluster. */
export interface ClientOptions {
  /** `host:port`, several separated by commas or as a list. */
  readonly bootstrapServers: string | readonly string[]
  /** Sent with every request; brokers log it and count quotas by it. Default `millrace`. */
  readonly clientId?: string
  /** How long a single request may take. Default 30,000. */
  readonly requestTimeoutMs?: number
  /** How long a call that takes several requests may take. Default 60,000. */
  readonly defaultApiTimeoutMs?: number
  /** Age at which metadata is fetched anew without need. Default 300,000. */
  readonly metadataMaxAgeMs?: number
  /** First and largest delay between tries. Defaults 100 and 1,000. */
  readonly retryBackoffMs?: number
  readonly retryBackoffMaxMs?: number
  /** First and largest delay before connecting again to a broker that could not be reached. Defaults 50 and 1,000. */
  readonly reconnectBackoffMs?: number
  readonly reconnectBackoffMaxMs?: number
  /** How long a connection attempt may take. Default 10,000. */
  readonly socketConnectionSetupTimeoutMs?: number
  /** Idle time after which a connection is closed. Default 540,000. */
  readonly connectionsMaxIdleMs?: number
  /** How bytes travel. Default: TCP. */
  readonly transport?: OpenTransport
}

export type ResolvedClientOptions = Required<Omit<ClientOptions, 'transport'>> &
  Pick<ClientOptions, 'transport'>

const DEFAULTS = {
  clientId: 'millrace',
  requestTimeoutMs: 30_000,
  defaultApiTimeoutMs: 60_000,
  metadataMaxAgeMs: 300_000,
  retryBackoffMs: 100,
  retryBackoffMaxMs: 1_000,
  reconnectBackoffMs: 50,
  reconnectBackoffMaxMs: 1_000,
  socketConnectionSetupTimeoutMs: 10_000,
  connectionsMaxIdleMs: 540_000,
}

/** Fills in the defaults. Throws ERR_CLIENT_CONFIG for a time that is no number of milliseconds. */
export function resolveClientOptions(options: ClientOptions): ResolvedClientOptions {
  for (const name of Object.keys(DEFAULTS) as (keyof typeof DEFAULTS)[]) {
    if (name !== 'clientId' && options[name] !== undefined) requireCount(name, options[name])
  }
  return { ...DEFAULTS, ...withoutUndefined(options) }
}

/** Throws ERR_CLIENT_CONFIG unless `value` is a number of at least `min`. */
export function requireCount(name: string, value: number, min = 0): void {
  if (typeof value === 'number' && value >= min) return
  throw configError(`${name} is ${String(value)}; it must be a number of at least ${min}.`)
}

/** A copy without the members that are undefined, so that they do not hide defaults. */
export function withoutUndefined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, v]) => v !== undefined)) as T
}
