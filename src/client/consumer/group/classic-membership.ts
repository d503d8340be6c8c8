/**
 * A member of a classic group: JoinGroup, SyncGroup, heartbeats, LeaveGroup; the leader also assigns. Joining runs
 * beside the polls; what it leads to is told by `update`, so that callbacks run inside a poll only.
 */
import { ErrorCode } from '../../../protocol/error-codes.js'
import {
  ConsumerProtocolAssignment,
  ConsumerProtocolSubscription,
} from '../../../protocol/messages/consumer-protocol.js'
import { HeartbeatRequest, HeartbeatResponse } from '../../../protocol/messages/heartbeat.js'
import { JoinGroupRequest, JoinGroupResponse } from '../../../protocol/messages/join-group.js'
import { LeaveGroupRequest, LeaveGroupResponse } from '../../../protocol/messages/leave-group.js'
import { SyncGroupRequest, SyncGroupResponse } from '../../../protocol/messages/sync-group.js'
import { decodeVersioned, encodeVersioned } from '../../../protocol/versioned-message.js'
import { delay } from '../../backoff.js'
import type { Cluster } from '../../cluster/cluster.js'
import { asError, brokerError, errorCodeOf, isRetriableError } from '../../errors.js'
import type { Assignor } from '../assignors/assignor.js'
import type { ResolvedConsumerOptions } from '../consumer-options.js'
import { type TopicPartition, byTopic, fromTopics } from '../topic-partition.js'
import { assignAsLeader } from './leader-assignment.js'
import type { AssignmentChange, MemberIdentity, Membership } from './membership.js'

const JOIN = { request: JoinGroupRequest, response: JoinGroupResponse }
const SYNC = { request: SyncGroupRequest, response: SyncGroupResponse }
const HEARTBEAT = { request: HeartbeatRequest, response: HeartbeatResponse }
const LEAVE = { request: LeaveGroupRequest, response: LeaveGroupResponse }

const PROTOCOL_TYPE = 'consumer'
const SUBSCRIPTION_VERSION = 3
/** A join waits for the slowest member; Kafka's clients add this to the rebalance timeout. */
const JOIN_EXTRA_MS = 5000
/** After these the member begins anew, without its id. */
const UNKNOWN_MEMBER: readonly number[] = [
  ErrorCode.UNKNOWN_MEMBER_ID,
  ErrorCode.ILLEGAL_GENERATION,
]

export interface ClassicMembershipParts {
  readonly cluster: Cluster
  readonly groupId: string
  readonly options: ResolvedConsumerOptions
  /** The topics wanted now; a pattern is resolved by the caller. */
  topics(): readonly string[]
  notify(): void
}

export class ClassicMembership implements Membership {
  readonly #parts: ClassicMembershipParts
  #memberId = ''
  #generation = -1
  #assignor: Assignor | null = null
  #mustJoin = true
  #isLost = false
  #joining = false
  /** What a join led to, until it is applied. */
  #assigned: readonly TopicPartition[] | null = null
  #owned: readonly TopicPartition[] = []
  #failure: Error | undefined
  #timer: ReturnType<typeof setInterval> | undefined
  #isBeating = false
  #polledAt = performance.now()
  #left = false
  /** Partition counts that the leader assigned by. */
  #counts: ReadonlyMap<string, number> | null = null

  constructor(parts: ClassicMembershipParts) {
    this.#parts = parts
  }

