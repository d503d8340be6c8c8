/** The producer's options with Kafka's names and defaults. */
import { CODEC_NAMES, type CodecName } from '../../records/compression/codec.js'
import { configError } from '../errors.js'
import { type ClientOptions, requireCount, withoutUndefined } from '../options.js'
import { PARTITIONER_NAMES, type PartitionerOption } from './partitioner.js'

/**
 * What a producer can be told. Times are milliseconds, sizes bytes; each name is Kafka's in camel case.
 *
 * @example
 * const producer = new Producer({ bootstrapServers: '127.0.0.1:9092', compressionType: 'lz4' })
 */
export interface ProducerOptions extends ClientOptions {
  /** Whose acknowledgement counts: nobody's (0), the leader's (1), all in-sync replicas' ('all', -1). Default `all`. */
  readonly acks?: 0 | 1 | -1 | 'all'
  /** Bytes that a batch collects before it is sent. Default 16,384. */
  readonly batchSize?: number
  /** How long a batch waits for more records. Default 5; 0 sends at the end of the running turn. */
  readonly lingerMs?: number
  /** Bytes of records that wait or travel; beyond it `send` waits. Default 33,554,432. */
  readonly bufferMemory?: number
  /** How long `send` may wait for metadata or memory. Default 60,000. */
  readonly maxBlockMs?: number
  /** Time from `send` to the acknowledgement, with all retries. Default 120,000. */
  readonly deliveryTimeoutMs?: number
  /** Default 2,147,483,647: until deliveryTimeoutMs. */
  readonly retries?: number
  /** Unanswered requests per broker. Default 5, which is the most with idempotence. */
  readonly maxInFlightRequestsPerConnection?: number
  /** Largest record and request. Default 1,048,576. */
  readonly maxRequestSize?: number
  /** No duplicates and no reordering by retries. Default true, unless acks or the in-flight limit forbid it. */
  readonly enableIdempotence?: boolean
  /** Default `none`. */
  readonly compressionType?: CodecName
  /** How records without a partition of their own find one. Default `default`. */
  readonly partitioner?: PartitionerOption
  /** Treat keyed records as if they had no key when a partition is chosen. Default false. */
  readonly partitionerIgnoreKeys?: boolean
  /** Give slow partitions fewer of the records without key. Default true. */
  readonly partitionerAdaptivePartitioningEnable?: boolean
  /** May the broker create topics that are missing (if it is set to)? Default true, as Kafka's producer. */
  readonly allowAutoCreateTopics?: boolean
}

export type ResolvedProducerOptions = Required<
  Omit<ProducerOptions, keyof ClientOptions | 'acks'>
> & {
  readonly acks: 0 | 1 | -1
  readonly requestTimeoutMs: number
}

const DEFAULTS = {
  batchSize: 16_384,
  lingerMs: 5,
  bufferMemory: 33_554_432,
  maxBlockMs: 60_000,
  deliveryTimeoutMs: 120_000,
  retries: 2_147_483_647,
  maxInFlightRequestsPerConnection: 5,
  maxRequestSize: 1_048_576,
  compressionType: 'none',
  partitioner: 'default',
  partitionerIgnoreKeys: false,
  partitionerAdaptivePartitioningEnable: true,
  allowAutoCreateTopics: true,
} as const

/** Brokers remember the last five batches of a producer. */
const IDEMPOTENT_IN_FLIGHT_MAX = 5

/** Fills in defaults. Throws ERR_CLIENT_CONFIG for values, or combinations, that Kafka's producer refuses. */
export function resolveProducerOptions(options: ProducerOptions): ResolvedProducerOptions {
  const resolved = { ...DEFAULTS, requestTimeoutMs: 30_000, ...withoutUndefined(options) }
  checkNumbers(resolved)
  if (!CODEC_NAMES.includes(resolved.compressionType)) {
    throw configError(
      `compressionType is ${resolved.compressionType}; it must be one of ${CODEC_NAMES.join(', ')}.`,
    )
  }
  const { partitioner } = resolved
  if (typeof partitioner !== 'function' && !PARTITIONER_NAMES.includes(partitioner)) {
    throw configError(
      `partitioner is ${String(partitioner)}; it must be a function or one of ` +
        `${PARTITIONER_NAMES.join(', ')}.`,
    )
  }
  const acks = resolveAcks(options.acks)
  const enableIdempotence = resolveIdempotence(options, acks, resolved)
  return { ...resolved, acks, enableIdempotence }
}

function checkNumbers(options: Omit<ResolvedProducerOptions, 'acks' | 'enableIdempotence'>): void {
  requireCount('batchSize', options.batchSize)
  requireCount('lingerMs', options.lingerMs)
  requireCount('bufferMemory', options.bufferMemory)
  requireCount('maxBlockMs', options.maxBlockMs)
  requireCount('deliveryTimeoutMs', options.deliveryTimeoutMs)
  requireCount('retries', options.retries)
  requireCount('maxRequestSize', options.maxRequestSize)
  requireCount('maxInFlightRequestsPerConnection', options.maxInFlightRequestsPerConnection, 1)
  const least = options.lingerMs + options.requestTimeoutMs
  if (options.deliveryTimeoutMs < least) {
    throw configError(
      `deliveryTimeoutMs is ${options.deliveryTimeoutMs}; it must be at least lingerMs + ` +
        `requestTimeoutMs = ${least}. Raise it, or lower those.`,
    )
  }
}

function resolveAcks(acks: ProducerOptions['acks'] = 'all'): 0 | 1 | -1 {
  if (acks === 'all' || acks === -1) return -1
  if (acks === 0 || acks === 1) return acks
  throw configError(`acks is ${String(acks)}; it must be 0, 1, -1 or 'all'.`)
}

function resolveIdempotence(
  options: ProducerOptions,
  acks: number,
  {
    retries,
    maxInFlightRequestsPerConnection,
  }: { retries: number; maxInFlightRequestsPerConnection: number },
): boolean {
  const asked = options.enableIdempotence
  if (asked === false) return false
  const obstacles = [
    ...(acks === -1 ? [] : [`acks=${acks}`]),
    ...(retries > 0 ? [] : ['retries=0']),
    ...(maxInFlightRequestsPerConnection <= IDEMPOTENT_IN_FLIGHT_MAX
      ? []
      : [`maxInFlightRequestsPerConnection=${maxInFlightRequestsPerConnection}`]),
  ]
  if (obstacles.length === 0) return true
  // Kafka's producer gives up the default silently for acks and retries, and never the explicit wish.
  if (asked === undefined) return false
  throw configError(
    `enableIdempotence needs acks=all, retries above 0 and at most ${IDEMPOTENT_IN_FLIGHT_MAX} ` +
      `requests in flight; given ${obstacles.join(', ')}. Change these or set it to false.`,
  )
}
