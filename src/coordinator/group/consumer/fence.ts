/** Members that go: on their own (epochs -1 and -2), because they were too slow, or because a classic one left. */
import { ErrorCode } from '../../../protocol/error-codes.js'
import type { ConsumerGroupHeartbeatRequest } from '../../../protocol/messages/consumer-group-heartbeat.js'
import { type Outcome, answer } from '../../runtime/operation.js'
import type { GroupRecord } from '../records/group-record.js'
import { ConsumerGroup } from './consumer-group.js'
import {
  currentRecord,
  groupRecord,
  memberTombstones,
  regexTombstone,
  targetEpochRecord,
} from './consumer-group-records.js'
import { AWAY_EPOCH, type ConsumerMember } from './consumer-member.js'
import { canDowngradeWithout, downgrade } from './downgrade.js'
import type { ConsumerSideState } from './group-change.js'
import { NONE_HELD, withEpoch, withoutEpochs } from './partitions.js'
import { Refusal } from './refusal.js'
import { Subscriptions } from './subscriptions.js'

/** Takes members out. If only classic ones are left the group becomes a classic one. */
export function fenceMembers(
  side: ConsumerSideState,
  group: ConsumerGroup,
  members: readonly ConsumerMember[],
): Outcome<GroupRecord, void> {
  if (members.length === 0) return answer(undefined)
  if (canDowngradeWithout(side, group, members)) {
    return downgrade(side, group, { leaving: members, mustRebalance: true, records: [] })
  }
  const { groupId } = group
  const records = members.flatMap(({ memberId }) => memberTombstones(groupId, memberId))
  const subscriptions = new Subscriptions(group.subscriptions)
  for (const member of members) subscriptions.replaceMember(member, null)
  for (const regex of group.subscriptions.regexes().keys()) {
    if (subscriptions.subscribersOf(regex) > 0) continue
    records.push(regexTombstone(groupId, regex))
    subscriptions.replaceResolved(group.resolvedRegexes.get(regex), undefined)
  }
  const metadataHash = side.hashes.ofGroup(subscriptions.topicNames())
  const groupEpoch = group.groupEpoch + 1
  records.push(groupRecord(groupId, groupEpoch, metadataHash))
  if (group.members.size === members.length) {
    records.push(targetEpochRecord(groupId, groupEpoch, 0))
  }
  return { records, response: undefined }
}

export interface LeaveAnswer {
  readonly errorCode: number
  readonly memberId: string
  readonly memberEpoch: number
  readonly heartbeatIntervalMs: number
}

/** Heartbeats of epoch -1 and -2. Throws Refusal. */
export function leave(
  side: ConsumerSideState,
  { groupId, memberId, memberEpoch, instanceId }: ConsumerGroupHeartbeatRequest,
): Outcome<GroupRecord, LeaveAnswer> {
  const group = side.shard.groups.get(groupId)
  if (!(group instanceof ConsumerGroup)) {
    throw new Refusal(ErrorCode.GROUP_ID_NOT_FOUND, notFound(groupId, group !== undefined))
  }
  const response = { errorCode: ErrorCode.NONE, memberId, memberEpoch, heartbeatIntervalMs: 0 }
  const member =
    instanceId === null
      ? knownMember(group, memberId)
      : knownStaticMember(group, memberId, instanceId)
  if (instanceId !== null && memberEpoch === AWAY_EPOCH) {
    return { records: [currentRecord(groupId, away(member))], response }
  }
  return { ...fenceMembers(side, group, [member]), response }
}

/** It keeps what it holds, under no epoch, until it comes back or its session ends. */
function away(member: ConsumerMember): ConsumerMember {
  return {
    ...member,
    memberEpoch: AWAY_EPOCH,
    assigned: withEpoch(withoutEpochs(member.assigned), 0),
    pendingRevocation: NONE_HELD,
  }
}

/** Throws Refusal: UNKNOWN_MEMBER_ID. */
export function knownMember(group: ConsumerGroup, memberId: string): ConsumerMember {
  const member = group.member(memberId)
  if (member !== undefined) return member
  const message = `Member ${memberId} is not a member of group ${group.groupId}.`
  throw new Refusal(ErrorCode.UNKNOWN_MEMBER_ID, message)
}

/** Throws Refusal: UNKNOWN_MEMBER_ID, FENCED_INSTANCE_ID. */
export function knownStaticMember(
  group: ConsumerGroup,
  memberId: string,
  instanceId: string,
): ConsumerMember {
  const member = group.staticMember(instanceId)
  if (member === undefined) {
    throw new Refusal(ErrorCode.UNKNOWN_MEMBER_ID, `Instance id ${instanceId} is unknown.`)
  }
  if (member.memberId !== memberId) {
    const message = `Static member ${memberId} with instance id ${instanceId} was fenced by member ${member.memberId}.`
    throw new Refusal(ErrorCode.FENCED_INSTANCE_ID, message)
  }
  return member
}

export function notFound(groupId: string, isOfOtherKind: boolean): string {
  return isOfOtherKind ? `Group ${groupId} is not a consumer group.` : `Group ${groupId} not found.`
}
