/**
 * Keeps one Fetch on its way to each broker that leads an assigned partition, and hands out what came. A partition is
 * asked for again when everything of it was handed out, so that at most one fetch of each is in memory.
 */
import { ErrorCode } from '../../../protocol/error-codes.js'
import { FetchRequest, FetchResponse } from '../../../protocol/messages/fetch.js'
import type { Cluster } from '../../cluster/cluster.js'
import type { BrokerNode } from '../../cluster/metadata.js'
import { asError, brokerError, isRetriableError } from '../../errors.js'
import type { ConsumerRecord } from '../consumer-record.js'
import type { ResolvedConsumerOptions } from '../consumer-options.js'
import type { PartitionState, SubscriptionState } from '../subscription-state.js'
import { nameOf } from '../topic-partition.js'
import { FetchedRecords } from './fetched-records.js'

const FETCH = { request: FetchRequest, response: FetchResponse }
const FIRST_VERSION_WITH_IDS = 13
const READ_COMMITTED = 1
/** The session epoch of a fetch without a session. */
const FINAL_EPOCH = -1

type FetchedPartition = FetchResponse['responses'][number]['partitions'][number]

/** A partition in a request, and what it was then. */
interface Asked {
  readonly state: PartitionState
  readonly seeks: number
  readonly offset: bigint
}

export interface FetcherParts {
  readonly cluster: Cluster
  readonly subscription: SubscriptionState
  readonly options: ResolvedConsumerOptions
  /** Something came, or failed. */
  notify(): void
}

export class Fetcher {
  readonly #parts: FetcherParts
  /** The brokers that owe an answer. */
  readonly #busy = new Set<number>()
  #failure: Error | undefined

  constructor(parts: FetcherParts) {
    this.#parts = parts
  }

  /** Asks every broker that is not busy for the partitions that have nothing left. */
  send(): void {
    const { cluster, subscription } = this.#parts
    const now = performance.now()
    const byNode = new Map<number, { node: BrokerNode; states: PartitionState[] }>()
    for (const state of subscription.states()) {
      if (!state.isFetchable(now)) continue
      const leader = cluster.metadata.partition(state.partition.topic, state.partition.partition)
      const node = leader === undefined ? undefined : cluster.metadata.broker(leader.leader)
      if (node === undefined) {
        this.#later(state)
        cluster.watchTopic(state.partition.topic)
        cluster.refreshSoon()
      } else if (!this.#busy.has(node.nodeId)) {
        const entry = byNode.get(node.nodeId) ?? { node, states: [] }
        entry.states.push(state)
        byNode.set(node.nodeId, entry)
      }
    }
    for (const { node, states } of byNode.values()) void this.#fetch(node, states)
  }

  /** At most `max` records that are there, of one partition after the other. Rejects with what no retry mends. */
  async take(max: number): Promise<ConsumerRecord[]> {
    const failure = this.#failure
    this.#failure = undefined
    if (failure !== undefined) throw failure
    const taken: ConsumerRecord[] = []
    for (const state of this.#parts.subscription.states()) {
      const { fetched } = state
      if (fetched === null || state.paused || state.revoking) continue
      const records = await fetched.take(max - taken.length)
      if (state.fetched !== fetched) continue // A seek came in between.
      state.position = { offset: fetched.nextOffset, leaderEpoch: fetched.leaderEpoch }
      if (fetched.done) state.fetched = null
      for (const record of records) taken.push(record)
      if (taken.length >= max) break
    }
    return taken
  }

