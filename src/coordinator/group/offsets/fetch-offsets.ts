/** OffsetFetch v1-v10: the committed offsets of a group. */
import { type Uuid, ZERO_UUID } from '../../../base/uuid.js'
import { ErrorCode } from '../../../protocol/error-codes.js'
import type { GroupShard } from '../group-shard.js'
import type { CommittedOffset } from './offset-expiry.js'

export interface OffsetFetch {
  readonly groupId: string
  readonly memberId: string | null
  readonly memberEpoch: number
  readonly requireStable: boolean
  /** Null: all that the group has. */
  readonly topics: readonly WantedTopic[] | null
}

export interface WantedTopic {
  readonly name: string
  /** ZERO_UUID: unknown. An offset that was committed for another topic of the name does not count. */
  readonly topicId: Uuid
  readonly partitionIndexes: readonly number[]
}

export interface FetchedPartition {
  readonly partitionIndex: number
  /** -1: nothing is committed. */
  readonly committedOffset: bigint
  readonly committedLeaderEpoch: number
  readonly metadata: string
  readonly errorCode: number
}

export interface FetchAnswer {
  readonly errorCode: number
  readonly topics: readonly {
    readonly name: string
    readonly topicId: Uuid
    readonly partitions: readonly FetchedPartition[]
  }[]
}

const NO_OFFSET = { committedOffset: -1n, committedLeaderEpoch: -1, metadata: '' } as const

export function fetchOffsets(shard: GroupShard, fetch: OffsetFetch): FetchAnswer {
  const { groupId, memberId, memberEpoch } = fetch
  const refusal = shard.groups.get(groupId)?.judgeOffsetFetch(memberId, memberEpoch)
  if (refusal === ErrorCode.GROUP_ID_NOT_FOUND) return nothingFor(fetch)
  if (refusal !== undefined && refusal !== ErrorCode.NONE) return fetchFailure(refusal)
  const topics = fetch.topics ?? everything(shard, fetch)
  return {
    errorCode: ErrorCode.NONE,
    topics: topics.map(({ name, topicId, partitionIndexes }) => ({
      name,
      topicId,
      partitions: partitionIndexes.map(partitionIndex => {
        if (fetch.requireStable && shard.offsets.isPending(groupId, name, partitionIndex)) {
          return { partitionIndex, ...NO_OFFSET, errorCode: ErrorCode.UNSTABLE_OFFSET_COMMIT }
        }
        const committed = shard.offsets.get(groupId, name, partitionIndex)
        return describe(partitionIndex, committed, topicId)
      }),
    })),
  }
}

export function fetchFailure(errorCode: number): FetchAnswer {
  return { errorCode, topics: [] }
}

/** The topics of a group that has any offset, and, if asked for stable ones, what is about to have one. */
function everything(shard: GroupShard, { groupId, requireStable }: OffsetFetch): WantedTopic[] {
  const wanted = new Map<string, Set<number>>()
  for (const [name, partitions] of shard.offsets.of(groupId)) {
    wanted.set(name, new Set(partitions.keys()))
  }
  if (requireStable) {
    for (const [name, partition] of shard.offsets.pendingPartitions(groupId)) {
      if (wanted.has(name)) wanted.get(name)!.add(partition)
    }
  }
  return Array.from(wanted, ([name, partitions]) => ({
    name,
    topicId: ZERO_UUID,
    partitionIndexes: [...partitions],
  }))
}

function nothingFor({ topics }: OffsetFetch): FetchAnswer {
  return {
    errorCode: ErrorCode.NONE,
    topics: (topics ?? []).map(({ name, topicId, partitionIndexes }) => ({
      name,
      topicId,
      partitions: partitionIndexes.map(index => describe(index, undefined, topicId)),
    })),
  }
}

function describe(
  partitionIndex: number,
  committed: CommittedOffset | undefined,
  topicId: Uuid,
): FetchedPartition {
  const errorCode = ErrorCode.NONE
  if (committed === undefined || isOfAnother(committed, topicId)) {
    return { partitionIndex, ...NO_OFFSET, errorCode }
  }
  return {
    partitionIndex,
    committedOffset: committed.offset,
    committedLeaderEpoch: committed.leaderEpoch,
    metadata: committed.metadata,
    errorCode,
  }
}

/** The topic was deleted and made again since. */
function isOfAnother({ topicId: committed }: CommittedOffset, wanted: Uuid): boolean {
  return committed !== ZERO_UUID && wanted !== ZERO_UUID && committed !== wanted
}
