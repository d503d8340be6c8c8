/**
 * One operation on a consumer group in the making: the group as it is, and the records gathered so far. The group may
 * be one that no record describes yet (a new one, or a classic one that is being upgraded); then its records come
 * first.
 */
import type { GroupRecord } from '../records/group-record.js'
import type { GroupShard } from '../group-shard.js'
import type { ConsumerGroup } from './consumer-group.js'
import type { TopicHashes } from './topic-hash.js'

/** What consumer groups of one partition share. */
export interface ConsumerSideState {
  readonly shard: GroupShard
  readonly hashes: TopicHashes
  /** Version of the topics when one last came. */
  readonly newTopicsVersion: number
}

export interface GroupChange {
  readonly side: ConsumerSideState
  readonly group: ConsumerGroup
  readonly records: GroupRecord[]
  readonly nowMs: number
}
