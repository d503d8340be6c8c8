/**
 * A consumer group (KIP-848) as its records describe it: members, epochs, target assignment. Only replay changes it,
 * but for the deadline of the next look at the topics. What requests and timers do with it stands beside it.
 *
 *   Empty        no members
 *   Assigning    the group epoch is ahead of the target assignment's
 *   Reconciling  members are on their way to the target assignment
 *   Stable       all have arrived
 */
import type { Uuid } from '../../../base/uuid.js'
import { ErrorCode } from '../../../protocol/error-codes.js'
import type { Group, OffsetCommitter, PartitionVerdict } from '../group.js'
import type { OffsetExpiry } from '../offsets/offset-expiry.js'
import type { GroupRecord } from '../records/group-record.js'
import { groupTombstones } from './consumer-group-records.js'
import {
  type ConsumerMember,
  assignmentEpochOf,
  isReconciledTo,
  LEAVING_EPOCH,
} from './consumer-member.js'
import { NO_PARTITIONS, NONE_HELD, type Partitions } from './partitions.js'
import { Subscriptions } from './subscriptions.js'
import type { ResolvedRegex } from './topic-regex.js'

/** Epochs of a group that was just made; its first change makes it 2. */
const FIRST_EPOCH = 1
/** From here on OffsetCommit carries member epochs. */
const FIRST_COMMIT_VERSION_WITH_EPOCH = 9

export class ConsumerGroup implements Group {
  readonly type = 'consumer'
  readonly protocolType = 'consumer'
  readonly groupId: string
  groupEpoch = FIRST_EPOCH
  metadataHash = 0n
  assignmentEpoch = FIRST_EPOCH
  /** When the target assignment was made; 0: not since the group was empty. */
  assignmentTimestampMs = 0
  /** A record from before 4.1 that is to be taken out. */
  hasOldTopicsRecord = false
  /** The topics are looked at again from this time on, or if the epoch was not reached after all. */
  refreshAt: { readonly deadlineMs: number; readonly epoch: number } = REFRESH_NOW
  /** Version of the topics that the patterns were resolved against since this broker loaded the group. */
  regexesResolvedAt: number | null = null
  readonly subscriptions = new Subscriptions()
  readonly resolvedRegexes = new Map<string, ResolvedRegex>()
  readonly targets = new Map<string, Partitions>()
  readonly #members = new Map<string, ConsumerMember>()
  /** Member ids by instance id. */
  readonly #staticMembers = new Map<string, string>()
  /** Who holds each partition, also if it is to give it up. */
  readonly #holders = new Map<Uuid, Map<number, string>>()
  readonly #assignors = new Map<string, number>()
  readonly #classicProtocols = new Map<string, number>()
  #classicMembers = 0

  constructor(groupId: string) {
    this.groupId = groupId
  }

