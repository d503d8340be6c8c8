/**
 * A member of a consumer group: what it told, how far it is, what it holds. Immutable; records describe it whole, so
 * that a load finds the same member again.
 *
 *   Stable               holds what it is to hold at its epoch
 *   UnrevokedPartitions  is to give partitions up and has not said yet that it did
 *   UnreleasedPartitions waits for partitions that others still hold
 */
import type { GroupRecordOf } from '../records/group-record.js'
import {
  type HeldPartitions,
  NONE_HELD,
  isHeldAny,
  sameHeld,
  sameSet,
  topicPartitionsOf,
} from './partitions.js'
import type { Uuid } from '../../../base/uuid.js'

export const MemberState = {
  Stable: 0,
  UnrevokedPartitions: 1,
  UnreleasedPartitions: 2,
  /** Written by a newer broker. */
  Unknown: 127,
} as const
export type MemberState = (typeof MemberState)[keyof typeof MemberState]

/** Epochs of a member that is not there. */
export const LEAVING_EPOCH = -1
/** A static member that is to come back. */
export const AWAY_EPOCH = -2

/** A member that speaks the classic protocol (the online upgrade). */
export interface ClassicSide {
  readonly sessionTimeoutMs: number
  /** At least one. */
  readonly protocols: readonly { readonly name: string; readonly metadata: Buffer }[]
}

export interface ConsumerMember {
  readonly memberId: string
  readonly memberEpoch: number
  readonly previousMemberEpoch: number
  readonly state: MemberState
  readonly instanceId: string | null
  readonly rackId: string | null
  readonly rebalanceTimeoutMs: number
  readonly clientId: string
  readonly clientHost: string
  readonly subscribedTopicNames: ReadonlySet<string>
  /** '' without one. */
  readonly subscribedTopicRegex: string
  readonly serverAssignor: string | null
  readonly assigned: HeldPartitions
  readonly pendingRevocation: HeldPartitions
  /** Null: it speaks the consumer protocol. */
  readonly classic: ClassicSide | null
}

const NO_TOPICS: ReadonlySet<string> = new Set()

export function newMember(memberId: string): ConsumerMember {
  return {
    memberId,
    memberEpoch: 0,
    previousMemberEpoch: -1,
    state: MemberState.Stable,
    instanceId: null,
    rackId: null,
    rebalanceTimeoutMs: -1,
    clientId: '',
    clientHost: '',
    subscribedTopicNames: NO_TOPICS,
    subscribedTopicRegex: '',
    serverAssignor: null,
    assigned: NONE_HELD,
    pendingRevocation: NONE_HELD,
    classic: null,
  }
}

/** What a member tells of itself; what it leaves out stays as it was. */
export type MemberChanges = Partial<Omit<ConsumerMember, 'memberId'>>

/** The member with the changes; the same object if they change nothing. */
export function withChanges(member: ConsumerMember, changes: MemberChanges): ConsumerMember {
  const changed = { ...member, ...changes }
  return isSame(member, changed) ? member : changed
}

export function isReconciledTo(member: ConsumerMember, assignmentEpoch: number): boolean {
  return member.state === MemberState.Stable && member.memberEpoch === assignmentEpoch
}

/** The epoch at which the partition came to the member, also if it is to give it up; undefined: it has it not. */
export function assignmentEpochOf(
  { assigned, pendingRevocation }: ConsumerMember,
  topicId: Uuid,
  partition: number,
): number | undefined {
  return assigned.get(topicId)?.get(partition) ?? pendingRevocation.get(topicId)?.get(partition)
}

export function holdsPendingRevocation(
  member: ConsumerMember,
  topicId: Uuid,
  partition: number,
): boolean {
  return isHeldAny([{ topicId, partitions: [partition] }], member.pendingRevocation)
}

