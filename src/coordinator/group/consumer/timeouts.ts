/**
 * How long members of consumer groups may be silent, take to give partitions up, or, as classic members, to join and
 * to sync; whoever takes longer is put out. A timer that outlives its member or its group does nothing.
 */
import { groupConfigValue } from '../../../config/group-config.js'
import { type Outcome, answer } from '../../runtime/operation.js'
import type { GroupRecord } from '../records/group-record.js'
import { ConsumerGroup } from './consumer-group.js'
import { type ConsumerMember, MemberState } from './consumer-member.js'
import { fenceMembers } from './fence.js'
import type { ConsumerSideState } from './group-change.js'

type Kind = 'session' | 'rebalance' | 'join' | 'sync'

const keyOf = (kind: Kind, groupId: string, memberId: string): string =>
  `consumer-${kind}:${memberId}:${groupId}`

/** Starts the session of a member anew: its own timeout if it is a classic one, else the group's. */
export function expectHeartbeat(
  side: ConsumerSideState,
  groupId: string,
  member: ConsumerMember,
): void {
  const { config, groupOverrides } = side.shard.context
  const timeoutMs =
    member.classic?.sessionTimeoutMs ??
    groupConfigValue('consumer.session.timeout.ms', groupOverrides(groupId), config)
  schedule(side, 'session', { groupId, memberId: member.memberId, timeoutMs })
}

/** A member with partitions to give up has its rebalance timeout for it; any other has none running. */
export function expectRevocation(
  side: ConsumerSideState,
  groupId: string,
  { memberId, state, memberEpoch, rebalanceTimeoutMs }: ConsumerMember,
): void {
  if (state === MemberState.UnrevokedPartitions) {
    const timeoutMs = rebalanceTimeoutMs
    schedule(side, 'rebalance', { groupId, memberId, timeoutMs, memberEpoch })
  } else {
    side.shard.context.timers.cancel(keyOf('rebalance', groupId, memberId))
  }
}

/** A classic member that was told to rejoin has its rebalance timeout for it, from the first time on. */
export function expectJoin(
  side: ConsumerSideState,
  groupId: string,
  { memberId, rebalanceTimeoutMs }: ConsumerMember,
): void {
  if (side.shard.context.timers.has(keyOf('join', groupId, memberId))) return
  schedule(side, 'join', { groupId, memberId, timeoutMs: rebalanceTimeoutMs })
}

/** A classic member has joined: it is to sync within its rebalance timeout. */
export function joined(
  side: ConsumerSideState,
  groupId: string,
  { memberId, rebalanceTimeoutMs }: ConsumerMember,
): void {
  side.shard.context.timers.cancel(keyOf('join', groupId, memberId))
  schedule(side, 'sync', { groupId, memberId, timeoutMs: rebalanceTimeoutMs })
}

export function synced(side: ConsumerSideState, groupId: string, memberId: string): void {
  side.shard.context.timers.cancel(keyOf('sync', groupId, memberId))
}

/** The member is gone, or its group is of another kind now. Its session may run out; that does nothing. */
export function cancelTimeouts(side: ConsumerSideState, groupId: string, memberId: string): void {
  for (const kind of ['rebalance', 'join', 'sync'] as const) {
    side.shard.context.timers.cancel(keyOf(kind, groupId, memberId))
  }
}

/** After a load: everybody has a whole session, and a whole rebalance timeout, to be heard of again. */
export function startTimeouts(side: ConsumerSideState, group: ConsumerGroup): void {
  for (const member of group.members.values()) {
    expectHeartbeat(side, group.groupId, member)
    if (member.classic === null) expectRevocation(side, group.groupId, member)
  }
}

interface Expectation {
  readonly groupId: string
  readonly memberId: string
  readonly timeoutMs: number
  /** The member is spared if it is at another epoch by then. */
  readonly memberEpoch?: number
}

function schedule(
  side: ConsumerSideState,
  kind: Kind,
  { groupId, memberId, timeoutMs, memberEpoch }: Expectation,
): void {
  const { timers, trace } = side.shard.context
  timers.schedule(keyOf(kind, groupId, memberId), timeoutMs, (): Outcome<GroupRecord, void> => {
    const group = side.shard.groups.get(groupId)
    const member = group instanceof ConsumerGroup ? group.member(memberId) : undefined
    if (member === undefined || !(group instanceof ConsumerGroup)) return answer(undefined)
    if (memberEpoch !== undefined && member.memberEpoch !== memberEpoch) return answer(undefined)
    trace(`Member ${memberId} of group ${groupId} is put out: its ${kind} timeout has passed.`)
    return fenceMembers(side, group, [member])
  })
}
