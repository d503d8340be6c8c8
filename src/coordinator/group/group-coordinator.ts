/**
 * The group coordinator of this broker: which partition of __consumer_offsets a group belongs to, and every request
 * about groups and offsets. All answers are in Kafka's error codes; nothing here throws but bugs.
 */
import { BrokerError } from '../../base/errors.js'
import { ErrorCode } from '../../protocol/error-codes.js'
import type { ConsumerGroupHeartbeatRequest } from '../../protocol/messages/consumer-group-heartbeat.js'
import type { HeartbeatRequest } from '../../protocol/messages/heartbeat.js'
import type { JoinGroupRequest } from '../../protocol/messages/join-group.js'
import type { SyncGroupRequest } from '../../protocol/messages/sync-group.js'
import type { CoordinatorRuntime } from '../runtime/coordinator-runtime.js'
import { type Outcome, answer } from '../runtime/operation.js'
import { joinError, NO_SYNC } from './classic/classic-group.js'
import type { JoinAnswer, SyncAnswer } from './classic/classic-member.js'
import { heartbeat } from './classic/heartbeat.js'
import { joinGroup } from './classic/join.js'
import { type LeaveAnswer, type Leaver, leaveGroup } from './classic/leave.js'
import { syncGroup } from './classic/sync.js'
import { type DescribedConsumerGroup, undescribed } from './consumer/describe.js'
import {
  type HeartbeatAnswer as ConsumerHeartbeatAnswer,
  heartbeatFailure,
} from './consumer/heartbeat.js'
import {
  type DescribedGroup,
  type GroupFilter,
  type ListedGroup,
  deleteGroup,
  describeClassicGroup,
  listGroups,
} from './describe-groups.js'
import { errorCodeOf } from './error-mapping.js'
import type { GroupRequestContext } from './group-context.js'
import type { GroupShard } from './group-shard.js'
import {
  type CommitAnswer,
  type OffsetCommit,
  commitFailure,
  commitOffsets,
} from './offsets/commit-offsets.js'
import {
  type DeletionAnswer,
  type OffsetDeletion,
  deleteOffsets,
  dropOffsetsOf,
  expireOffsets,
} from './offsets/delete-offsets.js'
import {
  type FetchAnswer,
  type OffsetFetch,
  fetchFailure,
  fetchOffsets,
} from './offsets/fetch-offsets.js'
import { partitionOf } from './partition-of.js'
import type { GroupRecord } from './records/group-record.js'

export type GroupRuntime = CoordinatorRuntime<GroupRecord, GroupShard>

export interface SessionLimits {
  readonly minMs: number
  readonly maxMs: number
}

export interface GroupCoordinatorParts {
  readonly runtime: GroupRuntime
  /** How many partitions __consumer_offsets has, or will have. */
  partitionCount(): number
  sessionLimits(): SessionLimits
}

export class GroupCoordinator {
  readonly #parts: GroupCoordinatorParts

  constructor(parts: GroupCoordinatorParts) {
    this.#parts = parts
  }

