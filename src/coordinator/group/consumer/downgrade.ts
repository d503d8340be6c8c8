/**
 * The way back to a classic group: once only classic members are left, or a static member came back as a classic one.
 * The group keeps its epoch as generation and its target assignment as what the leader decided.
 */
import { ConsumerProtocolAssignment } from '../../../protocol/messages/consumer-protocol.js'
import { encodeVersioned } from '../../../protocol/versioned-message.js'
import type { Outcome } from '../../runtime/operation.js'
import { ClassicGroup } from '../classic/classic-group.js'
import { ClassicMember } from '../classic/classic-member.js'
import { expectHeartbeat } from '../classic/heartbeat.js'
import { prepareRebalance } from '../classic/rebalance.js'
import type { TopicsImage } from '../group-context.js'
import type { GroupRecord } from '../records/group-record.js'
import type { ConsumerGroup } from './consumer-group.js'
import { groupTombstones } from './consumer-group-records.js'
import type { ConsumerMember } from './consumer-member.js'
import type { ConsumerSideState } from './group-change.js'
import type { Partitions } from './partitions.js'
import { cancelTimeouts, startTimeouts } from './timeouts.js'

/** Only classic members are left when these are gone, and the settings let the group go back. */
export function canDowngradeWithout(
  side: ConsumerSideState,
  group: ConsumerGroup,
  leaving: readonly ConsumerMember[],
): boolean {
  const leavingClassic = leaving.filter(({ classic }) => classic !== null).length
  const left = group.members.size - leaving.length
  if (left <= 0 || group.classicMemberCount - leavingClassic !== left) return false
  return isAllowed(side, left)
}

/** A classic member takes the place of this one, the last that was none. */
export function canDowngradeReplacing(
  side: ConsumerSideState,
  group: ConsumerGroup,
  replaced: ConsumerMember,
): boolean {
  const areOthersClassic = group.classicMemberCount === group.members.size - 1
  return areOthersClassic && replaced.classic === null && isAllowed(side, group.members.size)
}

function isAllowed({ shard }: ConsumerSideState, memberCount: number): boolean {
  const { config } = shard.context
  const policy = config.get('group.consumer.migration.policy').toLowerCase()
  if (policy !== 'downgrade' && policy !== 'bidirectional') return false
  return memberCount <= config.get('group.max.size')
}

export interface Downgrade {
  readonly leaving?: readonly ConsumerMember[]
  /** The classic member that takes the place of the static member of its instance. */
  readonly joining?: ConsumerMember
  readonly mustRebalance: boolean
  /** What was gathered so far. */
  readonly records: readonly GroupRecord[]
}

/** Puts a classic group in the place of the group at once; if the records fail the group is put back. */
export function downgrade(
  side: ConsumerSideState,
  group: ConsumerGroup,
  { leaving = [], joining, mustRebalance, records }: Downgrade,
): Outcome<GroupRecord, void> {
  const { shard } = side
  const { groupId } = group
  const replaced = joining === undefined ? undefined : group.staticMember(joining.instanceId)
  const classic = new ClassicGroup(groupId, shard.context)
  for (const member of group.members.values()) {
    if (leaving.includes(member)) continue
    if (member === replaced) addMember(classic, joining!, group.targetOf(member), side)
    else addMember(classic, member, group.targetOf(member), side)
  }
  classic.becomeStable(group.groupEpoch)
  const memberIds = Array.from(group.members.values(), member =>
    member === replaced ? joining!.memberId : member.memberId,
  )
  const conversion = [
    ...records,
    ...groupTombstones(groupId, memberIds, group.resolvedRegexes.keys()),
    classic.record(),
  ]
  for (const memberId of group.members.keys()) cancelTimeouts(side, groupId, memberId)
  shard.groups.set(groupId, classic)
  for (const member of classic.members) expectHeartbeat(shard, classic, member)
  const rebalance = mustRebalance ? prepareRebalance(shard, classic) : null
  return {
    records: [...conversion, ...(rebalance?.records ?? [])],
    response: undefined,
    replay: false,
    settled(error) {
      rebalance?.settled?.(error)
      if (error === null || shard.groups.get(groupId) !== classic) return
      shard.groups.set(groupId, group)
      startTimeouts(side, group)
    },
  }
}

function addMember(
  classic: ClassicGroup,
  member: ConsumerMember,
  target: Partitions,
  { shard }: ConsumerSideState,
): void {
  const { sessionTimeoutMs, protocols } = member.classic!
  classic.add(
    new ClassicMember({
      memberId: member.memberId,
      groupInstanceId: member.instanceId,
      clientId: member.clientId,
      clientHost: member.clientHost,
      rebalanceTimeoutMs: member.rebalanceTimeoutMs,
      sessionTimeoutMs,
      protocolType: 'consumer',
      protocols,
      assignment: assignmentBytes(target, protocols[0]!.metadata, shard.context.topics),
    }),
    null,
  )
}

/** A classic member's assignment, in the version that its subscription has. */
export function assignmentBytes(
  partitions: Partitions,
  subscription: Buffer,
  topics: TopicsImage,
): Buffer {
  const assignedPartitions: { topic: string; partitions: number[] }[] = []
  for (const [topicId, ofTopic] of partitions) {
    const topic = topics.topicById(topicId)?.name
    if (topic === undefined) continue
    assignedPartitions.push({ topic, partitions: [...ofTopic].sort((a, b) => a - b) })
  }
  const version = Math.min(subscription.readInt16BE(0), ConsumerProtocolAssignment.versions[1])
  return encodeVersioned(ConsumerProtocolAssignment, version, { assignedPartitions })
}
