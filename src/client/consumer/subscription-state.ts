/**
 * What a consumer wants and has: its subscription or manual assignment, and for each partition where it stands. Pure
 * state; who fetches, commits or rebalances is elsewhere.
 */
import { type TopicPartition, keyOf, nameOf } from './topic-partition.js'
import { stateError } from '../errors.js'
import type { FetchedRecords } from './fetch/fetched-records.js'

export type ResetTo = 'earliest' | 'latest' | { readonly timestamp: bigint }

export interface Position {
  /** The next offset to hand out. */
  readonly offset: bigint
  /** The epoch of the record before it; -1: unknown. */
  readonly leaderEpoch: number
}

export class PartitionState {
  readonly partition: TopicPartition
  /** Null until it was committed, reset or sought. */
  position: Position | null = null
  /** Asked for by seekToBeginning, seekToEnd, or the reset policy. */
  resetTo: ResetTo | null = null
  paused = false
  /** Its member may not hand out more: it is being taken away. */
  revoking = false
  highWatermark: bigint | null = null
  lastStableOffset: bigint | null = null
  logStartOffset: bigint | null = null
  /** Fetched and not yet handed out; its offsets begin at the position. */
  fetched: FetchedRecords | null = null
  /** Raised by each seek, so that a fetch on its way is dropped when it comes. */
  seeks = 0
  /** Not before this time of the clock, after an error. */
  retryAt = 0

  constructor(partition: TopicPartition) {
    this.partition = partition
  }

  seek(position: Position | null, resetTo: ResetTo | null): void {
    this.position = position
    this.resetTo = resetTo
    this.fetched = null
    this.seeks++
    this.retryAt = 0
  }

  /** May be asked of a broker now. */
  isFetchable(now: number): boolean {
    return (
      this.position !== null &&
      !this.paused &&
      !this.revoking &&
      this.fetched === null &&
      this.retryAt <= now
    )
  }
}

export type Subscription =
  | { readonly kind: 'none' }
  | { readonly kind: 'topics'; readonly topics: readonly string[] }
  | { readonly kind: 'pattern'; readonly pattern: RegExp }
  | { readonly kind: 'manual' }

export class SubscriptionState {
  #subscription: Subscription = { kind: 'none' }
  #partitions = new Map<string, PartitionState>()

  get subscription(): Subscription {
    return this.#subscription
  }

  /** Whether a group decides what is assigned. */
  get isAutomatic(): boolean {
    return this.#subscription.kind === 'topics' || this.#subscription.kind === 'pattern'
  }

  subscribe(subscription: Subscription): void {
    if (this.#subscription.kind === 'manual' && subscription.kind !== 'none') {
      throw stateError(
        'This consumer has partitions assigned by hand. Call unsubscribe() before subscribe().',
      )
    }
    this.#subscription = subscription
    if (subscription.kind === 'none') this.#partitions.clear()
  }

  assignByHand(partitions: readonly TopicPartition[]): void {
    if (this.isAutomatic) {
      throw stateError('This consumer is subscribed to topics. Call unsubscribe() before assign().')
    }
    this.#subscription = { kind: partitions.length === 0 ? 'none' : 'manual' }
    this.replace(partitions)
  }

  /** What stays keeps its position. */
  replace(partitions: readonly TopicPartition[]): void {
    const next = new Map<string, PartitionState>()
    for (const partition of partitions) {
      const key = keyOf(partition)
      next.set(key, this.#partitions.get(key) ?? new PartitionState(partition))
    }
    this.#partitions = next
  }

  assigned(): TopicPartition[] {
    return [...this.#partitions.values()].map(state => state.partition)
  }

  states(): IterableIterator<PartitionState> {
    return this.#partitions.values()
  }

  find(partition: TopicPartition): PartitionState | undefined {
    return this.#partitions.get(keyOf(partition))
  }

  /** Throws ERR_CLIENT_STATE for a partition that is not assigned. */
  get(partition: TopicPartition): PartitionState {
    const state = this.find(partition)
    if (state !== undefined) return state
    throw stateError(
      `${nameOf(partition)} is not assigned to this consumer. Assigned are: ${this.#names()}.`,
    )
  }

  #names(): string {
    const names = this.assigned().map(nameOf)
    return names.length === 0 ? 'none' : names.join(', ')
  }
}
