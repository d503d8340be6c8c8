/**
 * A classic group: its members, its state, and the rules that need nothing else. What requests and timers do with it
 * stands beside it: join.ts, sync.ts, heartbeat.ts, leave.ts and rebalance.ts.
 *
 *                 join                      all joined                    leader's sync stored
 *   Empty ------------> PreparingRebalance ------------> CompletingRebalance ------------> Stable
 *     ^   nobody left          ^                                 | member comes, goes, changes |
 *     +------------------------+---------------------------------+-----------------------------+
 */
import { ErrorCode } from '../../../protocol/error-codes.js'
import type { Uuid } from '../../../base/uuid.js'
import type { Deferred } from '../../deferred.js'
import type { GroupContext } from '../group-context.js'
import type { Group, OffsetCommitter, PartitionVerdict } from '../group.js'
import type { OffsetExpiry } from '../offsets/offset-expiry.js'
import type { GroupRecord, GroupRecordOf } from '../records/group-record.js'
import {
  ClassicMember,
  type ClassicMemberSpec,
  EMPTY_BYTES,
  type JoinAnswer,
  type MemberProtocol,
  type SyncAnswer,
} from './classic-member.js'
import { selectProtocol, subscribedTopicsOf } from './protocols.js'

export type ClassicState =
  'Empty' | 'PreparingRebalance' | 'CompletingRebalance' | 'Stable' | 'Dead'

const CONSUMER_PROTOCOL_TYPE = 'consumer'

export class ClassicGroup implements Group {
  readonly type = 'classic'
  readonly groupId: string
  readonly #context: GroupContext
  readonly #members = new Map<string, ClassicMember>()
  /** Member ids by group.instance.id. */
  readonly #staticMembers = new Map<string, string>()
  /** Ids that were given out and not used to join yet (KIP-394). */
  readonly pendingJoins = new Set<string>()
  /** Members of this generation that have not sent SyncGroup yet. */
  readonly pendingSyncs = new Set<string>()
  #state: ClassicState = 'Empty'
  #previousState: ClassicState = 'Empty'
  #stateTimestampMs: number | null
  #awaitingJoins = 0
  generationId = 0
  protocolName: string | null = null
  leaderId: string | null = null
  /** During the initial delay: somebody joined since it was last extended. */
  newMemberAdded = false
  #protocolType: string | null = null
  /** Null: not known, because the members do not speak the consumer protocol. */
  #subscribedTopics: ReadonlySet<string> | null = null

  constructor(groupId: string, context: GroupContext) {
    this.groupId = groupId
    this.#context = context
    this.#stateTimestampMs = context.clock.nowMs()
  }

  /** A group that only keeps offsets. */
  static simple(groupId: string, context: GroupContext): ClassicGroup {
    return new ClassicGroup(groupId, context)
  }

  /** As the log has it: Stable with members, Empty without. */
  static fromRecord(
    groupId: string,
    value: NonNullable<GroupRecordOf<'GroupMetadata'>['value']>,
    context: GroupContext,
  ): ClassicGroup {
    const group = new ClassicGroup(groupId, context)
    group.generationId = value.generation
    group.#protocolType = value.protocolType === '' ? null : value.protocolType
    group.protocolName = value.protocol
    group.leaderId = value.leader
    const timestamp = Number(value.currentStateTimestamp ?? -1n)
    group.#stateTimestampMs = timestamp === -1 ? null : timestamp
    for (const member of value.members) {
      const rebalanceTimeout = member.rebalanceTimeout ?? -1
      const protocol = { name: value.protocol ?? '', metadata: Buffer.from(member.subscription) }
      group.#put(
        new ClassicMember({
          memberId: member.memberId,
          groupInstanceId: member.groupInstanceId ?? null,
          clientId: member.clientId,
          clientHost: member.clientHost,
          rebalanceTimeoutMs: rebalanceTimeout === -1 ? member.sessionTimeout : rebalanceTimeout,
          sessionTimeoutMs: member.sessionTimeout,
          protocolType: value.protocolType,
          protocols: [protocol],
          assignment: Buffer.from(member.assignment),
        }),
      )
    }
    if (group.#members.size > 0) group.#state = 'Stable'
    group.#refreshSubscribedTopics()
    return group
  }

  get state(): ClassicState {
    return this.#state
  }

  get stateName(): string {
    return this.#state
  }

  get previousState(): ClassicState {
    return this.#previousState
  }

  get isEmpty(): boolean {
    return this.#state === 'Empty'
  }

  get protocolType(): string {
    return this.#protocolType ?? ''
  }

