/** Offsets leave: on request (OffsetDelete v0), with their topic, by age, or with their group (DeleteGroups). */
import { ErrorCode } from '../../../protocol/error-codes.js'
import { type Outcome, answer } from '../../runtime/operation.js'
import type { GroupShard } from '../group-shard.js'
import type { GroupRecord } from '../records/group-record.js'
import { isExpired } from './offset-expiry.js'

export interface OffsetDeletion {
  readonly groupId: string
  /** Topics that exist. */
  readonly topics: readonly { readonly name: string; readonly partitions: readonly number[] }[]
}

export interface DeletionAnswer {
  /** Of all of the request. */
  readonly errorCode: number
  readonly topics: readonly {
    readonly name: string
    readonly partitions: readonly { readonly partitionIndex: number; readonly errorCode: number }[]
  }[]
}

export function deleteOffsets(
  shard: GroupShard,
  { groupId, topics }: OffsetDeletion,
): Outcome<GroupRecord, DeletionAnswer> {
  const group = shard.groups.get(groupId)
  const refusal = group?.judgeOffsetDelete() ?? ErrorCode.GROUP_ID_NOT_FOUND
  if (group === undefined || refusal !== ErrorCode.NONE) {
    return answer<GroupRecord, DeletionAnswer>({ errorCode: refusal, topics: [] })
  }
  const records: GroupRecord[] = []
  const answered = topics.map(({ name, partitions }) => {
    const isSubscribed = group.isSubscribedTo(name)
    const errorCode = isSubscribed ? ErrorCode.GROUP_SUBSCRIBED_TO_TOPIC : ErrorCode.NONE
    for (const partition of isSubscribed ? [] : partitions) {
      if (shard.offsets.get(groupId, name, partition) === undefined) continue
      records.push(offsetTombstone(groupId, name, partition))
    }
    return { name, partitions: partitions.map(index => ({ partitionIndex: index, errorCode })) }
  })
  return { records, response: { errorCode: ErrorCode.NONE, topics: answered }, atomic: false }
}

/** All offsets of a group. */
export function offsetTombstones(shard: GroupShard, groupId: string): GroupRecord[] {
  const records: GroupRecord[] = []
  for (const [topic, partitions] of shard.offsets.of(groupId)) {
    for (const partition of partitions.keys())
      records.push(offsetTombstone(groupId, topic, partition))
  }
  return records
}

/** The offsets of topics that were deleted, in all groups. */
export function dropOffsetsOf(
  shard: GroupShard,
  topics: ReadonlySet<string>,
): Outcome<GroupRecord, void> {
  const records: GroupRecord[] = []
  for (const groupId of shard.offsets.groups()) {
    for (const topic of topics) {
      for (const partition of shard.offsets.of(groupId).get(topic)?.keys() ?? []) {
        records.push(offsetTombstone(groupId, topic, partition))
      }
    }
  }
  return { records, response: undefined, atomic: false }
}

/** Offsets that nobody used for long, and groups that have nothing left (KIP-211). */
export function expireOffsets(shard: GroupShard, nowMs: number): Outcome<GroupRecord, void> {
  const records: GroupRecord[] = []
  for (const group of shard.groups.values()) {
    const left = expireOffsetsOf(shard, group.groupId, nowMs, records)
    const isUnused = left === 0 && group.isEmpty && !shard.offsets.hasPending(group.groupId)
    if (isUnused) records.push(...group.tombstones())
  }
  return { records, response: undefined, atomic: false }
}

/** Returns how many offsets stay. */
function expireOffsetsOf(
  shard: GroupShard,
  groupId: string,
  nowMs: number,
  records: GroupRecord[],
): number {
  const group = shard.groups.get(groupId)!
  const expiry = group.offsetExpiry()
  const minutes = shard.context.config.get('offsets.retention.minutes')
  const age = { nowMs, retentionMs: minutes * 60_000 }
  let left = 0
  for (const [topic, partitions] of shard.offsets.of(groupId)) {
    const isKept = expiry === null || group.isSubscribedTo(topic)
    for (const [partition, offset] of partitions) {
      const isDue = !isKept && isExpired(offset, expiry, age)
      if (isDue && !shard.offsets.isPending(groupId, topic, partition)) {
        records.push(offsetTombstone(groupId, topic, partition))
      } else {
        left++
      }
    }
  }
  return left
}

function offsetTombstone(group: string, topic: string, partition: number): GroupRecord {
  return { kind: 'OffsetCommit', key: { group, topic, partition }, value: null }
}
