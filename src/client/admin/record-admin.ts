/** Records and offsets of partitions. */
import { ErrorCode } from '../../protocol/error-codes.js'
import {
  DeleteRecordsRequest,
  DeleteRecordsResponse,
} from '../../protocol/messages/delete-records.js'
import { ListOffsetsRequest, ListOffsetsResponse } from '../../protocol/messages/list-offsets.js'
import type { CallOptions, Cluster } from '../cluster/cluster.js'
import { brokerError } from '../errors.js'
import { perItem } from './per-item.js'
import { type TopicPartition, nameOf } from '../consumer/topic-partition.js'
import { byLeader, byTopic } from './topic-partitions.js'

const DELETE = { request: DeleteRecordsRequest, response: DeleteRecordsResponse }
const LIST = { request: ListOffsetsRequest, response: ListOffsetsResponse }

/** Kafka's special timestamps. */
const SPECIAL_TIMESTAMPS = {
  latest: -1n,
  earliest: -2n,
  maxTimestamp: -3n,
  earliestLocal: -4n,
  latestTiered: -5n,
} as const

/** A point in a log: one of Kafka's names for it, or the first record at or after a time (milliseconds or Date). */
export type OffsetSpec = keyof typeof SPECIAL_TIMESTAMPS | number | bigint | Date

/** An offset that was looked up; -1 if no record matches. */
export interface ListedOffset {
  readonly offset: bigint
  /** Of that record; -1 for `latest` and `earliest`. */
  readonly timestamp: bigint
  readonly leaderEpoch: number
}

/** A partition and the point that is asked for. */
export interface OffsetQuery extends TopicPartition {
  readonly at: OffsetSpec
}

/** A partition and the first offset to keep; -1 for none (all up to the high watermark go). */
export interface DeleteRecordsBefore extends TopicPartition {
  readonly beforeOffset: bigint
}

/** See `Admin.records`. */
export class RecordAdmin {
  readonly #cluster: Cluster

  /** @internal */
  constructor(cluster: Cluster) {
    this.#cluster = cluster
  }

  /**
   * Offsets of partitions by `topic-partition`.
   *
   * @example
   * const ends = await admin.records.listOffsets([{ topic: 'orders', partition: 0, at: 'latest' }])
   * const end = ends.get('orders-0')?.offset
   */
  listOffsets(
    queries: readonly OffsetQuery[],
    options: CallOptions & { readonly isolationLevel?: 'readUncommitted' | 'readCommitted' } = {},
  ): Promise<Map<string, ListedOffset>> {
    const isolationLevel = options.isolationLevel === 'readCommitted' ? 1 : 0
    const timeoutMs = this.#cluster.options.requestTimeoutMs
    const ask = async (led: readonly OffsetQuery[], node: { host: string; port: number }) => {
      const answer = await this.#cluster.request(node, LIST, {
        replicaId: -1,
        isolationLevel,
        timeoutMs,
        topics: [...byTopic(led)].map(([name, partitions]) => ({
          name,
          partitions: partitions.map(({ partition, at }) => ({
            partitionIndex: partition,
            timestamp: timestampOf(at),
          })),
        })),
      })
      return answer.topics.flatMap(({ name, partitions }) =>
        partitions.map(({ partitionIndex, errorCode, offset, timestamp, leaderEpoch }) => {
          const key = nameOf({ topic: name, partition: partitionIndex })
          const found = { offset, timestamp, leaderEpoch }
          const isFine = errorCode === ErrorCode.NONE
          return [key, isFine ? found : brokerError(errorCode, `Offsets of ${key}`)] as const
        }),
      )
    }
    return this.#perLeader('Listing offsets', queries, ask, options)
  }

  /**
   * Deletes the records before an offset. Returns the new first offset by `topic-partition`.
   *
   * @example
   * await admin.records.delete([{ topic: 'orders', partition: 0, beforeOffset: 100n }])
   */
  delete(
    ranges: readonly DeleteRecordsBefore[],
    options: CallOptions = {},
  ): Promise<Map<string, bigint>> {
    const timeoutMs = this.#cluster.options.requestTimeoutMs
    const ask = async (
      led: readonly DeleteRecordsBefore[],
      node: { host: string; port: number },
    ) => {
      const answer = await this.#cluster.request(node, DELETE, {
        timeoutMs,
        topics: [...byTopic(led)].map(([name, partitions]) => ({
          name,
          partitions: partitions.map(({ partition, beforeOffset }) => ({
            partitionIndex: partition,
            offset: beforeOffset,
          })),
        })),
      })
      return answer.topics.flatMap(({ name, partitions }) =>
        partitions.map(({ partitionIndex, errorCode, lowWatermark }) => {
          const key = nameOf({ topic: name, partition: partitionIndex })
          const isFine = errorCode === ErrorCode.NONE
          const failure = () => brokerError(errorCode, `Deleting records of ${key}`)
          return [key, isFine ? lowWatermark : failure()] as const
        }),
      )
    }
    return this.#perLeader('Deleting records', ranges, ask, options)
  }

  #perLeader<I extends TopicPartition, R>(
    what: string,
    items: readonly I[],
    ask: (
      led: readonly I[],
      node: { host: string; port: number },
    ) => Promise<(readonly [string, R | ReturnType<typeof brokerError>])[]>,
    options: CallOptions,
  ): Promise<Map<string, R>> {
    return perItem(
      this.#cluster,
      what,
      items,
      nameOf,
      async pending => {
        const leaders = await byLeader(this.#cluster, pending)
        const answers = await Promise.all([...leaders].map(([node, led]) => ask(led, node)))
        return new Map(answers.flat())
      },
      options,
    )
  }
}

function timestampOf(at: OffsetSpec): bigint {
  if (typeof at === 'string') return SPECIAL_TIMESTAMPS[at]
  return typeof at === 'bigint' ? at : BigInt(Number(at))
}
