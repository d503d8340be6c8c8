/** Who a request to a consumer group is from: the group and the member, found or made. All throw Refusal. */
import { ErrorCode } from '../../../protocol/error-codes.js'
import { ClassicGroup } from '../classic/classic-group.js'
import type { GroupRecord } from '../records/group-record.js'
import { ConsumerGroup } from './consumer-group.js'
import {
  currentRecord,
  memberRecord,
  memberTombstones,
  targetRecord,
} from './consumer-group-records.js'
import { AWAY_EPOCH, type ConsumerMember, newMember } from './consumer-member.js'
import { knownMember, knownStaticMember, notFound } from './fence.js'
import type { ConsumerSideState, GroupChange } from './group-change.js'
import { isHeldAll, type TopicPartitions } from './partitions.js'
import { Refusal } from './refusal.js'
import { upgrade } from './upgrade.js'

/** The group of a heartbeat; who joins may make it, or make it of a classic one. */
export function groupFor(
  side: ConsumerSideState,
  groupId: string,
  { isJoining, records }: { readonly isJoining: boolean; readonly records: GroupRecord[] },
): ConsumerGroup {
  const group = side.shard.groups.get(groupId)
  if (group instanceof ConsumerGroup) return group
  if (!isJoining) {
    throw new Refusal(ErrorCode.GROUP_ID_NOT_FOUND, notFound(groupId, group !== undefined))
  }
  if (group === undefined) return new ConsumerGroup(groupId)
  if (group.isEmpty) {
    records.push(...group.tombstones())
    return new ConsumerGroup(groupId)
  }
  if (group instanceof ClassicGroup) return upgrade(side, group, records)
  throw new Refusal(ErrorCode.GROUP_ID_NOT_FOUND, notFound(groupId, true))
}

export function assertRoom(
  { shard }: ConsumerSideState,
  group: ConsumerGroup,
  { memberId, instanceId }: { readonly memberId: string; readonly instanceId: string | null },
): void {
  if (group.staticMember(instanceId) !== undefined) return
  const sizeMax = shard.context.config.get('group.consumer.max.size')
  if (group.members.size < sizeMax || group.member(memberId) !== undefined) return
  throw new Refusal(
    ErrorCode.GROUP_MAX_SIZE_REACHED,
    `The consumer group has reached its maximum capacity of ${sizeMax} members.`,
  )
}

export interface Claim {
  readonly memberId: string
  readonly instanceId: string | null
  /** May be made, or take the place of a static member. */
  readonly isJoining: boolean
  readonly usesClassicProtocol: boolean
  /** Of a member of the consumer protocol. */
  readonly memberEpoch: number
  readonly owned: readonly TopicPartitions[] | null
}

/** The member as the group has it, or a new one. */
export function memberFor(change: GroupChange, claim: Claim): ConsumerMember {
  return claim.instanceId === null
    ? dynamicMember(change.group, claim)
    : staticMember(change, claim, claim.instanceId)
}

function dynamicMember(group: ConsumerGroup, claim: Claim): ConsumerMember {
  const member = claim.isJoining
    ? (group.member(claim.memberId) ?? newMember(claim.memberId))
    : knownMember(group, claim.memberId)
  if (!claim.usesClassicProtocol) assertEpoch(member, claim)
  return member
}

function staticMember(change: GroupChange, claim: Claim, instanceId: string): ConsumerMember {
  const { group, records } = change
  const { memberId } = claim
  if (!claim.isJoining) {
    const member = knownStaticMember(group, memberId, instanceId)
    if (!claim.usesClassicProtocol) assertEpoch(member, claim)
    return member
  }
  const old = group.staticMember(instanceId)
  if (old === undefined) return group.member(memberId) ?? newMember(memberId)
  const bothSpeakConsumer = !claim.usesClassicProtocol && old.classic === null
  if (bothSpeakConsumer && old.memberEpoch !== AWAY_EPOCH) {
    const cause = `because the instance id is owned by ${old.memberId} member.`
    const message = `Static member ${memberId} with instance id ${instanceId} cannot join the group ${cause}`
    throw new Refusal(ErrorCode.UNRELEASED_INSTANCE_ID, message)
  }
  const member = { ...old, memberId, memberEpoch: 0, previousMemberEpoch: 0 }
  const { groupId } = group
  records.push(
    ...memberTombstones(groupId, old.memberId),
    memberRecord(groupId, member),
    targetRecord(groupId, memberId, group.targetOf(old)),
    currentRecord(groupId, member),
  )
  return member
}

/** The epoch before is good too, if the answer with the new one may have been lost and nothing too much is owned. */
function assertEpoch(member: ConsumerMember, { memberEpoch, owned }: Claim): void {
  if (memberEpoch === 0 || memberEpoch === member.memberEpoch) return
  const isGreater = memberEpoch > member.memberEpoch
  const isRetry = memberEpoch === member.previousMemberEpoch
  if (!isGreater && isRetry && owned !== null && isHeldAll(owned, member.assigned)) return
  const claim = `The consumer group member has a ${isGreater ? 'greater' : 'smaller'} member epoch (${memberEpoch})`
  throw fenced(`${claim} than the one known by the group coordinator (${member.memberEpoch}).`)
}

export function fenced(message: string): Refusal {
  const remedy = 'The member must abandon all its partitions and rejoin.'
  return new Refusal(ErrorCode.FENCED_MEMBER_EPOCH, `${message} ${remedy}`)
}
