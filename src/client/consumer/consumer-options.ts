/** The options of a consumer: Kafka's names in camel case, Kafka's defaults. */
import { configError } from '../errors.js'
import { type ClientOptions, requireCount, withoutUndefined } from '../options.js'
import type { Assignor } from './assignors/assignor.js'
import { rangeAssignor } from './assignors/range.js'
import { roundRobinAssignor } from './assignors/round-robin.js'
import { cooperativeStickyAssignor, stickyAssignor } from './assignors/sticky.js'

export type AssignorName = 'range' | 'roundrobin' | 'sticky' | 'cooperative-sticky'

/** How to read. Times are milliseconds. */
export interface ConsumerOptions extends ClientOptions {
  /** The group to read in; without one, partitions are assigned by hand and nothing is committed. */
  readonly groupId?: string
  /** Makes the member static: it keeps its partitions over a restart within the session timeout (KIP-345). */
  readonly groupInstanceId?: string
  /** `consumer` is the protocol of KIP-848, where the broker assigns. Default `classic`. */
  readonly groupProtocol?: 'classic' | 'consumer'
  /** Classic: the assignors to offer, the preferred one first. Default `['range', 'cooperative-sticky']`. */
  readonly partitionAssignmentStrategy?: readonly (AssignorName | Assignor)[]
  /** Consumer protocol: the broker's assignor, `uniform` or `range`. Default: the broker's first. */
  readonly groupRemoteAssignor?: string
  /** Where to begin without a committed offset. Default `latest`. */
  readonly autoOffsetReset?: 'earliest' | 'latest' | 'none'
  /** Commits what was handed out before, while polling. Default true. */
  readonly enableAutoCommit?: boolean
  /** Default 5,000. */
  readonly autoCommitIntervalMs?: number
  /** Default `read_uncommitted`. */
  readonly isolationLevel?: 'read_uncommitted' | 'read_committed'
  /** Most records that one poll returns. Default 500. */
  readonly maxPollRecords?: number
  /** A member that polls less often leaves its group. Default 300,000. */
  readonly maxPollIntervalMs?: number
  /** Classic: default 45,000. */
  readonly sessionTimeoutMs?: number
  /** Classic: default 3,000. */
  readonly heartbeatIntervalMs?: number
  /** Default 1. */
  readonly fetchMinBytes?: number
  /** Default 52,428,800. */
  readonly fetchMaxBytes?: number
  /** Default 500. */
  readonly fetchMaxWaitMs?: number
  /** Default 1,048,576. */
  readonly maxPartitionFetchBytes?: number
  /** Default true. */
  readonly checkCrcs?: boolean
  /** Where this client runs; default none. */
  readonly clientRack?: string
  /** Default true. */
  readonly allowAutoCreateTopics?: boolean
}

const DEFAULTS = {
  groupProtocol: 'classic',
  autoOffsetReset: 'latest',
  enableAutoCommit: true,
  autoCommitIntervalMs: 5000,
  isolationLevel: 'read_uncommitted',
  maxPollRecords: 500,
  maxPollIntervalMs: 300_000,
  sessionTimeoutMs: 45_000,
  heartbeatIntervalMs: 3000,
  fetchMinBytes: 1,
  fetchMaxBytes: 52_428_800,
  fetchMaxWaitMs: 500,
  maxPartitionFetchBytes: 1_048_576,
  checkCrcs: true,
  clientRack: '',
  allowAutoCreateTopics: true,
} as const

const CHOICES: Readonly<Record<string, readonly string[]>> = {
  groupProtocol: ['classic', 'consumer'],
  autoOffsetReset: ['earliest', 'latest', 'none'],
  isolationLevel: ['read_uncommitted', 'read_committed'],
}

const ASSIGNORS: Readonly<Record<AssignorName, Assignor>> = {
  range: rangeAssignor,
  roundrobin: roundRobinAssignor,
  sticky: stickyAssignor,
  'cooperative-sticky': cooperativeStickyAssignor,
}

type Defaulted = { -readonly [K in keyof typeof DEFAULTS]: NonNullable<ConsumerOptions[K]> }

export interface ResolvedConsumerOptions extends Defaulted {
  readonly groupId: string | null
  readonly groupInstanceId: string | null
  readonly groupRemoteAssignor: string | null
  readonly assignors: readonly Assignor[]
}

/** Fills in the defaults. Throws ERR_CLIENT_CONFIG for what cannot be used. */
export function resolveConsumerOptions(options: ConsumerOptions): ResolvedConsumerOptions {
  const given = { ...withoutUndefined(options) } as Readonly<Record<string, unknown>>
  const values = Object.fromEntries(
    Object.entries(DEFAULTS).map(([name, byDefault]) => [name, given[name] ?? byDefault]),
  )
  for (const [name, value] of Object.entries(values)) {
    if (typeof DEFAULTS[name as keyof typeof DEFAULTS] === 'number') {
      requireCount(name, value as number, name === 'maxPollRecords' ? 1 : 0)
    }
    const choices = CHOICES[name]
    if (choices !== undefined && !choices.includes(String(value))) {
      throw configError(`${name} is ${String(value)}; it must be ${choices.join(' or ')}.`)
    }
  }
  const resolved = values as unknown as Defaulted
  if (resolved.heartbeatIntervalMs >= resolved.sessionTimeoutMs) {
    throw configError('heartbeatIntervalMs must be lower than sessionTimeoutMs.')
  }
  return {
    ...resolved,
    groupId: options.groupId ?? null,
    groupInstanceId: options.groupInstanceId ?? null,
    groupRemoteAssignor: options.groupRemoteAssignor ?? null,
    assignors: assignorsOf(options.partitionAssignmentStrategy ?? ['range', 'cooperative-sticky']),
  }
}

function assignorsOf(strategies: readonly (AssignorName | Assignor)[]): Assignor[] {
  if (strategies.length === 0) throw configError('partitionAssignmentStrategy is empty.')
  return strategies.map(strategy => {
    if (typeof strategy !== 'string') return strategy
    if (Object.hasOwn(ASSIGNORS, strategy)) return ASSIGNORS[strategy]
    const known = Object.keys(ASSIGNORS).join(', ')
    throw configError(`There is no assignor "${strategy}"; there are ${known}.`)
  })
}