  get stateName(): string {
    if (this.#members.size === 0) return 'Empty'
    if (this.groupEpoch > this.assignmentEpoch) return 'Assigning'
    for (const member of this.#members.values()) {
      if (!isReconciledTo(member, this.assignmentEpoch)) return 'Reconciling'
    }
    return 'Stable'
  }

  get isEmpty(): boolean {
    return this.#members.size === 0
  }

  get members(): ReadonlyMap<string, ConsumerMember> {
    return this.#members
  }

  get classicMemberCount(): number {
    return this.#classicMembers
  }

  member(memberId: string): ConsumerMember | undefined {
    return this.#members.get(memberId)
  }

  staticMember(instanceId: string | null): ConsumerMember | undefined {
    const memberId = instanceId === null ? undefined : this.#staticMembers.get(instanceId)
    return memberId === undefined ? undefined : this.#members.get(memberId)
  }

  /** The target of a member, or of the static member whose place it takes. */
  targetOf({ memberId, instanceId }: ConsumerMember): Partitions {
    const id = instanceId === null ? memberId : this.#staticMembers.get(instanceId)
    return (id === undefined ? undefined : this.targets.get(id)) ?? NO_PARTITIONS
  }

  /** Whether somebody has the partition. */
  isHeld(topicId: Uuid, partition: number): boolean {
    return this.#holders.get(topicId)?.has(partition) === true
  }

  /** The assignor that most members want; undefined: nobody says. The first named wins a tie. */
  preferredAssignor(old?: ConsumerMember, changed?: ConsumerMember): string | undefined {
    let counts = this.#assignors
    if (old?.serverAssignor !== changed?.serverAssignor) {
      counts = new Map(counts)
      count(counts, old?.serverAssignor, -1)
      count(counts, changed?.serverAssignor, 1)
    }
    let preferred: string | undefined
    let mostVotes = 0
    for (const [name, votes] of counts) {
      if (votes > mostVotes) [preferred, mostVotes] = [name, votes]
    }
    return preferred
  }

  /** Whether a classic member with these protocols fits to the classic members there are. */
  supportsClassic(protocolType: string, protocolNames: readonly string[]): boolean {
    if (protocolType !== this.protocolType) return false
    if (this.isEmpty) return protocolNames.length > 0
    return protocolNames.some(
      name => (this.#classicProtocols.get(name) ?? 0) === this.#classicMembers,
    )
  }

  needsRefresh(nowMs: number): boolean {
    return nowMs >= this.refreshAt.deadlineMs || this.groupEpoch < this.refreshAt.epoch
  }

  requestRefresh(): void {
    this.refreshAt = REFRESH_NOW
  }

  putMember(member: ConsumerMember): void {
    const old = this.#members.get(member.memberId) ?? null
    this.#members.set(member.memberId, member)
    this.#replace(old, member)
  }

  removeMember(memberId: string): void {
    const old = this.#members.get(memberId)
    if (old === undefined) return
    this.#members.delete(memberId)
    this.#replace(old, null)
  }

  /** The record of what a member holds is gone: its other one goes next. */
  clearCurrentAssignment(memberId: string): void {
    const member = this.#members.get(memberId)
    if (member === undefined) return
    this.putMember({
      ...member,
      memberEpoch: LEAVING_EPOCH,
      previousMemberEpoch: LEAVING_EPOCH,
      assigned: NONE_HELD,
      pendingRevocation: NONE_HELD,
    })
  }

  putResolved(regex: string, resolved: ResolvedRegex | undefined): void {
    this.subscriptions.replaceResolved(this.resolvedRegexes.get(regex), resolved)
    if (resolved === undefined) this.resolvedRegexes.delete(regex)
    else this.resolvedRegexes.set(regex, resolved)
  }

  judgeOffsetCommit(committer: OffsetCommitter): number | PartitionVerdict {
    const { memberId, groupInstanceId, apiVersion, isTransactional } = committer
    const epoch = committer.generationIdOrMemberEpoch
    if (epoch < 0 && this.isEmpty) return acceptAll
    const isAnonymous = epoch === -1 && memberId === '' && groupInstanceId === null
    if (isTransactional && isAnonymous) return acceptAll
    const member = this.#members.get(memberId)
    if (member === undefined) return ErrorCode.UNKNOWN_MEMBER_ID
    const isTooOld = apiVersion < FIRST_COMMIT_VERSION_WITH_EPOCH
    if (!isTransactional && member.classic === null && isTooOld) {
      return ErrorCode.UNSUPPORTED_VERSION
    }
    if (epoch === member.memberEpoch) return acceptAll
    const refusal = staleEpochOf(member)
    if (epoch > member.memberEpoch) return refusal
    // KIP-1251: what the member already had at the epoch it names is still its own.
    return (_topic, topicId, partition) => {
      const since = assignmentEpochOf(member, topicId, partition)
      return since === undefined || epoch < since ? refusal : ErrorCode.NONE
    }
  }

  judgeOffsetFetch(memberId: string | null, memberEpoch: number): number {
    if (memberId === null && memberEpoch < 0) return ErrorCode.NONE
    const member = memberId === null ? undefined : this.#members.get(memberId)
    if (member === undefined) return ErrorCode.UNKNOWN_MEMBER_ID
    return memberEpoch === member.memberEpoch ? ErrorCode.NONE : staleEpochOf(member)
  }

  judgeOffsetDelete(): number {
    return ErrorCode.NONE
  }

  judgeDelete(): number {
    return this.isEmpty ? ErrorCode.NONE : ErrorCode.NON_EMPTY_GROUP
  }

  isSubscribedTo(topic: string): boolean {
    return this.subscriptions.has(topic)
  }

  tombstones(): GroupRecord[] {
    return groupTombstones(this.groupId, [...this.#members.keys()], this.resolvedRegexes.keys())
  }

  offsetExpiry(): OffsetExpiry {
    return ({ commitTimestampMs }) => commitTimestampMs
  }

  /** Nobody waits for anything here: heartbeats are answered at once. */
  unloaded(): void {
    this.requestRefresh()
  }

  #replace(old: ConsumerMember | null, changed: ConsumerMember | null): void {
    this.subscriptions.replaceMember(old, changed)
    count(this.#assignors, old?.serverAssignor, -1)
    count(this.#assignors, changed?.serverAssignor, 1)
    this.#countClassic(old, -1)
    this.#countClassic(changed, 1)
    if (old !== null && old.instanceId !== null) this.#forgetInstance(old)
    if (changed !== null && changed.instanceId !== null) {
      this.#staticMembers.set(changed.instanceId, changed.memberId)
    }
    if (old !== null) this.#release(old)
    if (changed !== null) this.#hold(changed)
  }

  #forgetInstance({ instanceId, memberId }: ConsumerMember): void {
    if (instanceId !== null && this.#staticMembers.get(instanceId) === memberId) {
      this.#staticMembers.delete(instanceId)
    }
  }

  #countClassic(member: ConsumerMember | null, change: 1 | -1): void {
    const classic = member?.classic ?? null
    if (classic === null) return
    this.#classicMembers += change
    for (const { name } of classic.protocols) count(this.#classicProtocols, name, change)
  }

  #hold({ memberId, assigned, pendingRevocation }: ConsumerMember): void {
    for (const held of [assigned, pendingRevocation]) {
      for (const [topicId, partitions] of held) {
        let holders = this.#holders.get(topicId)
        if (holders === undefined) this.#holders.set(topicId, (holders = new Map()))
        for (const partition of partitions.keys()) holders.set(partition, memberId)
      }
    }
  }

  /** In a compacted log a later holder may come before the record in which the earlier one lets go. */
  #release({ memberId, assigned, pendingRevocation }: ConsumerMember): void {
    for (const held of [assigned, pendingRevocation]) {
      for (const [topicId, partitions] of held) {
        const holders = this.#holders.get(topicId)
        if (holders === undefined) continue
        for (const partition of partitions.keys()) {
          if (holders.get(partition) === memberId) holders.delete(partition)
        }
        if (holders.size === 0) this.#holders.delete(topicId)
      }
    }
  }
}

const REFRESH_NOW = { deadlineMs: 0, epoch: 0 } as const

const acceptAll: PartitionVerdict = () => ErrorCode.NONE

function staleEpochOf({ classic }: ConsumerMember): number {
  return classic === null ? ErrorCode.STALE_MEMBER_EPOCH : ErrorCode.ILLEGAL_GENERATION
}

function count(counts: Map<string, number>, name: string | null | undefined, change: 1 | -1): void {
  if (name === null || name === undefined) return
  const changed = (counts.get(name) ?? 0) + change
  if (changed > 0) counts.set(name, changed)
  else counts.delete(name)
}
