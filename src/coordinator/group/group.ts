/** What groups of both protocols have in common, as far as offsets, deletion and listing go. */
import type { Uuid } from '../../base/uuid.js'
import type { OffsetExpiry } from './offsets/offset-expiry.js'
import type { GroupRecord } from './records/group-record.js'

/** As ListGroups v5 spells them. */
export type GroupType = 'classic' | 'consumer'

/** Who commits or deletes offsets, in the words of its request. */
export interface OffsetCommitter {
  readonly memberId: string
  readonly groupInstanceId: string | null
  /** Generation of a classic member or epoch of a consumer member; -1: outside of the group. */
  readonly generationIdOrMemberEpoch: number
  readonly apiVersion: number
  readonly isTransactional: boolean
}

/** Judges each partition of a commit: NONE, or why it is refused. */
export type PartitionVerdict = (topic: string, topicId: Uuid, partition: number) => number

export interface Group {
  readonly groupId: string
  readonly type: GroupType
  /** As DescribeGroups and ListGroups print it: Empty, Stable, PreparingRebalance, … */
  readonly stateName: string
  /** 'consumer' for consumer groups; what the members said for classic ones. */
  readonly protocolType: string
  readonly isEmpty: boolean
  /** An error for all of the commit, or what to ask for each partition. */
  judgeOffsetCommit(committer: OffsetCommitter): number | PartitionVerdict
  /** NONE, or why this member may not fetch offsets (v9; memberEpoch -1 and no member: an admin). */
  judgeOffsetFetch(memberId: string | null, memberEpoch: number): number
  /** NONE, or why no offset may be deleted now. */
  judgeOffsetDelete(): number
  /** NONE, or why the group cannot be deleted. */
  judgeDelete(): number
  isSubscribedTo(topic: string): boolean
  /** The records that delete the group, its offsets apart. */
  tombstones(): GroupRecord[]
  /** When its offsets expire; null: never while it is as it is. */
  offsetExpiry(): OffsetExpiry | null
  /** The coordinator goes: answers whoever waits. */
  unloaded(): void
}
