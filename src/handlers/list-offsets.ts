/**
 * ListOffsets v1-v11: an offset by time, or a special one: -1 latest, -2 earliest, -3 of the largest timestamp
 * (v7, KIP-734), -4 earliest local (v8), -5 latest tiered (v9), -6 earliest pending upload (v11). v2 isolation
 * level, v4 leader epochs (KIP-320), v10 timeoutMs. Without tiered storage -4 is -2, and -5 and -6 find nothing.
 * Times are looked up record by record, also in compressed batches; nothing found is offset and timestamp -1.
 */
import { ErrorCode } from '../protocol/error-codes.js'
import type { ListOffsetsRequest, ListOffsetsResponse } from '../protocol/messages/list-offsets.js'
import type { ApiHandler } from './api-handler.js'
import { leaderEpochProblem } from './leader-epoch.js'
import { offsetForTimestamp, offsetOfMaxTimestamp } from './offset-lookup.js'
import type { LogsView, OffsetsOfPartition } from './services.js'

const LATEST = -1n
const EARLIEST = -2n
const MAX_TIMESTAMP = -3n
const EARLIEST_LOCAL = -4n
const LATEST_TIERED = -5n
const EARLIEST_PENDING_UPLOAD = -6n

/** The first version that knows a special timestamp. */
const SINCE = new Map<bigint, number>([
  [LATEST, 1],
  [EARLIEST, 1],
  [MAX_TIMESTAMP, 7],
  [EARLIEST_LOCAL, 8],
  [LATEST_TIERED, 9],
  [EARLIEST_PENDING_UPLOAD, 11],
])

const CONSUMER_REPLICA_ID = -1
const READ_COMMITTED = 1
const NO_LEADER_EPOCH = -1
const FIRST_VERSION_WITH_EPOCH = 4

type RequestPartition = ListOffsetsRequest['topics'][number]['partitions'][number]
type ResponsePartition = ListOffsetsResponse['topics'][number]['partitions'][number]

/** What one partition's lookup needs besides the partition itself. */
interface Lookup {
  readonly logs: LogsView
  readonly topic: string
  readonly apiVersion: number
  readonly replicaId: number
  readonly isolationLevel: number
}

export function listOffsetsHandler(
  logs: LogsView,
): ApiHandler<typeof ListOffsetsRequest, typeof ListOffsetsResponse> {
  return {
    async handle(request, { apiVersion }) {
      const repeated = new Set<string>()
      // As in Kafka, a topic of which nothing is asked is not answered.
      const wanted = withoutRepetitions(request, repeated).filter(
        each => each.partitions.length > 0,
      )
      const { replicaId, isolationLevel } = request
      const topics = await Promise.all(
        wanted.map(async ({ name, partitions }) => ({
          name,
          partitions: await Promise.all(
            partitions.map(async partition => {
              const index = partition.partitionIndex
              if (repeated.has(`${name}/${index}`)) return failed(index, ErrorCode.INVALID_REQUEST)
              return lookUp(partition, { logs, topic: name, apiVersion, replicaId, isolationLevel })
            }),
          ),
        })),
      )
      return { throttleTimeMs: 0, topics }
    },
    fail: (request, { errorCode }) => ({
      throttleTimeMs: 0,
      topics: request.topics.map(({ name, partitions }) => ({
        name,
        partitions: partitions.map(({ partitionIndex }) => failed(partitionIndex, errorCode)),
      })),
    }),
  }
}

async function lookUp(partition: RequestPartition, lookup: Lookup): Promise<ResponsePartition> {
  const answer = await lookUpOffset(partition, lookup)
  const hasEpoch = lookup.apiVersion >= FIRST_VERSION_WITH_EPOCH
  return hasEpoch ? answer : { ...answer, leaderEpoch: NO_LEADER_EPOCH }
}

async function lookUpOffset(
  partition: RequestPartition,
  lookup: Lookup,
): Promise<ResponsePartition> {
  const { partitionIndex, timestamp, currentLeaderEpoch } = partition
  if (timestamp < 0n && (SINCE.get(timestamp) ?? Infinity) > lookup.apiVersion) {
    return failed(partitionIndex, ErrorCode.UNSUPPORTED_VERSION)
  }
  const offsets = lookup.logs.offsets(lookup.topic, partitionIndex)
  if (offsets === undefined) {
    return failed(partitionIndex, lookup.logs.absence(lookup.topic, partitionIndex))
  }
  const problem = leaderEpochProblem(currentLeaderEpoch, offsets.leaderEpoch)
  if (problem !== ErrorCode.NONE) return failed(partitionIndex, problem)
  const below = lastFetchable(offsets, lookup)
  switch (timestamp) {
    case LATEST:
      return found(partitionIndex, -1n, below, offsets.leaderEpoch)
    case EARLIEST:
    case EARLIEST_LOCAL: {
      const { logStartOffset } = offsets
      const epoch = lookup.logs.epochForOffset(lookup.topic, partitionIndex, logStartOffset)
      return found(partitionIndex, -1n, logStartOffset, epoch)
    }
    case LATEST_TIERED:
    case EARLIEST_PENDING_UPLOAD:
      return found(partitionIndex, -1n, -1n, NO_LEADER_EPOCH)
    default:
      return lookUpRecord(partition, lookup, offsets, below)
  }
}

async function lookUpRecord(
  { partitionIndex, timestamp }: RequestPartition,
  { logs, topic }: Lookup,
  { logStartOffset }: OffsetsOfPartition,
  below: bigint,
): Promise<ResponsePartition> {
  const partition = { logs, topic, partition: partitionIndex }
  const record =
    timestamp === MAX_TIMESTAMP
      ? await offsetOfMaxTimestamp(partition)
      : await offsetForTimestamp(partition, timestamp, logStartOffset, below)
  if (record === null || record.offset >= below) {
    return found(partitionIndex, -1n, -1n, NO_LEADER_EPOCH)
  }
  const epoch = logs.epochForOffset(topic, partitionIndex, record.offset)
  return found(partitionIndex, record.timestamp, record.offset, epoch)
}

/** The offset that bounds what the asker may see: followers see all, consumers by their isolation level. */
function lastFetchable(offsets: OffsetsOfPartition, lookup: Lookup): bigint {
  if (lookup.replicaId !== CONSUMER_REPLICA_ID) return offsets.logEndOffset
  const isCommittedOnly = lookup.isolationLevel === READ_COMMITTED
  return isCommittedOnly ? offsets.lastStableOffset : offsets.highWatermark
}

/** Each partition once; those that were named twice are added to `repeated` and refused, as in Kafka. */
function withoutRepetitions({ topics }: ListOffsetsRequest, repeated: Set<string>) {
  const seen = new Set<string>()
  return topics.map(({ name, partitions }) => ({
    name,
    partitions: partitions.filter(({ partitionIndex }) => {
      const key = `${name}/${partitionIndex}`
      if (seen.has(key)) repeated.add(key)
      const isFirst = !seen.has(key)
      seen.add(key)
      return isFirst
    }),
  }))
}

function found(
  partitionIndex: number,
  timestamp: bigint,
  offset: bigint,
  leaderEpoch: number,
): ResponsePartition {
  return { partitionIndex, errorCode: ErrorCode.NONE, timestamp, offset, leaderEpoch }
}

function failed(partitionIndex: number, errorCode: number): ResponsePartition {
  return { partitionIndex, errorCode, timestamp: -1n, offset: -1n, leaderEpoch: NO_LEADER_EPOCH }
}
