/**
 * A member of a consumer group (KIP-848): the broker assigns, the member tells by heartbeats what it wants and has.
 * What a heartbeat brings is told by `update`, so that callbacks run inside a poll only.
 */
import { type Uuid, randomUuid } from '../../../base/uuid.js'
import { ErrorCode } from '../../../protocol/error-codes.js'
import {
  ConsumerGroupHeartbeatRequest,
  ConsumerGroupHeartbeatResponse,
} from '../../../protocol/messages/consumer-group-heartbeat.js'
import type { Cluster } from '../../cluster/cluster.js'
import { asError, brokerError, isRetriableError } from '../../errors.js'
import type { ResolvedConsumerOptions } from '../consumer-options.js'
import { type TopicPartition, byTopic } from '../topic-partition.js'
import type { AssignmentChange, MemberIdentity, Membership } from './membership.js'

const HEARTBEAT = {
  request: ConsumerGroupHeartbeatRequest,
  response: ConsumerGroupHeartbeatResponse,
}

const JOIN_EPOCH = 0
const LEAVE_EPOCH = -1
const LEAVE_EPOCH_OF_STATIC = -2
const FENCED: readonly number[] = [ErrorCode.FENCED_MEMBER_EPOCH, ErrorCode.UNKNOWN_MEMBER_ID]

type TargetTopic = { readonly topicId: Uuid; readonly partitions: readonly number[] }

export interface ConsumerMembershipParts {
  readonly cluster: Cluster
  readonly groupId: string
  readonly options: ResolvedConsumerOptions
  topics(): readonly string[]
  notify(): void
}

export class ConsumerMembership implements Membership {
  readonly #parts: ConsumerMembershipParts
  readonly #memberId: string = randomUuid()
  #epoch = JOIN_EPOCH
  #intervalMs: number
  #target: readonly TargetTopic[] | null = null
  #owned: readonly TopicPartition[] = []
  /** What the coordinator has to be told at the next heartbeat. */
  #tellTopics = true
  #tellOwned = true
  #isLost = false
  #failure: Error | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #isBeating = false
  #beatAgain = false
  #polledAt = performance.now()
  #left = false

  constructor(parts: ConsumerMembershipParts) {
    this.#parts = parts
    this.#intervalMs = parts.options.heartbeatIntervalMs
    this.#plan(0)
  }

  get identity(): MemberIdentity {
    return {
      memberId: this.#memberId,
      generationOrEpoch: this.#epoch > JOIN_EPOCH ? this.#epoch : -1,
    }
  }

  update(owned: readonly TopicPartition[]): AssignmentChange | null {
    const failure = this.#failure
    this.#failure = undefined
    if (failure !== undefined) throw failure
    if (this.#isLost) {
      this.#isLost = false
      if (owned.length > 0) return { next: [], areLost: true }
    }
    const next = this.#named()
    return next === null ? null : { next, areLost: false }
  }

