/**
 * Reads topics, alone or as a member of a group. One poll at a time drives everything that the application sees:
 * rebalance callbacks, positions, records. Fetches, heartbeats and joins run beside it.
 */
import { GroupOffsets, type CommittedOffset, type OffsetToCommit } from '../admin/group-offsets.js'
import { type ListedOffset, type OffsetQuery, RecordAdmin } from '../admin/record-admin.js'
import { Cluster } from '../cluster/cluster.js'
import { closedError, configError, stateError } from '../errors.js'
import type { ConsumerBatch, ConsumerRecord } from './consumer-record.js'
import {
  type ConsumerOptions,
  type ResolvedConsumerOptions,
  resolveConsumerOptions,
} from './consumer-options.js'
import { Fetcher } from './fetch/fetcher.js'
import { ClassicMembership } from './group/classic-membership.js'
import { ConsumerMembership } from './group/consumer-membership.js'
import type { Membership } from './group/membership.js'
import type { RebalanceListener } from './listener.js'
import { OffsetCommitter } from './offset-committer.js'
import { PositionFinder } from './position-finder.js'
import { Rebalancer } from './rebalancer.js'
import { Signal } from './signal.js'
import { SubscriptionState } from './subscription-state.js'
import { type TopicPartition, keyOf } from './topic-partition.js'

const DEFAULT_POLL_MS = 1000
/** How long one sleep of a poll lasts at most: timers of the group need a look now and then. */
const NAP_MS = 1000

/**
 * A consumer.
 *
 * @example
 * const consumer = new Consumer({ bootstrapServers: '127.0.0.1:9092', groupId: 'billing' })
 * consumer.subscribe(['orders'])
 * for await (const record of consumer) await handle(record)
 */
export class Consumer {
  readonly #cluster: Cluster
  readonly #options: ResolvedConsumerOptions
  readonly #subscription = new SubscriptionState()
  readonly #signal = new Signal()
  readonly #fetcher: Fetcher
  readonly #positions: PositionFinder
  readonly #records: RecordAdmin
  readonly #groupOffsets: GroupOffsets
  readonly #committer: OffsetCommitter | null
  #membership: Membership | null = null
  #rebalancer: Rebalancer
  #isPolling = false
  #isClosed = false
  #wakeups = 0
  #committedAt = performance.now()
  #topicsOfPattern: readonly string[] = []

