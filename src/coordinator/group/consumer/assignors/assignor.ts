/**
 * What the broker's own assignors are given and return (KIP-848). They run inside of an operation: the same input
 * gives the same output, whatever the time or the machine.
 */
import type { Uuid } from '../../../../base/uuid.js'
import type { Partitions } from '../partitions.js'

export interface MemberToAssign {
  readonly instanceId: string | null
  /** Existing topics only. */
  readonly subscribedTopicIds: ReadonlySet<Uuid>
  /** Its target assignment so far. */
  readonly assigned: Partitions
}

export interface AssignmentInput {
  /** By member id, in the order in which the group keeps them. */
  readonly members: ReadonlyMap<string, MemberToAssign>
  /** All members subscribe to the same topics. */
  readonly isHomogeneous: boolean
  /** How many partitions a topic has. Only for subscribed topics. */
  numPartitions(topicId: Uuid): number
}

/** The new target assignment by member id; a member that is missing gets nothing. */
export type Assignments = Map<string, Partitions>

export interface Assignor {
  readonly name: string
  assign(input: AssignmentInput): Assignments
}
