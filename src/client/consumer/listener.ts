/** What an application is told of its partitions. */
import type { TopicPartition } from './topic-partition.js'

/**
 * Called from inside `poll` or the iteration, so never while a record is being handled. They may be async: the
 * rebalance waits for them. What they throw comes out of `poll`.
 */
export interface RebalanceListener {
  /** New partitions; with a cooperative protocol those only, without what was kept. */
  onPartitionsAssigned?(partitions: TopicPartition[]): void | Promise<void>
  /** Partitions about to go: the last chance to commit. */
  onPartitionsRevoked?(partitions: TopicPartition[]): void | Promise<void>
  /** Partitions that are gone already, as after a session that ended; others may read them. Default: as revoked. */
  onPartitionsLost?(partitions: TopicPartition[]): void | Promise<void>
}
