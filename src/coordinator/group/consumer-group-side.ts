/**
 * What the consumer group protocol (KIP-848, consumer/) adds to a shard: how its records are applied, and what
 * classic requests mean for a consumer group (the online upgrade). group-shard.ts calls it.
 */
import type { InferInput } from '../../protocol/schema/message.js'
import type { ConsumerGroupHeartbeatRequest } from '../../protocol/messages/consumer-group-heartbeat.js'
import type { HeartbeatRequest, HeartbeatResponse } from '../../protocol/messages/heartbeat.js'
import type { JoinGroupRequest, JoinGroupResponse } from '../../protocol/messages/join-group.js'
import type { SyncGroupRequest, SyncGroupResponse } from '../../protocol/messages/sync-group.js'
import type { Outcome } from '../runtime/operation.js'
import type { LeaveAnswer, Leaver } from './classic/leave.js'
import type { DescribedConsumerGroup } from './consumer/describe.js'
import type { HeartbeatAnswer } from './consumer/heartbeat.js'
import type { GroupRequestContext } from './group-context.js'
import type { Group } from './group.js'
import type { GroupRecord, GroupRecordKind, GroupRecordOf } from './records/group-record.js'

export type ConsumerGroupRecord = GroupRecordOf<Extract<GroupRecordKind, `ConsumerGroup${string}`>>

type GroupOutcome<R> = Outcome<GroupRecord, R>

export interface ConsumerGroupSide {
  /** May put groups into the shard and take them out. */
  replay(record: ConsumerGroupRecord): void
  /** All records were replayed: starts session timers. */
  loaded(nowMs: number): readonly GroupRecord[]
  /** Topics came, went or grew: consumer groups that subscribe to them look again. */
  topicsChanged(names: ReadonlySet<string>, nowMs: number): Outcome<GroupRecord, void>
  consumerHeartbeat(
    request: ConsumerGroupHeartbeatRequest,
    context: GroupRequestContext,
  ): GroupOutcome<HeartbeatAnswer>
  /** An error in it: there is no consumer group of the name. */
  describeConsumerGroup(groupId: string): DescribedConsumerGroup
  /** Requests of classic members to a group of type 'consumer'. */
  classicJoin(
    group: Group,
    request: JoinGroupRequest,
    context: GroupRequestContext,
  ): GroupOutcome<InferInput<typeof JoinGroupResponse>>
  classicSync(
    group: Group,
    request: SyncGroupRequest,
    context: GroupRequestContext,
  ): GroupOutcome<InferInput<typeof SyncGroupResponse>>
  classicHeartbeat(
    group: Group,
    request: HeartbeatRequest,
    context: GroupRequestContext,
  ): GroupOutcome<InferInput<typeof HeartbeatResponse>>
  classicLeave(
    group: Group,
    leavers: readonly Leaver[],
    context: GroupRequestContext,
  ): GroupOutcome<LeaveAnswer>
}
