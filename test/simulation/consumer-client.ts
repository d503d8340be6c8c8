/** A client of the consumer protocol, as Java's and librdkafka's: it tells everything after every trouble. */
import { ErrorCode } from '../../src/protocol/error-codes.js'
import type { ConsumerGroupHeartbeatRequest } from '../../src/protocol/messages/consumer-group-heartbeat.js'
import type { Uuid } from '../../src/base/uuid.js'
import type { HeartbeatAnswer } from '../../src/coordinator/group/consumer/heartbeat.js'
import { Client, CLIENT_CONTEXT, type Commits } from './client.js'
import { Connection } from './connection.js'
import { Breach } from './invariants.js'
import { GROUP, REBALANCE_MS, type World } from './world.js'

export interface ConsumerTaste {
  readonly instanceId: string | null
  readonly regex: string | null
  readonly assignor: string | null
}

export class ConsumerClient extends Client {
  readonly isClassic = false
  readonly #taste: ConsumerTaste
  /** Whether the next heartbeat tells everything: after an answer that did not come. */
  #tellsAll = false
  /** Whether it has to tell what it owns: it changed. */
  #tellsOwned = false

  constructor(
    world: World,
    name: string,
    shared: { commits: Commits; subscription: readonly string[] },
    taste: ConsumerTaste,
  ) {
    super(world, name, shared)
    this.#taste = taste
    this.memberId = name
  }

  /** A static member may say that it comes back. */
  leave(): void {
    const memberEpoch = this.#taste.instanceId !== null && this.world.chance.percent(60) ? -2 : -1
    const request = this.#request({ memberEpoch, topicPartitions: null })
    this.crash()
    this.connection = new Connection(this.world)
    this.connection.send(
      () => this.#execute(request),
      () => undefined,
    )
    this.connection.isClosed = true
  }

  protected act(): void {
    if (this.maybeCommit()) return
    const isJoining = this.epoch === 0
    const tellsAll = isJoining || this.#tellsAll
    const request = this.#request({
      memberEpoch: this.epoch,
      rebalanceTimeoutMs: tellsAll ? REBALANCE_MS : -1,
      subscribedTopicNames: tellsAll && this.#taste.regex === null ? [...this.subscription] : null,
      subscribedTopicRegex: tellsAll ? this.#taste.regex : null,
      topicPartitions: tellsAll || this.#tellsOwned ? this.#ownedTopics() : null,
    })
    this.#tellsOwned = false
    this.connection.send(
      () => this.#execute(request),
      answer => this.#onAnswer(answer),
    )
  }

  #request(fields: Partial<ConsumerGroupHeartbeatRequest>): ConsumerGroupHeartbeatRequest {
    return {
      groupId: GROUP,
      memberId: this.memberId,
      memberEpoch: 0,
      instanceId: this.#taste.instanceId,
      rackId: null,
      rebalanceTimeoutMs: -1,
      subscribedTopicNames: null,
      subscribedTopicRegex: null,
      serverAssignor: this.#taste.assignor,
      topicPartitions: null,
      ...fields,
    }
  }

  #execute(request: ConsumerGroupHeartbeatRequest): Promise<HeartbeatAnswer> {
    return this.world.coordinator.consumerHeartbeat(request, { ...CLIENT_CONTEXT, apiVersion: 1 })
  }

  #onAnswer(answer: HeartbeatAnswer | null): void {
    if (answer === null) {
      this.#tellsAll = true
      return
    }
    this.isRefused = false
    switch (answer.errorCode) {
      case ErrorCode.NONE:
        this.#follow(answer)
        return
      case ErrorCode.UNKNOWN_MEMBER_ID:
      case ErrorCode.FENCED_MEMBER_EPOCH:
        this.#abandon()
        return
      case ErrorCode.GROUP_ID_NOT_FOUND:
      case ErrorCode.UNRELEASED_INSTANCE_ID:
        this.#abandon()
        this.isRefused = true
        return
      case ErrorCode.FENCED_INSTANCE_ID:
        this.crash()
        return
      default:
        this.#tellsAll = true
        if (this.isPassing(answer.errorCode)) return
        throw new Breach(`${this.name} got error ${answer.errorCode}: ${answer.errorMessage ?? ''}`)
    }
  }

  #abandon(): void {
    this.epoch = 0
    this.owned = new Set()
    this.#tellsAll = true
  }

  #follow({ memberEpoch, assignment }: HeartbeatAnswer): void {
    if (memberEpoch < this.epoch) {
      throw new Breach(`${this.name} went from epoch ${this.epoch} to ${memberEpoch}`)
    }
    this.epoch = memberEpoch
    this.#tellsAll = false
    if (assignment === null || assignment === undefined) return
    const owned = new Set(
      assignment.topicPartitions.flatMap(({ topicId, partitions }) =>
        partitions.map(partition => `${topicId}/${partition}`),
      ),
    )
    this.owned = owned
    this.#tellsOwned = true
  }

  #ownedTopics(): { topicId: Uuid; partitions: number[] }[] {
    const topics = new Map<Uuid, number[]>()
    for (const partition of this.owned) {
      const [topicId, index] = partition.split('/') as [Uuid, string]
      topics.set(topicId, [...(topics.get(topicId) ?? []), Number(index)])
    }
    return Array.from(topics, ([topicId, partitions]) => ({ topicId, partitions }))
  }
}
