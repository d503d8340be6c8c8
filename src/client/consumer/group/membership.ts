/** What a consumer needs of its part in a group, whichever protocol the group speaks. */
import type { TopicPartition } from '../topic-partition.js'

export interface MemberIdentity {
  readonly memberId: string
  /** The generation, or the member epoch; -1: no member now. */
  readonly generationOrEpoch: number
}

/** What changed about the assignment, to be told to the application before `commit` puts it into force. */
export interface AssignmentChange {
  /** All the member has afterwards. */
  readonly next: readonly TopicPartition[]
  /** Nobody asked the member for these: others may read them already. */
  readonly areLost: boolean
}

export interface Membership {
  readonly identity: MemberIdentity
  /**
   * Does what is due without waiting for others: begins to join, or tells what changed. Null: nothing. Throws what no
   * retry mends.
   */
  update(owned: readonly TopicPartition[]): AssignmentChange | null
  /** The change that `update` told of is in force, and the application knows. */
  applied(owned: readonly TopicPartition[]): void
  /** What the consumer wants changed. */
  subscribe(): void
  /** Every poll; a member that does not poll for too long leaves. */
  polled(): void
  /** A commit was refused: the coordinator no longer knows the member. */
  fenced(): void
  /** Leaves the group; quiet if that fails, the session then ends by itself. */
  leave(reason: string): Promise<void>
}