  /** Throws ERR_CLIENT_CONFIG; connects on first use only. */
  constructor(options: ConsumerOptions) {
    this.#options = resolveConsumerOptions(options)
    this.#cluster = new Cluster(options, {
      allowAutoTopicCreation: this.#options.allowAutoCreateTopics,
    })
    const notify = () => this.#signal.notify()
    const shared = { cluster: this.#cluster, subscription: this.#subscription, notify }
    this.#records = new RecordAdmin(this.#cluster)
    this.#groupOffsets = new GroupOffsets(this.#cluster)
    this.#fetcher = new Fetcher({ ...shared, options: this.#options })
    this.#positions = new PositionFinder({
      ...shared,
      options: this.#options,
      records: this.#records,
      offsets: this.#groupOffsets,
    })
    const { groupId, groupInstanceId } = this.#options
    this.#committer =
      groupId === null
        ? null
        : new OffsetCommitter({
            ...shared,
            groupId,
            groupInstanceId,
            membership: () => this.#membership,
          })
    this.#rebalancer = new Rebalancer(this.#subscription, {}, () => this.#commitBeforeRevoking())
    this.#cluster.onMetadata(() => this.#onMetadata())
  }

  /**
   * Asks the group for the partitions of topics, by names or by a pattern on names. Replaces an earlier subscription.
   *
   * @example
   * consumer.subscribe(['orders', 'payments'])
   * consumer.subscribe(/^orders-/, { onPartitionsRevoked: async () => consumer.commit() })
   */
  subscribe(topics: readonly string[] | RegExp, listener: RebalanceListener = {}): void {
    this.#throwIfClosed()
    if (this.#options.groupId === null) {
      throw configError('subscribe needs a groupId. Set one, or assign partitions by hand.')
    }
    if (!(topics instanceof RegExp) && topics.length === 0) return void this.unsubscribe()
    if (topics instanceof RegExp) {
      this.#subscription.subscribe({ kind: 'pattern', pattern: topics })
      this.#cluster.watchOnly(null)
    } else {
      this.#subscription.subscribe({ kind: 'topics', topics: [...new Set(topics)] })
      this.#cluster.watchOnly(topics)
    }
    this.#rebalancer = new Rebalancer(this.#subscription, listener, () =>
      this.#commitBeforeRevoking(),
    )
    this.#cluster.refreshSoon()
    if (this.#membership === null) this.#membership = this.#newMembership()
    else this.#membership.subscribe()
  }

  /** Takes partitions by hand, without a group's doing. An empty list takes none. */
  assign(partitions: readonly TopicPartition[]): void {
    this.#throwIfClosed()
    this.#subscription.assignByHand(partitions)
    this.#cluster.watchOnly(new Set(partitions.map(({ topic }) => topic)))
    this.#signal.notify()
  }

  /** Gives up everything, and leaves the group. */
  async unsubscribe(): Promise<void> {
    const membership = this.#membership
    this.#membership = null
    this.#subscription.subscribe({ kind: 'none' })
    await membership?.leave('the consumer unsubscribed')
  }

  /** The topics of the subscription. */
  get subscription(): readonly string[] {
    return this.#wantedTopics()
  }

  get assignment(): readonly TopicPartition[] {
    return this.#subscription.assigned()
  }

  /**
   * The next records, at most `maxPollRecords`; empty when none came in time. What an earlier poll returned counts as
   * done with the next one, where auto-commit is on. One poll at a time. Rejects with what no retry mends.
   *
   * @example
   * for (const record of await consumer.poll(1000)) handle(record)
   */
  async poll(timeoutMs: number = DEFAULT_POLL_MS): Promise<ConsumerRecord[]> {
    this.#throwIfClosed()
    if (this.#subscription.subscription.kind === 'none') {
      throw stateError('This consumer reads nothing: call subscribe() or assign() first.')
    }
    if (this.#isPolling) throw stateError('Another poll of this consumer has not returned yet.')
    this.#isPolling = true
    const wakeups = this.#wakeups
    const deadline = performance.now() + timeoutMs
    try {
      for (;;) {
        this.#membership?.polled()
        await this.#rebalance()
        this.#autoCommit()
        this.#positions.update()
        const records = await this.#fetcher.take(this.#options.maxPollRecords)
        this.#fetcher.send()
        const leftMs = deadline - performance.now()
        const isOver = leftMs <= 0 || this.#isClosed || this.#wakeups > wakeups
        if (records.length > 0 || isOver) return records
        await this.#signal.wait(Math.min(leftMs, NAP_MS))
      }
    } finally {
      this.#isPolling = false
    }
  }

  /** Makes a poll that waits return at once. */
  wakeup(): void {
    this.#wakeups++
    this.#signal.notify()
  }

  /**
   * Records one by one, for ever. Leaving the loop leaves the position behind the last record that it had.
   *
   * @example
   * for await (const record of consumer) await handle(record)
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<ConsumerRecord, void, undefined> {
    for await (const records of this.#polls()) {
      let done = 0
      try {
        for (; done < records.length; done++) yield records[done]!
      } finally {
        // The record that was being handled when the loop was left counts as handled.
        this.#giveBack(records.slice(done + 1))
      }
    }
  }

  /**
   * Records of one partition at a time, in batches, for ever.
   *
   * @example
   * for await (const batch of consumer.batches()) await store(batch.records)
   */
  async *batches(): AsyncGenerator<ConsumerBatch, void, undefined> {
    for await (const records of this.#polls()) {
      for (const batch of this.#batchesOf(records)) yield batch
    }
  }

  /** Commits offsets, or where everything stands; resolves when that is durable. */
  async commit(offsets?: readonly OffsetToCommit[], timeoutMs?: number): Promise<void> {
    const committer = this.#needCommitter()
    await committer.commit(offsets ?? committer.positions(), timeoutMs)
  }

  /** As commit. */
  commitSync(offsets?: readonly OffsetToCommit[], timeoutMs?: number): Promise<void> {
    return this.commit(offsets, timeoutMs)
  }

  /** Commits without waiting; `callback` is told how it went. */
  commitAsync(
    offsets?: readonly OffsetToCommit[],
    callback: (error: unknown) => void = () => undefined,
  ): void {
    this.commit(offsets).then(() => callback(undefined), callback)
  }

  /** What the group has committed for partitions; partitions without an offset are left out. */
  async committed(partitions: readonly TopicPartition[]): Promise<CommittedOffset[]> {
    this.#needCommitter()
    return this.#groupOffsets.listOffsets(this.#options.groupId!, partitions)
  }

  /** The next offset to be handed out; waits until it is known. */
  async position(partition: TopicPartition): Promise<bigint> {
    const state = this.#subscription.get(partition)
    while (state.position === null) {
      this.#positions.update()
      await this.#signal.wait(NAP_MS)
      this.#throwIfClosed()
    }
    return state.position.offset
  }

  /** Goes on at an offset. */
  seek(partition: TopicPartition, offset: bigint): void {
    if (offset < 0n) throw configError(`An offset cannot be ${offset}.`)
    this.#subscription.get(partition).seek({ offset, leaderEpoch: -1 }, null)
    this.#signal.notify()
  }

  /** Goes on at the first record there is; of all partitions if none are named. */
  seekToBeginning(partitions: readonly TopicPartition[] = this.assignment): void {
    for (const partition of partitions) this.#subscription.get(partition).seek(null, 'earliest')
    this.#signal.notify()
  }

  /** Goes on at what comes next. */
  seekToEnd(partitions: readonly TopicPartition[] = this.assignment): void {
    for (const partition of partitions) this.#subscription.get(partition).seek(null, 'latest')
    this.#signal.notify()
  }

  /** Goes on at the first record that is as young as a time, or at the end if none is. */
  seekToTime(time: Date | number, partitions: readonly TopicPartition[] = this.assignment): void {
    const timestamp = BigInt(typeof time === 'number' ? time : time.getTime())
    for (const partition of partitions) {
      this.#subscription.get(partition).seek(null, { timestamp })
    }
    this.#signal.notify()
  }

  /** Hands out nothing more of partitions; what was fetched is kept. */
  pause(partitions: readonly TopicPartition[]): void {
    for (const partition of partitions) this.#subscription.get(partition).paused = true
  }

  resume(partitions: readonly TopicPartition[]): void {
    for (const partition of partitions) this.#subscription.get(partition).paused = false
    this.#signal.notify()
  }

  paused(): TopicPartition[] {
    return [...this.#subscription.states()].filter(s => s.paused).map(s => s.partition)
  }

  /** How many records of a partition are still to come, as of the last fetch; null: not known yet. */
  lag(partition: TopicPartition): bigint | null {
    const { position, highWatermark, lastStableOffset } = this.#subscription.get(partition)
    const isStable = this.#options.isolationLevel === 'read_committed'
    const end = isStable ? lastStableOffset : highWatermark
    return position === null || end === null ? null : end - position.offset
  }

  /** Offsets by time or by name; see `Admin.records.listOffsets`. */
  listOffsets(queries: readonly OffsetQuery[]): Promise<Map<string, ListedOffset>> {
    return this.#records.listOffsets(queries)
  }

  /** Commits where auto-commit is on, leaves the group, and closes all connections. Idempotent. */
  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#signal.notify()
    const assigned = this.assignment
    if (assigned.length > 0 && this.#subscription.isAutomatic) {
      await this.#rebalancer.revokeAll().catch(() => undefined)
    } else if (this.#options.enableAutoCommit) {
      await this.#commitBeforeRevoking()
    }
    await this.#membership?.leave('the consumer is being closed')
    this.#cluster.close()
  }

  /** `await using consumer = new Consumer(...)`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  async *#polls(): AsyncGenerator<ConsumerRecord[], void, undefined> {
    while (!this.#isClosed) {
      const records = await this.poll()
      if (records.length > 0) yield records
    }
  }

  /** Puts positions back before records that nobody saw. */
  #giveBack(records: readonly ConsumerRecord[]): void {
    const first = new Map<string, ConsumerRecord>()
    for (const record of records) if (!first.has(keyOf(record))) first.set(keyOf(record), record)
    for (const record of first.values()) {
      this.#subscription.find(record)?.seek({ offset: record.offset, leaderEpoch: -1 }, null)
    }
  }

  #batchesOf(records: readonly ConsumerRecord[]): ConsumerBatch[] {
    const groups = new Map<string, ConsumerRecord[]>()
    for (const record of records) {
      const known = groups.get(keyOf(record))
      if (known === undefined) groups.set(keyOf(record), [record])
      else known.push(record)
    }
    return [...groups.values()].map(group => {
      const { topic, partition } = group[0]!
      const highWatermark = this.#subscription.find({ topic, partition })?.highWatermark ?? -1n
      return { topic, partition, records: group, highWatermark }
    })
  }

  #newMembership(): Membership {
    const parts = {
      cluster: this.#cluster,
      groupId: this.#options.groupId!,
      options: this.#options,
      topics: () => this.#wantedTopics(),
      notify: () => this.#signal.notify(),
    }
    return this.#options.groupProtocol === 'consumer'
      ? new ConsumerMembership(parts)
      : new ClassicMembership(parts)
  }

  #wantedTopics(): readonly string[] {
    const { subscription } = this.#subscription
    if (subscription.kind === 'topics') return subscription.topics
    return subscription.kind === 'pattern' ? this.#topicsOfPattern : []
  }

  #onMetadata(): void {
    const { subscription } = this.#subscription
    if (subscription.kind === 'pattern') {
      const { metadata } = this.#cluster
      const matching = metadata
        .topicNames()
        .filter(name => subscription.pattern.test(name) && !metadata.topic(name)!.isInternal)
        .sort()
      if (matching.join('\n') !== this.#topicsOfPattern.join('\n')) {
        this.#topicsOfPattern = matching
        this.#membership?.subscribe()
      }
    }
    this.#signal.notify()
  }

  async #rebalance(): Promise<void> {
    const membership = this.#membership
    if (membership === null) return
    for (;;) {
      const change = membership.update(this.assignment)
      if (change === null) return
      await this.#rebalancer.apply(change)
      for (const { topic } of change.next) this.#cluster.watchTopic(topic)
      membership.applied(this.assignment)
    }
  }

  #autoCommit(): void {
    const { autoCommitIntervalMs, enableAutoCommit } = this.#options
    if (!enableAutoCommit || this.#committer === null) return
    if (performance.now() - this.#committedAt < autoCommitIntervalMs) return
    this.#committedAt = performance.now()
    // A failure is tried again at the next interval; a member that is fenced learns it by then.
    this.#committer.commit(this.#committer.positions()).catch(() => undefined)
  }

  async #commitBeforeRevoking(): Promise<void> {
    if (!this.#options.enableAutoCommit || this.#committer === null) return
    await this.#committer.commit(this.#committer.positions()).catch(() => undefined)
  }

  #needCommitter(): OffsetCommitter {
    this.#throwIfClosed()
    if (this.#committer !== null) return this.#committer
    throw configError('Offsets belong to a group: set groupId.')
  }

  #throwIfClosed(): void {
    if (this.#isClosed) throw closedError('consumer')
  }
}