export function withMetadata(
  member: ConsumerMember,
  value: NonNullable<GroupRecordOf<'ConsumerGroupMemberMetadata'>['value']>,
): ConsumerMember {
  const classic = value.classicMemberMetadata ?? null
  return {
    ...member,
    instanceId: value.instanceId,
    rackId: value.rackId,
    clientId: value.clientId,
    clientHost: value.clientHost,
    subscribedTopicNames: new Set(value.subscribedTopicNames),
    subscribedTopicRegex: value.subscribedTopicRegex ?? '',
    rebalanceTimeoutMs: value.rebalanceTimeoutMs ?? -1,
    serverAssignor: value.serverAssignor,
    classic:
      classic === null
        ? null
        : {
            sessionTimeoutMs: classic.sessionTimeoutMs,
            protocols: classic.supportedProtocols.map(({ name, metadata }) => ({
              name,
              metadata: Buffer.from(metadata),
            })),
          },
  }
}

type CurrentAssignment = NonNullable<GroupRecordOf<'ConsumerGroupCurrentMemberAssignment'>['value']>

export function withCurrentAssignment(
  member: ConsumerMember,
  value: CurrentAssignment,
): ConsumerMember {
  return {
    ...member,
    memberEpoch: value.memberEpoch,
    previousMemberEpoch: value.previousMemberEpoch,
    state: stateOf(value.state),
    assigned: heldFrom(value.assignedPartitions, value.memberEpoch),
    pendingRevocation: heldFrom(value.partitionsPendingRevocation, value.memberEpoch),
  }
}

/** As records carry it. */
export function heldTopicPartitionsOf(held: HeldPartitions) {
  return topicPartitionsOf(held).map(({ topicId, partitions }) => ({
    topicId,
    partitions,
    assignmentEpochs: partitions.map(partition => held.get(topicId)!.get(partition)!),
  }))
}

/** Brokers before 4.4 did not write the epochs: the member's stands for them. */
function heldFrom(
  topics: CurrentAssignment['assignedPartitions'],
  memberEpoch: number,
): HeldPartitions {
  const fallback = Math.max(memberEpoch, 0)
  return new Map(
    topics.map(({ topicId, partitions, assignmentEpochs }) => {
      const epochs = assignmentEpochs?.length === partitions.length ? assignmentEpochs : null
      return [
        topicId,
        new Map(partitions.map((partition, index) => [partition, epochs?.[index] ?? fallback])),
      ]
    }),
  )
}

function stateOf(value: number): MemberState {
  const isKnown = value >= MemberState.Stable && value <= MemberState.UnreleasedPartitions
  return isKnown ? (value as MemberState) : MemberState.Unknown
}

function isSame(a: ConsumerMember, b: ConsumerMember): boolean {
  return (
    a.memberEpoch === b.memberEpoch &&
    a.previousMemberEpoch === b.previousMemberEpoch &&
    a.state === b.state &&
    a.instanceId === b.instanceId &&
    a.rackId === b.rackId &&
    a.rebalanceTimeoutMs === b.rebalanceTimeoutMs &&
    a.clientId === b.clientId &&
    a.clientHost === b.clientHost &&
    a.subscribedTopicRegex === b.subscribedTopicRegex &&
    a.serverAssignor === b.serverAssignor &&
    sameSet(a.subscribedTopicNames, b.subscribedTopicNames) &&
    sameHeld(a.assigned, b.assigned) &&
    sameHeld(a.pendingRevocation, b.pendingRevocation) &&
    sameClassicSide(a.classic, b.classic)
  )
}

function sameClassicSide(a: ClassicSide | null, b: ClassicSide | null): boolean {
  if (a === null || b === null) return a === b
  return (
    a.sessionTimeoutMs === b.sessionTimeoutMs &&
    a.protocols.length === b.protocols.length &&
    a.protocols.every(({ name, metadata }, index) => {
      const other = b.protocols[index]!
      return other.name === name && other.metadata.equals(metadata)
    })
  )
}
