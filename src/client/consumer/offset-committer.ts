/** Commits offsets as the member that the consumer is, and on the interval of auto-commit. */
import { ErrorCode } from '../../protocol/error-codes.js'
import { OffsetCommitRequest, OffsetCommitResponse } from '../../protocol/messages/offset-commit.js'
import type { OffsetToCommit } from '../admin/group-offsets.js'
import { byTopic } from '../admin/topic-partitions.js'
import type { Cluster } from '../cluster/cluster.js'
import { brokerError, errorCodeOf } from '../errors.js'
import type { Membership } from './group/membership.js'
import type { SubscriptionState } from './subscription-state.js'
import { nameOf } from './topic-partition.js'

const COMMIT = { request: OffsetCommitRequest, response: OffsetCommitResponse }
/** The newest version with topic names. */
const VERSION_MAX = 9
/** The member is not what the coordinator has: its partitions may be others'. */
const FENCED: readonly number[] = [
  ErrorCode.UNKNOWN_MEMBER_ID,
  ErrorCode.ILLEGAL_GENERATION,
  ErrorCode.FENCED_MEMBER_EPOCH,
]

export interface OffsetCommitterParts {
  readonly cluster: Cluster
  readonly groupId: string
  readonly groupInstanceId: string | null
  readonly subscription: SubscriptionState
  /** Null: partitions are assigned by hand. */
  membership(): Membership | null
}

export class OffsetCommitter {
  readonly #parts: OffsetCommitterParts

  constructor(parts: OffsetCommitterParts) {
    this.#parts = parts
  }

  /** Where every assigned partition stands: what was handed out before it counts as done. */
  positions(): OffsetToCommit[] {
    return [...this.#parts.subscription.states()].flatMap(({ partition, position }) =>
      position === null
        ? []
        : [{ ...partition, offset: position.offset, leaderEpoch: position.leaderEpoch }],
    )
  }

  /** Resolves when the offsets are durable. Rejects with the first refusal that no retry mends. */
  async commit(offsets: readonly OffsetToCommit[], timeoutMs?: number): Promise<void> {
    if (offsets.length === 0) return
    const { cluster, groupId } = this.#parts
    try {
      await cluster.retrying(
        `Committing offsets of group "${groupId}"`,
        () => this.#commitOnce(offsets),
        timeoutMs === undefined ? {} : { timeoutMs },
      )
    } catch (error) {
      if (FENCED.includes(errorCodeOf(error))) this.#parts.membership()?.fenced()
      throw error
    }
  }

  async #commitOnce(offsets: readonly OffsetToCommit[]): Promise<void> {
    const { cluster, groupId, groupInstanceId } = this.#parts
    const identity = this.#parts.membership()?.identity ?? { memberId: '', generationOrEpoch: -1 }
    const answer = await cluster.requestCoordinator(
      groupId,
      COMMIT,
      version => ({
        groupId,
        generationIdOrMemberEpoch: identity.generationOrEpoch,
        memberId: identity.generationOrEpoch < 0 ? '' : identity.memberId,
        ...(version >= 7 && identity.generationOrEpoch >= 0 ? { groupInstanceId } : {}),
        topics: [...byTopic(offsets)].map(([name, items]) => ({
          name,
          partitions: items.map(({ partition, offset, leaderEpoch, metadata }) => ({
            partitionIndex: partition,
            committedOffset: offset,
            committedLeaderEpoch: leaderEpoch ?? -1,
            committedMetadata: metadata ?? '',
          })),
        })),
      }),
      { versionMax: VERSION_MAX },
    )
    for (const { name, partitions } of answer.topics) {
      for (const { partitionIndex, errorCode } of partitions) {
        if (errorCode === ErrorCode.NONE) continue
        const where = nameOf({ topic: name, partition: partitionIndex })
        const error = brokerError(errorCode, `Committing the offset of ${where}`)
        cluster.noteGroupError(groupId, error)
        throw error
      }
    }
  }
}