  applied(owned: readonly TopicPartition[]): void {
    this.#owned = owned
    if (this.#epoch <= JOIN_EPOCH) return
    this.#target = null
    this.#tellOwned = true
    this.#plan(0)
  }

  subscribe(): void {
    this.#tellTopics = true
    this.#plan(0)
  }

  polled(): void {
    this.#polledAt = performance.now()
  }

  fenced(): void {
    this.#lose()
  }

  async leave(): Promise<void> {
    this.#left = true
    clearTimeout(this.#timer)
    const isMember = this.#epoch > JOIN_EPOCH
    this.#epoch = JOIN_EPOCH
    if (!isMember) return
    const { cluster, groupId, options } = this.#parts
    const isStatic = options.groupInstanceId !== null
    await cluster
      .requestCoordinator(groupId, HEARTBEAT, {
        groupId,
        memberId: this.#memberId,
        memberEpoch: isStatic ? LEAVE_EPOCH_OF_STATIC : LEAVE_EPOCH,
        instanceId: options.groupInstanceId,
      })
      .catch(() => undefined)
  }

  /** The target with names; null: there is none, or a topic is not known yet. */
  #named(): TopicPartition[] | null {
    if (this.#target === null) return null
    const { metadata } = this.#parts.cluster
    const named: TopicPartition[] = []
    for (const { topicId, partitions } of this.#target) {
      const topic = metadata.nameOf(topicId)
      if (topic === undefined) {
        this.#parts.cluster.refreshSoon()
        return null
      }
      for (const partition of partitions) named.push({ topic, partition })
    }
    return named
  }

  #plan(delayMs: number): void {
    if (this.#left) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#beat(), delayMs)
  }

  async #beat(): Promise<void> {
    if (this.#isBeating) {
      this.#beatAgain = true
      return
    }
    const { cluster, options } = this.#parts
    if (performance.now() - this.#polledAt > options.maxPollIntervalMs) {
      await this.leave()
      this.#left = false
      this.#lose()
      return
    }
    // A pattern matches nothing before the first metadata came.
    if (this.#epoch === JOIN_EPOCH && this.#parts.topics().length === 0) {
      return this.#plan(cluster.backoff.initialMs)
    }
    this.#isBeating = true
    let nextMs = this.#intervalMs
    try {
      await this.#heartbeat()
      nextMs = this.#intervalMs
    } catch (error) {
      nextMs = cluster.backoff.initialMs
      if (!isRetriableError(error) && !cluster.signal.aborted) {
        this.#failure = asError(error)
        nextMs = this.#intervalMs
      }
      this.#tellTopics = this.#tellOwned = true
    } finally {
      this.#isBeating = false
      this.#plan(this.#beatAgain ? 0 : nextMs)
      this.#beatAgain = false
      this.#parts.notify()
    }
  }

  async #heartbeat(): Promise<void> {
    const { cluster, groupId, options } = this.#parts
    const isJoin = this.#epoch === JOIN_EPOCH
    const epoch = this.#epoch
    const tellsTopics = isJoin || this.#tellTopics
    const tellsOwned = isJoin || this.#tellOwned
    this.#tellTopics = this.#tellOwned = false
    const answer = await cluster.requestCoordinator(groupId, HEARTBEAT, {
      groupId,
      memberId: this.#memberId,
      memberEpoch: epoch,
      ...(isJoin
        ? {
            instanceId: options.groupInstanceId,
            rackId: options.clientRack || null,
            rebalanceTimeoutMs: options.maxPollIntervalMs,
            serverAssignor: options.groupRemoteAssignor,
          }
        : {}),
      ...(tellsTopics ? { subscribedTopicNames: [...this.#parts.topics()].sort() } : {}),
      ...(tellsOwned ? { topicPartitions: isJoin ? [] : this.#ownedById() } : {}),
    })
    if (this.#epoch !== epoch || this.#left) return
    if (FENCED.includes(answer.errorCode)) return this.#lose()
    if (answer.errorCode !== ErrorCode.NONE) {
      const error = brokerError(answer.errorCode, `Group "${groupId}"`, answer.errorMessage)
      cluster.noteGroupError(groupId, error)
      throw error
    }
    this.#epoch = answer.memberEpoch
    this.#intervalMs = answer.heartbeatIntervalMs
    if (answer.assignment !== null) this.#target = answer.assignment.topicPartitions
  }

  #ownedById(): TargetTopic[] {
    const { metadata } = this.#parts.cluster
    return byTopic(this.#owned).flatMap(({ topic, partitions }) => {
      const known = metadata.topic(topic)
      return known === undefined ? [] : [{ topicId: known.topicId, partitions }]
    })
  }

  /** The coordinator has given the partitions to others: the member joins anew, without any. */
  #lose(): void {
    this.#epoch = JOIN_EPOCH
    this.#target = null
    this.#owned = []
    this.#isLost = true
    this.#parts.notify()
    this.#plan(0)
  }
}