  async #fetch(node: BrokerNode, states: readonly PartitionState[]): Promise<void> {
    const { cluster, options } = this.#parts
    const asked = new Map<string, Map<number, Asked>>()
    for (const state of states) {
      const { topic, partition } = state.partition
      const partitions = asked.get(topic) ?? new Map<number, Asked>()
      asked.set(topic, partitions)
      partitions.set(partition, { state, seeks: state.seeks, offset: state.position!.offset })
    }
    this.#busy.add(node.nodeId)
    try {
      const answer = await cluster.request(node, FETCH, version => this.#body(version, asked), {
        purpose: 'fetch',
        timeoutMs: cluster.options.requestTimeoutMs + options.fetchMaxWaitMs,
      })
      if (answer.errorCode !== ErrorCode.NONE) throw brokerError(answer.errorCode, 'Fetch')
      for (const { topic, topicId, partitions } of answer.responses) {
        const name = topic === '' ? cluster.metadata.nameOf(topicId) : topic
        for (const data of partitions) {
          const one = asked.get(name ?? '')?.get(data.partitionIndex)
          if (one !== undefined) this.#accept(one, data)
        }
      }
    } catch (error) {
      for (const state of states) this.#later(state)
      if (isRetriableError(error)) cluster.refreshSoon()
      else if (!cluster.signal.aborted) this.#failure = asError(error)
    } finally {
      this.#busy.delete(node.nodeId)
      this.#parts.notify()
    }
  }

  #body(version: number, asked: ReadonlyMap<string, ReadonlyMap<number, Asked>>) {
    const { cluster, options } = this.#parts
    const byId = version >= FIRST_VERSION_WITH_IDS
    return {
      maxWaitMs: options.fetchMaxWaitMs,
      minBytes: options.fetchMinBytes,
      maxBytes: options.fetchMaxBytes,
      isolationLevel: options.isolationLevel === 'read_committed' ? READ_COMMITTED : 0,
      sessionId: 0,
      sessionEpoch: FINAL_EPOCH,
      topics: [...asked].map(([topic, partitions]) => ({
        ...(byId ? { topicId: cluster.metadata.topic(topic)!.topicId } : { topic }),
        partitions: [...partitions].map(([partition, { offset }]) => ({
          partition,
          currentLeaderEpoch: cluster.metadata.partition(topic, partition)?.leaderEpoch ?? -1,
          fetchOffset: offset,
          partitionMaxBytes: options.maxPartitionFetchBytes,
        })),
      })),
      forgottenTopicsData: [],
      ...(version >= 11 ? { rackId: options.clientRack } : {}),
    }
  }

  #accept({ state, seeks, offset }: Asked, data: FetchedPartition): void {
    if (state.seeks !== seeks || state.position?.offset !== offset) return
    if (data.errorCode !== ErrorCode.NONE) return this.#refused(state, data.errorCode, offset)
    state.highWatermark = data.highWatermark
    state.lastStableOffset = data.lastStableOffset
    state.logStartOffset = data.logStartOffset
    if (data.records === null || data.records.length === 0) return
    state.fetched = new FetchedRecords(
      {
        partition: state.partition,
        fetchOffset: offset,
        records: data.records,
        highWatermark: data.highWatermark,
        lastStableOffset: data.lastStableOffset,
        logStartOffset: data.logStartOffset,
        abortedTransactions:
          this.#parts.options.isolationLevel === 'read_committed'
            ? (data.abortedTransactions ?? [])
            : null,
      },
      this.#parts.options.checkCrcs,
    )
  }

  #refused(state: PartitionState, errorCode: number, offset: bigint): void {
    const { cluster, options } = this.#parts
    const error = brokerError(errorCode, `Fetching ${nameOf(state.partition)} at offset ${offset}`)
    if (errorCode === ErrorCode.OFFSET_OUT_OF_RANGE && options.autoOffsetReset !== 'none') {
      state.seek(null, options.autoOffsetReset)
    } else if (isRetriableError(error)) {
      this.#later(state)
      cluster.refreshSoon()
    } else {
      this.#later(state)
      this.#failure = asError(error)
    }
  }

  /** Not at once again: the broker, or what is known of it, needs a moment. */
  #later(state: PartitionState): void {
    const { initialMs } = this.#parts.cluster.backoff
    state.retryAt = performance.now() + initialMs
    setTimeout(() => this.#parts.notify(), initialMs)
  }
}
