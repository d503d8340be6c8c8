/** The offsets that groups have committed. */
import { ErrorCode } from '../../protocol/error-codes.js'
import { OffsetCommitRequest, OffsetCommitResponse } from '../../protocol/messages/offset-commit.js'
import { OffsetDeleteRequest, OffsetDeleteResponse } from '../../protocol/messages/offset-delete.js'
import { OffsetFetchRequest, OffsetFetchResponse } from '../../protocol/messages/offset-fetch.js'
import type { CallOptions, Cluster } from '../cluster/cluster.js'
import { brokerError, throwIfError } from '../errors.js'
import { type ItemResults, perItem } from './per-item.js'
import { type TopicPartition, nameOf } from '../consumer/topic-partition.js'
import { byTopic } from './topic-partitions.js'

const FETCH = { request: OffsetFetchRequest, response: OffsetFetchResponse }
const COMMIT = { request: OffsetCommitRequest, response: OffsetCommitResponse }
const DELETE = { request: OffsetDeleteRequest, response: OffsetDeleteResponse }

/** The newest versions with topic names: a group may hold offsets of topics that are gone, which have no id. */
const FETCH_VERSION_MAX = 9
const COMMIT_VERSION_MAX = 9
/** From here on one request asks for several groups. */
const GROUPS_SINCE = 8

/** A committed offset of one partition. */
export interface CommittedOffset extends TopicPartition {
  readonly offset: bigint
  /** -1 if the committer did not say. */
  readonly leaderEpoch: number
  readonly metadata: string
}

/** An offset to commit. */
export interface OffsetToCommit extends TopicPartition {
  readonly offset: bigint
  readonly leaderEpoch?: number
  readonly metadata?: string
}

/** See `Admin.groups`. */
export class GroupOffsets {
  readonly #cluster: Cluster

  /** @internal */
  constructor(cluster: Cluster) {
    this.#cluster = cluster
  }

  /**
   * What a group has committed: for the partitions given, or for all it has. Partitions without an offset are left
   * out.
   *
   * @example
   * const offsets = await admin.groups.listOffsets('billing')
   */
  async listOffsets(
    groupId: string,
    partitions: readonly TopicPartition[] | null = null,
    options: CallOptions & { readonly requireStable?: boolean } = {},
  ): Promise<CommittedOffset[]> {
    const topics =
      partitions === null
        ? null
        : [...byTopic(partitions)].map(([name, items]) => ({
            name,
            partitionIndexes: items.map(({ partition }) => partition),
          }))
    const requireStable = options.requireStable === true
    return this.#cluster.retrying(
      `Listing the offsets of group "${groupId}"`,
      async () => {
        const answer = await this.#cluster.requestCoordinator(
          groupId,
          FETCH,
          version => ({
            ...(version >= GROUPS_SINCE ? { groups: [{ groupId, topics }] } : { groupId, topics }),
            ...(version >= 7 ? { requireStable } : {}),
          }),
          { versionMax: FETCH_VERSION_MAX },
        )
        const group = answer.groups[0] ?? answer
        this.#throwIfError(groupId, group.errorCode, `The offsets of group "${groupId}"`)
        return group.topics.flatMap(({ name, partitions: found }) =>
          found
            .filter(({ errorCode, partitionIndex }) => {
              throwIfError(errorCode, `The offset of ${name}-${partitionIndex}`)
              return true
            })
            .filter(({ committedOffset }) => committedOffset >= 0n)
            .map(({ partitionIndex, committedOffset, committedLeaderEpoch, metadata }) => ({
              topic: name,
              partition: partitionIndex,
              offset: committedOffset,
              leaderEpoch: committedLeaderEpoch,
              metadata: metadata ?? '',
            })),
        )
      },
      options,
    )
  }

  /**
   * Commits offsets for a group that has no members. Rejects with UNKNOWN_MEMBER_ID while it has some.
   *
   * @example
   * await admin.groups.alterOffsets('billing', [{ topic: 'orders', partition: 0, offset: 0n }])
   */
  async alterOffsets(
    groupId: string,
    offsets: readonly OffsetToCommit[],
    options: CallOptions = {},
  ): Promise<void> {
    await this.#perPartition(
      groupId,
      `Altering the offsets of group "${groupId}"`,
      offsets,
      async pending => {
        const answer = await this.#cluster.requestCoordinator(
          groupId,
          COMMIT,
          {
            groupId,
            memberId: '',
            topics: [...byTopic(pending)].map(([name, partitions]) => ({
              name,
              partitions: partitions.map(p => ({
                partitionIndex: p.partition,
                committedOffset: p.offset,
                committedLeaderEpoch: p.leaderEpoch ?? -1,
                committedMetadata: p.metadata ?? '',
              })),
            })),
          },
          { versionMax: COMMIT_VERSION_MAX },
        )
        return answer.topics
      },
      options,
    )
  }

  /**
   * Forgets offsets of a group. Rejects with GROUP_SUBSCRIBED_TO_TOPIC while members consume the topic.
   *
   * @example
   * await admin.groups.deleteOffsets('billing', [{ topic: 'orders', partition: 0 }])
   */
  async deleteOffsets(
    groupId: string,
    partitions: readonly TopicPartition[],
    options: CallOptions = {},
  ): Promise<void> {
    await this.#perPartition(
      groupId,
      `Deleting offsets of group "${groupId}"`,
      partitions,
      async pending => {
        const answer = await this.#cluster.requestCoordinator(groupId, DELETE, {
          groupId,
          topics: [...byTopic(pending)].map(([name, items]) => ({
            name,
            partitions: items.map(({ partition }) => ({ partitionIndex: partition })),
          })),
        })
        this.#throwIfError(groupId, answer.errorCode, `Deleting offsets of group "${groupId}"`)
        return answer.topics
      },
      options,
    )
  }

  async #perPartition<I extends TopicPartition>(
    groupId: string,
    what: string,
    items: readonly I[],
    ask: (pending: readonly I[]) => Promise<
      readonly {
        readonly name: string
        readonly partitions: readonly {
          readonly partitionIndex: number
          readonly errorCode: number
        }[]
      }[]
    >,
    options: CallOptions,
  ): Promise<void> {
    await perItem(
      this.#cluster,
      what,
      items,
      nameOf,
      async pending => {
        const results: ItemResults<undefined> = new Map()
        for (const { name, partitions } of await ask(pending)) {
          for (const { partitionIndex, errorCode } of partitions) {
            const key = nameOf({ topic: name, partition: partitionIndex })
            const isFine = errorCode === ErrorCode.NONE
            const error = isFine ? undefined : brokerError(errorCode, `${what}, ${key}`)
            if (error !== undefined) this.#cluster.noteGroupError(groupId, error)
            results.set(key, error)
          }
        }
        return results
      },
      options,
    )
  }

  #throwIfError(groupId: string, errorCode: number, subject: string): void {
    if (errorCode === ErrorCode.NONE) return
    const error = brokerError(errorCode, subject)
    this.#cluster.noteGroupError(groupId, error)
    throw error
  }
}