  /** The partition of __consumer_offsets that keeps a group. */
  partitionOf(groupId: string): number {
    return partitionOf(groupId, this.#parts.partitionCount())
  }

  /** Runs an operation on the shard of a group; a failure of the log is turned into an answer. */
  async write<R>(
    groupId: string,
    operation: (shard: GroupShard, nowMs: number) => Outcome<GroupRecord, R>,
    onFailure: (errorCode: number, error: BrokerError) => R,
  ): Promise<R> {
    try {
      return await this.#parts.runtime.write(this.partitionOf(groupId), operation)
    } catch (error) {
      return failed(error, onFailure)
    }
  }

  /** As `write`, for operations that change nothing. */
  async read<R>(
    groupId: string,
    look: (shard: GroupShard, nowMs: number) => R,
    onFailure: (errorCode: number, error: BrokerError) => R,
  ): Promise<R> {
    try {
      return await this.#parts.runtime.read(this.partitionOf(groupId), look)
    } catch (error) {
      return failed(error, onFailure)
    }
  }

  async joinGroup(request: JoinGroupRequest, context: GroupRequestContext): Promise<JoinAnswer> {
    const { groupId, memberId, sessionTimeoutMs } = request
    if (groupId === '') return joinError(memberId, ErrorCode.INVALID_GROUP_ID)
    const { minMs, maxMs } = this.#parts.sessionLimits()
    if (sessionTimeoutMs < minMs || sessionTimeoutMs > maxMs) {
      return joinError(memberId, ErrorCode.INVALID_SESSION_TIMEOUT)
    }
    return this.write<JoinAnswer>(
      groupId,
      shard => {
        const group = shard.groups.get(groupId)
        if (group?.type !== 'consumer' || shard.consumerSide === null) {
          return joinGroup(shard, request, context)
        }
        return group.isEmpty && memberId === ''
          ? joinGroup(shard, request, context, group.tombstones())
          : shard.consumerSide.classicJoin(group, request, context)
      },
      errorCode => joinError(memberId, errorCode),
    )
  }

  async syncGroup(request: SyncGroupRequest, context: GroupRequestContext): Promise<SyncAnswer> {
    const { groupId } = request
    if (groupId === '') return { ...NO_SYNC, errorCode: ErrorCode.INVALID_GROUP_ID }
    return this.write<SyncAnswer>(
      groupId,
      shard => {
        const group = shard.groups.get(groupId)
        return group?.type === 'consumer' && shard.consumerSide !== null
          ? shard.consumerSide.classicSync(group, request, context)
          : syncGroup(shard, shard.classicGroup(groupId), request)
      },
      errorCode => ({ ...NO_SYNC, errorCode }),
    )
  }

  /** NONE while the group is loading, so that members stay calm. */
  async heartbeat(request: HeartbeatRequest, context: GroupRequestContext) {
    const { groupId } = request
    if (groupId === '') return { errorCode: ErrorCode.INVALID_GROUP_ID }
    return this.write<{ errorCode: number }>(
      groupId,
      shard => {
        const group = shard.groups.get(groupId)
        return group?.type === 'consumer' && shard.consumerSide !== null
          ? shard.consumerSide.classicHeartbeat(group, request, context)
          : heartbeat(shard, shard.classicGroup(groupId), request)
      },
      errorCode =>
        errorCode === ErrorCode.COORDINATOR_LOAD_IN_PROGRESS
          ? { errorCode: ErrorCode.NONE }
          : { errorCode },
    )
  }

  async leaveGroup(
    groupId: string,
    leavers: readonly Leaver[],
    context: GroupRequestContext,
  ): Promise<LeaveAnswer> {
    if (groupId === '') return { errorCode: ErrorCode.INVALID_GROUP_ID, members: [] }
    return this.write<LeaveAnswer>(
      groupId,
      shard => {
        const group = shard.groups.get(groupId)
        return group?.type === 'consumer' && shard.consumerSide !== null
          ? shard.consumerSide.classicLeave(group, leavers, context)
          : leaveGroup(shard, shard.classicGroup(groupId), leavers)
      },
      errorCode => ({ errorCode, members: [] }),
    )
  }

  consumerHeartbeat(
    request: ConsumerGroupHeartbeatRequest,
    context: GroupRequestContext,
  ): Promise<ConsumerHeartbeatAnswer> {
    return this.write<ConsumerHeartbeatAnswer>(
      request.groupId,
      ({ consumerSide }) =>
        consumerSide?.consumerHeartbeat(request, context) ??
        answer(heartbeatFailure(ErrorCode.UNSUPPORTED_VERSION)),
      errorCode => heartbeatFailure(errorCode),
    )
  }

  describeConsumerGroup(groupId: string): Promise<DescribedConsumerGroup> {
    return this.read(
      groupId,
      ({ consumerSide }) =>
        consumerSide?.describeConsumerGroup(groupId) ??
        undescribed(groupId, ErrorCode.UNSUPPORTED_VERSION),
      errorCode => undescribed(groupId, errorCode),
    )
  }

  commitOffsets(commit: OffsetCommit): Promise<CommitAnswer> {
    return this.write<CommitAnswer>(
      commit.groupId,
      (shard, nowMs) => commitOffsets(shard, commit, nowMs),
      (errorCode, { code }) =>
        commitFailure(
          commit,
          code === 'ERR_TOO_LARGE' ? ErrorCode.INVALID_COMMIT_OFFSET_SIZE : errorCode,
        ),
    )
  }

  fetchOffsets(fetch: OffsetFetch): Promise<FetchAnswer> {
    return this.read(
      fetch.groupId,
      shard => fetchOffsets(shard, fetch),
      errorCode => fetchFailure(errorCode),
    )
  }

  deleteOffsets(deletion: OffsetDeletion): Promise<DeletionAnswer> {
    return this.write<DeletionAnswer>(
      deletion.groupId,
      shard => deleteOffsets(shard, deletion),
      errorCode => ({ errorCode, topics: [] }),
    )
  }

  /** NONE, or why the group stays. */
  deleteGroup(groupId: string): Promise<number> {
    return this.write(
      groupId,
      shard => deleteGroup(shard, groupId),
      errorCode => errorCode,
    )
  }

  /** A classic group; null: there is none of the name; a number: why that is not known. */
  describeClassicGroup(groupId: string): Promise<DescribedGroup | null | number> {
    return this.read<DescribedGroup | null | number>(
      groupId,
      shard => describeClassicGroup(shard, groupId),
      errorCode => errorCode,
    )
  }

  /** All groups of this broker, or why they are not known yet. */
  async listGroups(filter: GroupFilter): Promise<ListedGroup[] | number> {
    const { runtime } = this.#parts
    const listed: ListedGroup[] = []
    for (const partition of runtime.partitions()) {
      try {
        listed.push(...(await runtime.read(partition, shard => listGroups(shard, filter))))
      } catch (error) {
        const errorCode = failed(error, code => code)
        if (errorCode !== ErrorCode.NOT_COORDINATOR) return errorCode
      }
    }
    return listed
  }

  /** Topics were deleted: their offsets go. */
  topicsDeleted(names: ReadonlySet<string>): Promise<void> {
    return this.#parts.runtime.writeEverywhere(shard => dropOffsetsOf(shard, names))
  }

  /** Topics came, went or grew: groups that the broker assigns for look again. */
  topicsChanged(names: ReadonlySet<string>): Promise<void> {
    return this.#parts.runtime.writeEverywhere(
      (shard, nowMs) =>
        shard.consumerSide?.topicsChanged(names, nowMs) ?? { records: [], response: undefined },
    )
  }

  /** Every offsets.retention.check.interval.ms. */
  expireOffsets(): Promise<void> {
    return this.#parts.runtime.writeEverywhere(expireOffsets)
  }
}

function failed<R>(error: unknown, onFailure: (errorCode: number, error: BrokerError) => R): R {
  if (!(error instanceof BrokerError)) throw error
  return onFailure(errorCodeOf(error), error)
}
