/** What the groups of one partition of __consumer_offsets share: time, timers, chance, topics and settings. */
import type { Clock } from '../../base/clock.js'
import type { Uuid } from '../../base/uuid.js'
import type { BrokerConfig } from '../../config/broker-config.js'
import type { GroupOverrides } from '../../config/group-config.js'
import type { Timers } from '../runtime/timers.js'
import type { GroupRecord } from './records/group-record.js'

export interface GroupContext {
  readonly clock: Clock
  readonly timers: Timers<GroupRecord>
  readonly topics: TopicsImage
  readonly config: BrokerConfig
  /** A new id of a member, as Kafka's Uuid in text. */
  newUuid(): Uuid
  /** What was set for one group (GROUP resources); empty: nothing. See config/group-config.ts. */
  groupOverrides(groupId: string): GroupOverrides
  /** Tells the operator of what happens to groups, at debug level. */
  trace(message: string): void
}

/** The topics of the cluster as of now. */
export interface TopicsImage {
  topic(name: string): TopicImage | undefined
  topicById(topicId: Uuid): TopicImage | undefined
  names(): Iterable<string>
  /** Grows with every creation, deletion and growth of a topic. */
  readonly version: number
}

export interface TopicImage {
  readonly name: string
  readonly topicId: Uuid
  readonly numPartitions: number
  /** The racks of the replicas of each partition, sorted; empty where none is known. */
  racks(partition: number): readonly string[]
}

/** Who sent a request. */
export interface GroupRequestContext {
  readonly apiVersion: number
  /** '' if the client gave none. */
  readonly clientId: string
  /** "/127.0.0.1", as Java prints an address. */
  readonly clientHost: string
}
