/** Puts a new assignment into force: tells the application what goes and what comes, around the change itself. */
import type { AssignmentChange } from './group/membership.js'
import type { RebalanceListener } from './listener.js'
import type { SubscriptionState } from './subscription-state.js'
import { type TopicPartition, keyOf } from './topic-partition.js'

export class Rebalancer {
  readonly #subscription: SubscriptionState
  readonly #listener: RebalanceListener
  readonly #commit: () => Promise<void>

  /** @param commit called before partitions are given up, while they are still this member's */
  constructor(
    subscription: SubscriptionState,
    listener: RebalanceListener,
    commit: () => Promise<void>,
  ) {
    this.#subscription = subscription
    this.#listener = listener
    this.#commit = commit
  }

  async apply({ next, areLost }: AssignmentChange): Promise<void> {
    const before = this.#subscription.assigned()
    const going = without(before, next)
    const coming = without(next, before)
    if (going.length > 0) await this.#revoke(going, areLost)
    this.#subscription.replace(next)
    if (coming.length > 0) await this.#listener.onPartitionsAssigned?.(coming)
  }

  /** Before a close: everything goes. */
  async revokeAll(): Promise<void> {
    await this.#revoke(this.#subscription.assigned(), false)
  }

  async #revoke(partitions: TopicPartition[], areLost: boolean): Promise<void> {
    for (const partition of partitions) this.#subscription.get(partition).revoking = true
    if (areLost) {
      const tell = this.#listener.onPartitionsLost ?? this.#listener.onPartitionsRevoked
      await tell?.call(this.#listener, partitions)
      return
    }
    await this.#commit()
    await this.#listener.onPartitionsRevoked?.(partitions)
  }
}

function without(these: readonly TopicPartition[], those: readonly TopicPartition[]) {
  const keys = new Set(those.map(keyOf))
  return these.filter(partition => !keys.has(keyOf(partition)))
}
