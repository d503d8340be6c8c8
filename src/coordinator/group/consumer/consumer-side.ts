/**
 * The consumer groups of one partition of __consumer_offsets: applies their records, starts their timers after a
 * load, and is the way to their operations, each of which stands in a file of its own.
 */
import { ErrorCode } from '../../../protocol/error-codes.js'
import type { ConsumerGroupHeartbeatRequest } from '../../../protocol/messages/consumer-group-heartbeat.js'
import type { HeartbeatRequest } from '../../../protocol/messages/heartbeat.js'
import type { JoinGroupRequest } from '../../../protocol/messages/join-group.js'
import type { SyncGroupRequest } from '../../../protocol/messages/sync-group.js'
import { type Outcome, answer } from '../../runtime/operation.js'
import { joinError, NO_SYNC } from '../classic/classic-group.js'
import type { JoinAnswer, SyncAnswer } from '../classic/classic-member.js'
import type { Leaver } from '../classic/leave.js'
import type { ConsumerGroupRecord, ConsumerGroupSide } from '../consumer-group-side.js'
import type { GroupRequestContext } from '../group-context.js'
import type { Group } from '../group.js'
import type { GroupShard } from '../group-shard.js'
import type { GroupRecord } from '../records/group-record.js'
import { classicHeartbeat, classicJoin, classicLeave, classicSync } from './classic-members.js'
import { ConsumerGroup } from './consumer-group.js'
import { describeConsumerGroup, type DescribedConsumerGroup } from './describe.js'
import type { ConsumerSideState } from './group-change.js'
import { consumerHeartbeat, type HeartbeatAnswer } from './heartbeat.js'
import { Refusal } from './refusal.js'
import { replayConsumerRecord } from './replay.js'
import { cancelTimeouts, startTimeouts } from './timeouts.js'
import { TopicHashes } from './topic-hash.js'

export class ConsumerSide implements ConsumerGroupSide, ConsumerSideState {
  readonly shard: GroupShard
  readonly hashes: TopicHashes
  newTopicsVersion: number

  constructor(shard: GroupShard) {
    this.shard = shard
    this.hashes = new TopicHashes(shard.context.topics)
    this.newTopicsVersion = shard.context.topics.version
  }

  replay(record: ConsumerGroupRecord): void {
    replayConsumerRecord(this.shard.groups, record)
    const isMemberGone = record.kind === 'ConsumerGroupMemberMetadata' && record.value === null
    if (isMemberGone) cancelTimeouts(this, record.key.groupId, record.key.memberId)
  }

  loaded(): readonly GroupRecord[] {
    for (const group of this.shard.groups.values()) {
      if (group instanceof ConsumerGroup) startTimeouts(this, group)
    }
    return []
  }

  topicsChanged(names: ReadonlySet<string>): Outcome<GroupRecord, void> {
    this.newTopicsVersion = this.shard.context.topics.version
    for (const name of names) this.hashes.forget(name)
    for (const group of this.shard.groups.values()) {
      if (!(group instanceof ConsumerGroup)) continue
      for (const name of names) if (group.isSubscribedTo(name)) group.requestRefresh()
    }
    return answer(undefined)
  }

  consumerHeartbeat(
    request: ConsumerGroupHeartbeatRequest,
    context: GroupRequestContext,
  ): Outcome<GroupRecord, HeartbeatAnswer> {
    return consumerHeartbeat(this, request, context)
  }

  describeConsumerGroup(groupId: string): DescribedConsumerGroup {
    return describeConsumerGroup(this.shard, groupId)
  }

  classicJoin(
    group: Group,
    request: JoinGroupRequest,
    context: GroupRequestContext,
  ): Outcome<GroupRecord, JoinAnswer> {
    return refusable(
      () => classicJoin(this, asConsumerGroup(group), { request, context }),
      errorCode => joinError(request.memberId, errorCode),
    )
  }

  classicSync(group: Group, request: SyncGroupRequest): Outcome<GroupRecord, SyncAnswer> {
    return refusable(
      () => classicSync(this, asConsumerGroup(group), request),
      errorCode => ({ ...NO_SYNC, errorCode }),
    )
  }

  classicHeartbeat(group: Group, request: HeartbeatRequest) {
    return refusable(
      () => classicHeartbeat(this, asConsumerGroup(group), request),
      errorCode => ({ errorCode }),
    )
  }

  classicLeave(group: Group, leavers: readonly Leaver[]) {
    return classicLeave(this, asConsumerGroup(group), leavers)
  }
}

function refusable<R>(
  run: () => Outcome<GroupRecord, R>,
  refused: (errorCode: number) => R,
): Outcome<GroupRecord, R> {
  try {
    return run()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return answer(refused(error.errorCode))
  }
}

function asConsumerGroup(group: Group): ConsumerGroup {
  if (group instanceof ConsumerGroup) return group
  throw new Refusal(ErrorCode.UNKNOWN_MEMBER_ID, `Group ${group.groupId} is not a consumer group.`)
}