  /** In the order in which they came. */
  get members(): IterableIterator<ClassicMember> {
    return this.#members.values()
  }

  get memberCount(): number {
    return this.#members.size
  }

  /** How many members wait in a JoinGroup. */
  get awaitingJoinCount(): number {
    return this.#awaitingJoins
  }

  get haveAllJoined(): boolean {
    return this.#members.size === this.#awaitingJoins && this.pendingJoins.size === 0
  }

  get canRebalance(): boolean {
    return (
      this.#state === 'Stable' || this.#state === 'CompletingRebalance' || this.#state === 'Empty'
    )
  }

  /** The longest of its members; 0 without any. */
  get rebalanceTimeoutMs(): number {
    let longest = 0
    for (const { rebalanceTimeoutMs } of this.#members.values()) {
      longest = Math.max(longest, rebalanceTimeoutMs)
    }
    return longest
  }

  member(memberId: string): ClassicMember | undefined {
    return this.#members.get(memberId)
  }

  staticMemberId(groupInstanceId: string): string | undefined {
    return this.#staticMembers.get(groupInstanceId)
  }

  transitionTo(state: ClassicState): void {
    this.#previousState = this.#state
    this.#state = state
    this.#stateTimestampMs = this.#context.clock.nowMs()
  }

  /** Puts a member in that waits for the end of the join. */
  add(member: ClassicMember, awaitingJoin: Deferred<JoinAnswer> | null): void {
    if (this.#members.size === 0) this.#protocolType = member.protocolType
    this.#put(member)
    this.leaderId ??= member.memberId
    this.pendingJoins.delete(member.memberId)
    this.#setAwaitingJoin(member, awaitingJoin)
  }

  /** What a member says anew as it joins again. An earlier JoinGroup of it that still waits is sent away. */
  update(
    member: ClassicMember,
    said: Pick<ClassicMemberSpec, 'protocols' | 'rebalanceTimeoutMs' | 'sessionTimeoutMs'>,
    awaitingJoin: Deferred<JoinAnswer> | null,
  ): void {
    member.protocols = said.protocols
    member.rebalanceTimeoutMs = said.rebalanceTimeoutMs
    member.sessionTimeoutMs = said.sessionTimeoutMs
    this.answerJoin(member, joinError(member.memberId, ErrorCode.REBALANCE_IN_PROGRESS))
    this.#setAwaitingJoin(member, awaitingJoin)
  }

  remove(memberId: string): void {
    const member = this.#members.get(memberId)
    if (member !== undefined) {
      this.#members.delete(memberId)
      this.#setAwaitingJoin(member, null)
      if (member.groupInstanceId !== null) this.#staticMembers.delete(member.groupInstanceId)
    }
    if (this.leaderId === memberId) this.leaderId = firstOf(this.#members.keys()) ?? null
    this.pendingJoins.delete(memberId)
    this.pendingSyncs.delete(memberId)
  }

  /** A static member comes back under a new id; whoever waits under the old one is fenced. */
  replaceStatic(groupInstanceId: string, oldMemberId: string, newMemberId: string): ClassicMember {
    const old = this.#members.get(oldMemberId)!
    this.answerJoin(old, joinError(oldMemberId, ErrorCode.FENCED_INSTANCE_ID))
    this.answerSync(old, { ...NO_SYNC, errorCode: ErrorCode.FENCED_INSTANCE_ID })
    this.#members.delete(oldMemberId)
    const member = new ClassicMember({ ...specOf(old), memberId: newMemberId })
    this.#members.set(newMemberId, member)
    this.#staticMembers.set(groupInstanceId, newMemberId)
    if (this.leaderId === oldMemberId) this.leaderId = newMemberId
    if (this.pendingSyncs.delete(oldMemberId)) this.pendingSyncs.add(newMemberId)
    return member
  }

  /** True if the member was waiting. */
  answerJoin(member: ClassicMember, answer: JoinAnswer): boolean {
    const waiting = member.awaitingJoin
    if (waiting === null) return false
    this.#setAwaitingJoin(member, null)
    waiting.resolve(answer)
    return true
  }

  answerSync(member: ClassicMember, answer: SyncAnswer): boolean {
    const waiting = member.awaitingSync
    if (waiting === null) return false
    member.awaitingSync = null
    waiting.resolve(answer)
    return true
  }

  /** NONE, or why requests of this member are refused. */
  judgeMember(memberId: string, groupInstanceId: string | null): number {
    if (groupInstanceId !== null) {
      const known = this.#staticMembers.get(groupInstanceId)
      if (known === undefined) return ErrorCode.UNKNOWN_MEMBER_ID
      if (known !== memberId) return ErrorCode.FENCED_INSTANCE_ID
    }
    return this.#members.has(memberId) ? ErrorCode.NONE : ErrorCode.UNKNOWN_MEMBER_ID
  }

  /** Whether a member with these protocols fits to the others. */
  supports(protocolType: string, protocols: readonly MemberProtocol[]): boolean {
    if (this.#state === 'Empty') return protocolType !== '' && protocols.length > 0
    if (this.#protocolType !== protocolType) return false
    return protocols.some(({ name }) => this.#isSupportedByAll(name))
  }

  /** The protocol that the next generation would have. Only with members. */
  selectProtocol(): string {
    return selectProtocol([...this.#members.values()])
  }

  /** Whether somebody who waits in the join leads the group: the leader so far if possible. False: nobody waits. */
  electJoinedLeader(): boolean {
    if (this.leaderId === null) return false
    const leader = this.#members.get(this.leaderId)
    if (leader !== undefined && leader.awaitingJoin !== null) return true
    for (const member of this.#members.values()) {
      if (member.awaitingJoin === null) continue
      this.leaderId = member.memberId
      return true
    }
    return false
  }

  /** The join is over. */
  startNextGeneration(): void {
    this.generationId++
    if (this.#members.size > 0) {
      this.protocolName = this.selectProtocol()
      this.#refreshSubscribedTopics()
      this.transitionTo('CompletingRebalance')
    } else {
      this.protocolName = null
      this.#refreshSubscribedTopics()
      this.transitionTo('Empty')
    }
    this.pendingSyncs.clear()
  }

  /** Members that a consumer group had: they keep what they have, under its epoch as generation. */
  becomeStable(generationId: number): void {
    this.generationId = generationId
    this.protocolName = this.selectProtocol()
    this.#refreshSubscribedTopics()
    this.transitionTo('Stable')
  }

  /** What the leader needs to know to assign. */
  describeMembersForLeader(): NonNullable<JoinAnswer['members']> {
    const protocol = this.protocolName ?? ''
    return Array.from(this.#members.values(), member => ({
      memberId: member.memberId,
      groupInstanceId: member.groupInstanceId,
      metadata: member.metadataOf(protocol),
    }))
  }

  /** The record that keeps the group as it is, with other assignments if they are given. */
  record(assignments?: ReadonlyMap<string, Buffer>): GroupRecord {
    const protocol = this.protocolName
    const members = Array.from(this.#members.values(), member => ({
      memberId: member.memberId,
      groupInstanceId: member.groupInstanceId,
      clientId: member.clientId,
      clientHost: member.clientHost,
      rebalanceTimeout: member.rebalanceTimeoutMs,
      sessionTimeout: member.sessionTimeoutMs,
      subscription: member.metadataOf(protocol ?? ''),
      assignment: assignments?.get(member.memberId) ?? member.assignment,
    }))
    return {
      kind: 'GroupMetadata',
      key: { group: this.groupId },
      value: {
        protocolType: this.protocolType,
        generation: this.generationId,
        protocol,
        leader: this.leaderId,
        currentStateTimestamp: BigInt(this.#stateTimestampMs ?? -1),
        members,
      },
    }
  }

  /** The record that keeps a group that was just made. */
  emptyRecord(): GroupRecord {
    return {
      kind: 'GroupMetadata',
      key: { group: this.groupId },
      value: {
        protocolType: '',
        generation: 0,
        protocol: null,
        leader: null,
        currentStateTimestamp: BigInt(this.#stateTimestampMs ?? -1),
        members: [],
      },
    }
  }

  judgeOffsetCommit(committer: OffsetCommitter): number | PartitionVerdict {
    const { memberId, groupInstanceId, generationIdOrMemberEpoch, isTransactional } = committer
    if (this.#state === 'Dead') return ErrorCode.COORDINATOR_NOT_AVAILABLE
    if (generationIdOrMemberEpoch < 0 && this.#state === 'Empty') return acceptAll
    if (generationIdOrMemberEpoch >= 0 || memberId !== '' || groupInstanceId !== null) {
      const refusal = this.judgeMember(memberId, groupInstanceId)
      if (refusal !== ErrorCode.NONE) return refusal
      if (generationIdOrMemberEpoch !== this.generationId) return ErrorCode.ILLEGAL_GENERATION
    } else if (!isTransactional && this.#state !== 'Empty') {
      return ErrorCode.UNKNOWN_MEMBER_ID
    }
    // The member knows the generation, but not yet what it is to read.
    if (!isTransactional && this.#state === 'CompletingRebalance') {
      return ErrorCode.REBALANCE_IN_PROGRESS
    }
    return acceptAll
  }

  judgeOffsetFetch(): number {
    return this.#state === 'Dead' ? ErrorCode.GROUP_ID_NOT_FOUND : ErrorCode.NONE
  }

  judgeOffsetDelete(): number {
    if (this.#state === 'Dead') return ErrorCode.GROUP_ID_NOT_FOUND
    // Groups of consumers tell what they read, so that other topics' offsets may go.
    const isAllowed = this.#state === 'Empty' || this.#protocolType === CONSUMER_PROTOCOL_TYPE
    return isAllowed ? ErrorCode.NONE : ErrorCode.NON_EMPTY_GROUP
  }

  judgeDelete(): number {
    if (this.#state === 'Dead') return ErrorCode.GROUP_ID_NOT_FOUND
    return this.#state === 'Empty' ? ErrorCode.NONE : ErrorCode.NON_EMPTY_GROUP
  }

  isSubscribedTo(topic: string): boolean {
    if (this.#subscribedTopics !== null) return this.#subscribedTopics.has(topic)
    return this.#protocolType === CONSUMER_PROTOCOL_TYPE
  }

  tombstones(): GroupRecord[] {
    return [{ kind: 'GroupMetadata', key: { group: this.groupId }, value: null }]
  }

  offsetExpiry(): OffsetExpiry | null {
    const sinceCommit: OffsetExpiry = ({ commitTimestampMs }) => commitTimestampMs
    if (this.#protocolType === null) return sinceCommit
    if (this.#state === 'Empty') {
      const emptySinceMs = this.#stateTimestampMs
      return emptySinceMs === null ? sinceCommit : () => emptySinceMs
    }
    const isKnown = this.#protocolType === CONSUMER_PROTOCOL_TYPE && this.#subscribedTopics !== null
    return isKnown && this.#state === 'Stable' ? sinceCommit : null
  }

  unloaded(): void {
    this.transitionTo('Dead')
    const errorCode = ErrorCode.NOT_COORDINATOR
    for (const member of this.#members.values()) {
      this.answerJoin(member, joinError(member.memberId, errorCode))
      this.answerSync(member, { ...NO_SYNC, errorCode })
    }
  }

  #put(member: ClassicMember): void {
    this.#members.set(member.memberId, member)
    if (member.groupInstanceId !== null) {
      this.#staticMembers.set(member.groupInstanceId, member.memberId)
    }
  }

  #setAwaitingJoin(member: ClassicMember, waiting: Deferred<JoinAnswer> | null): void {
    if (member.awaitingJoin !== null) this.#awaitingJoins--
    if (waiting !== null) this.#awaitingJoins++
    member.awaitingJoin = waiting
  }

  #isSupportedByAll(protocol: string): boolean {
    for (const { protocols } of this.#members.values()) {
      if (!protocols.some(({ name }) => name === protocol)) return false
    }
    return true
  }

  #refreshSubscribedTopics(): void {
    const isConsumer = this.#protocolType === CONSUMER_PROTOCOL_TYPE
    const members = this.#members.values()
    this.#subscribedTopics = isConsumer ? subscribedTopicsOf(members, this.protocolName) : null
  }
}

const acceptAll: PartitionVerdict = (_topic: string, _topicId: Uuid, _partition: number) =>
  ErrorCode.NONE

export const NO_SYNC = {
  protocolType: null,
  protocolName: null,
  assignment: EMPTY_BYTES,
} as const satisfies Omit<SyncAnswer, 'errorCode'>

/** A JoinGroup that failed. */
export function joinError(memberId: string, errorCode: number): JoinAnswer {
  return {
    errorCode,
    generationId: -1,
    protocolType: null,
    protocolName: null,
    leader: '',
    memberId,
    members: [],
  }
}

function specOf(member: ClassicMember): ClassicMemberSpec {
  const { memberId, groupInstanceId, clientId, clientHost, protocolType } = member
  const { rebalanceTimeoutMs, sessionTimeoutMs, protocols, assignment } = member
  return {
    ...{ memberId, groupInstanceId, clientId, clientHost, protocolType },
    ...{ rebalanceTimeoutMs, sessionTimeoutMs, protocols, assignment },
  }
}

function firstOf<T>(values: Iterable<T>): T | undefined {
  for (const value of values) return value
  return undefined
}