  get identity(): MemberIdentity {
    return { memberId: this.#memberId, generationOrEpoch: this.#generation }
  }

  update(owned: readonly TopicPartition[]): AssignmentChange | null {
    const failure = this.#failure
    this.#failure = undefined
    if (failure !== undefined) throw failure
    if (this.#isLost) {
      this.#isLost = false
      this.#owned = []
      if (owned.length > 0) return { next: [], areLost: true }
    }
    if (this.#assigned !== null) return { next: this.#assigned, areLost: false }
    if (!this.#mustJoin && this.#hasGrown()) this.#mustJoin = true
    if (!this.#mustJoin || this.#joining) return null
    // An eager member gives everything up before it joins; a cooperative one goes on with it.
    if (owned.length > 0 && !this.#isCooperative) return { next: [], areLost: false }
    this.#owned = owned
    void this.#join()
    return null
  }

  applied(owned: readonly TopicPartition[]): void {
    if (this.#assigned === null) return
    const gaveUp = this.#owned.some(mine => !owned.some(p => isSame(p, mine)))
    this.#assigned = null
    this.#owned = owned
    // What was given up is free for others only when this member joins without it (KIP-429).
    if (gaveUp && this.#isCooperative) this.#mustJoin = true
  }

  subscribe(): void {
    this.#mustJoin = true
    this.#parts.notify()
  }

  polled(): void {
    this.#polledAt = performance.now()
  }

  fenced(): void {
    this.#lose()
  }

  async leave(reason: string): Promise<void> {
    this.#left = true
    clearInterval(this.#timer)
    const { cluster, groupId, options } = this.#parts
    const memberId = this.#memberId
    this.#generation = -1
    // A static member stays, for a restart within its session.
    if (memberId === '' || options.groupInstanceId !== null) return
    this.#memberId = ''
    await cluster
      .requestCoordinator(groupId, LEAVE, version =>
        version < 3
          ? { groupId, memberId }
          : {
              groupId,
              members: [{ memberId, ...(version >= 5 ? { reason } : {}) }],
            },
      )
      .catch(() => undefined)
  }

  get #isCooperative(): boolean {
    return (
      this.#parts.options.assignors.every(
        ({ rebalanceProtocol }) => rebalanceProtocol === 'cooperative',
      ) || this.#assignor?.rebalanceProtocol === 'cooperative'
    )
  }

  async #join(): Promise<void> {
    this.#joining = true
    this.#mustJoin = false
    try {
      await this.#joinAndSync()
      this.#beat()
    } catch (error) {
      await this.#joinFailed(error)
    } finally {
      this.#joining = false
      this.#parts.notify()
    }
  }

  async #joinFailed(error: unknown): Promise<void> {
    if (this.#left || this.#parts.cluster.signal.aborted) return
    const code = errorCodeOf(error)
    if (code === ErrorCode.MEMBER_ID_REQUIRED) {
      this.#mustJoin = true // With the id that the answer gave.
    } else if (UNKNOWN_MEMBER.includes(code)) {
      this.#lose()
    } else if (code === ErrorCode.REBALANCE_IN_PROGRESS || isRetriableError(error)) {
      this.#mustJoin = true
      await delay(this.#parts.cluster.backoff.initialMs)
    } else {
      this.#failure = asError(error)
      this.#mustJoin = true // By the next poll, should the application go on.
    }
  }

  async #joinAndSync(): Promise<void> {
    const { cluster, groupId, options } = this.#parts
    const joined = await cluster.requestCoordinator(
      groupId,
      JOIN,
      version => ({
        groupId,
        memberId: this.#memberId,
        sessionTimeoutMs: options.sessionTimeoutMs,
        rebalanceTimeoutMs: options.maxPollIntervalMs,
        ...(version >= 5 ? { groupInstanceId: options.groupInstanceId } : {}),
        protocolType: PROTOCOL_TYPE,
        protocols: this.#protocols(),
      }),
      { timeoutMs: options.maxPollIntervalMs + JOIN_EXTRA_MS },
    )
    if (joined.errorCode === ErrorCode.MEMBER_ID_REQUIRED) this.#memberId = joined.memberId
    this.#throwIfError(joined.errorCode, 'Joining')
    this.#memberId = joined.memberId
    this.#generation = joined.generationId
    this.#assignor =
      options.assignors.find(({ name }) => name === joined.protocolName) ?? options.assignors[0]!
    const assigned =
      joined.leader === joined.memberId && !joined.skipAssignment
        ? await assignAsLeader(cluster, this.#assignor, joined.members)
        : null
    this.#counts = assigned?.counts ?? null
    const synced = await cluster.requestCoordinator(groupId, SYNC, version => ({
      groupId,
      generationId: this.#generation,
      memberId: this.#memberId,
      ...(version >= 3 ? { groupInstanceId: options.groupInstanceId } : {}),
      ...(version >= 5 ? { protocolType: PROTOCOL_TYPE, protocolName: this.#assignor!.name } : {}),
      assignments: assigned?.assignments ?? [],
    }))
    this.#throwIfError(synced.errorCode, 'Syncing')
    const { assignedPartitions } =
      synced.assignment.length === 0
        ? { assignedPartitions: [] }
        : decodeVersioned(ConsumerProtocolAssignment, synced.assignment)
    this.#assigned = fromTopics(assignedPartitions)
  }

  #protocols() {
    const topics = [...this.#parts.topics()].sort()
    const ownedPartitions = byTopic(this.#owned)
    return this.#parts.options.assignors.map(assignor => ({
      name: assignor.name,
      metadata: encodeVersioned(ConsumerProtocolSubscription, SUBSCRIPTION_VERSION, {
        topics,
        userData: assignor.userData?.(this.#owned, this.#generation) ?? null,
        ownedPartitions,
        generationId: this.#generation,
        rackId: this.#parts.options.clientRack || null,
      }),
    }))
  }

  /** Heartbeats go on by themselves, whatever the application does between polls. */
  #beat(): void {
    clearInterval(this.#timer)
    this.#timer = setInterval(() => void this.#heartbeat(), this.#parts.options.heartbeatIntervalMs)
  }

  async #heartbeat(): Promise<void> {
    const { cluster, groupId, options } = this.#parts
    if (this.#isBeating || this.#joining || this.#generation < 0) return
    if (performance.now() - this.#polledAt > options.maxPollIntervalMs) {
      await this.leave('the application did not poll within max.poll.interval.ms')
      this.#left = false
      this.#lose()
      return
    }
    this.#isBeating = true
    try {
      const generationId = this.#generation
      const answer = await cluster.requestCoordinator(groupId, HEARTBEAT, version => ({
        groupId,
        generationId,
        memberId: this.#memberId,
        ...(version >= 3 ? { groupInstanceId: options.groupInstanceId } : {}),
      }))
      if (generationId === this.#generation) this.#answered(answer.errorCode)
    } catch (error) {
      if (!isRetriableError(error) && !cluster.signal.aborted) this.#failure = asError(error)
    } finally {
      this.#isBeating = false
    }
  }

  #answered(errorCode: number): void {
    if (errorCode === ErrorCode.NONE) return
    if (errorCode === ErrorCode.REBALANCE_IN_PROGRESS) {
      this.#mustJoin = true
    } else if (UNKNOWN_MEMBER.includes(errorCode)) {
      this.#lose()
    } else {
      const error = brokerError(errorCode, `The heartbeat in group "${this.#parts.groupId}"`)
      this.#parts.cluster.noteGroupError(this.#parts.groupId, error)
      if (!isRetriableError(error)) this.#failure = asError(error)
    }
    this.#parts.notify()
  }

  #lose(): void {
    clearInterval(this.#timer)
    this.#memberId = ''
    this.#generation = -1
    this.#assigned = null
    this.#isLost = true
    this.#mustJoin = true
    this.#parts.notify()
  }

  /** The leader sees to it that new partitions of the group's topics are read. */
  #hasGrown(): boolean {
    if (this.#counts === null) return false
    const { metadata } = this.#parts.cluster
    return [...this.#counts].some(
      ([topic, count]) => (metadata.topic(topic)?.partitions.length ?? count) !== count,
    )
  }

  #throwIfError(errorCode: number, doing: string): void {
    if (errorCode === ErrorCode.NONE) return
    const error = brokerError(errorCode, `${doing} group "${this.#parts.groupId}"`)
    this.#parts.cluster.noteGroupError(this.#parts.groupId, error)
    throw error
  }
}

function isSame(a: TopicPartition, b: TopicPartition): boolean {
  return a.topic === b.topic && a.partition === b.partition
}
