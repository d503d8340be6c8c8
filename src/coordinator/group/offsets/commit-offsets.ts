/** OffsetCommit v2-v10: who may commit, and the records of what is committed. */
import type { Uuid } from '../../../base/uuid.js'
import { ErrorCode } from '../../../protocol/error-codes.js'
import { type Outcome, answer } from '../../runtime/operation.js'
import { ClassicGroup } from '../classic/classic-group.js'
import { expectHeartbeat } from '../classic/heartbeat.js'
import type { GroupShard } from '../group-shard.js'
import type { OffsetCommitter, PartitionVerdict } from '../group.js'
import type { GroupRecord } from '../records/group-record.js'

export interface OffsetCommit extends OffsetCommitter {
  readonly groupId: string
  /** v2-v4; -1: by the settings of the broker. */
  readonly retentionTimeMs: bigint
  /** Topics that exist. */
  readonly topics: readonly CommittedTopic[]
}

export interface CommittedTopic {
  readonly name: string
  /** ZERO_UUID: unknown. */
  readonly topicId: Uuid
  readonly partitions: readonly {
    readonly partitionIndex: number
    readonly committedOffset: bigint
    readonly committedLeaderEpoch: number
    readonly committedMetadata: string | null
  }[]
}

/** By topic and partition, in the order of the request. */
export type CommitAnswer = readonly {
  readonly name: string
  readonly topicId: Uuid
  readonly partitions: readonly { readonly partitionIndex: number; readonly errorCode: number }[]
}[]

const FIRST_VERSION_WITH_GROUP_NOT_FOUND = 9

export function commitOffsets(
  shard: GroupShard,
  commit: OffsetCommit,
  nowMs: number,
): Outcome<GroupRecord, CommitAnswer> {
  const verdict = judge(shard, commit)
  if (typeof verdict === 'number') return answer(commitFailure(commit, verdict))
  keepSession(shard, commit)
  const metadataMax = shard.context.config.get('offset.metadata.max.bytes')
  const expireTimestamp =
    commit.retentionTimeMs === -1n ? -1n : BigInt(nowMs) + commit.retentionTimeMs
  const records: GroupRecord[] = []
  const response = commit.topics.map(({ name, topicId, partitions }) => ({
    name,
    topicId,
    partitions: partitions.map(partition => {
      const { partitionIndex, committedMetadata } = partition
      const metadata = committedMetadata ?? ''
      const refusal = verdict(name, topicId, partitionIndex)
      if (refusal !== ErrorCode.NONE) return { partitionIndex, errorCode: refusal }
      if (metadata.length > metadataMax) {
        return { partitionIndex, errorCode: ErrorCode.OFFSET_METADATA_TOO_LARGE }
      }
      records.push({
        kind: 'OffsetCommit',
        key: { group: commit.groupId, topic: name, partition: partitionIndex },
        value: {
          offset: partition.committedOffset,
          leaderEpoch: partition.committedLeaderEpoch,
          metadata,
          commitTimestamp: BigInt(nowMs),
          expireTimestamp,
          topicId,
        },
      })
      return { partitionIndex, errorCode: ErrorCode.NONE }
    }),
  }))
  return { records, response }
}

/** Everything refused with one error. */
export function commitFailure(
  { topics }: Pick<OffsetCommit, 'topics'>,
  errorCode: number,
): CommitAnswer {
  return topics.map(({ name, topicId, partitions }) => ({
    name,
    topicId,
    partitions: partitions.map(({ partitionIndex }) => ({ partitionIndex, errorCode })),
  }))
}

function judge(shard: GroupShard, commit: OffsetCommit): number | PartitionVerdict {
  const group = shard.groups.get(commit.groupId)
  if (group !== undefined) return group.judgeOffsetCommit(commit)
  // Whoever is no member may keep offsets under any name: the group comes with its first record.
  if (commit.generationIdOrMemberEpoch < 0) return () => ErrorCode.NONE
  return commit.apiVersion >= FIRST_VERSION_WITH_GROUP_NOT_FOUND
    ? ErrorCode.GROUP_ID_NOT_FOUND
    : ErrorCode.ILLEGAL_GENERATION
}

/** A commit shows that a classic member lives. */
function keepSession(shard: GroupShard, { groupId, memberId }: OffsetCommit): void {
  const group = shard.groups.get(groupId)
  if (!(group instanceof ClassicGroup)) return
  if (group.state !== 'Stable' && group.state !== 'PreparingRebalance') return
  const member = group.member(memberId)
  if (member !== undefined) expectHeartbeat(shard, group, member)
}
