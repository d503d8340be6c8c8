/** What the cluster knows of a topic; immutable snapshots, replaced as a whole on change. */
import type { Uuid } from '../base/uuid.js'

export interface PartitionState {
  readonly partition: number
  readonly replicas: readonly number[]
  /** -1 while there is none. */
  readonly leader: number
  readonly leaderEpoch: number
  readonly isr: readonly number[]
  /** Counts every change of the state; the version of its node. */
  readonly partitionEpoch: number
}

export interface Topic {
  readonly name: string
  readonly topicId: Uuid
  readonly isInternal: boolean
  /** By partition number, without gaps. */
  readonly partitions: readonly PartitionState[]
  /** The topic's own settings, as texts. */
  readonly configs: ReadonlyMap<string, string>
}

export interface NewTopic {
  readonly name: string
  /** A fresh one if absent; given when the folders of an existing topic are taken over. */
  readonly topicId?: Uuid
  /** The replicas of partition 0, 1, ...; the first one leads. */
  readonly assignments: readonly (readonly number[])[]
  readonly configs?: Iterable<readonly [string, string]>
}
