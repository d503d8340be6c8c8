/** The records of a consumer group, each as Kafka writes it; sets are sorted, so that equal states are equal bytes. */
import type { GroupRecord } from '../records/group-record.js'
import { type ConsumerMember, heldTopicPartitionsOf } from './consumer-member.js'
import { type Partitions, topicPartitionsOf } from './partitions.js'
import type { ResolvedRegex } from './topic-regex.js'

export function memberRecord(groupId: string, member: ConsumerMember): GroupRecord {
  const { classic } = member
  return {
    kind: 'ConsumerGroupMemberMetadata',
    key: { groupId, memberId: member.memberId },
    value: {
      instanceId: member.instanceId,
      rackId: member.rackId,
      clientId: member.clientId,
      clientHost: member.clientHost,
      subscribedTopicNames: [...member.subscribedTopicNames].sort(),
      subscribedTopicRegex: member.subscribedTopicRegex,
      rebalanceTimeoutMs: member.rebalanceTimeoutMs,
      serverAssignor: member.serverAssignor,
      classicMemberMetadata:
        classic === null
          ? null
          : {
              sessionTimeoutMs: classic.sessionTimeoutMs,
              supportedProtocols: classic.protocols.map(({ name, metadata }) => ({
                name,
                metadata,
              })),
            },
    },
  }
}

export function groupRecord(groupId: string, epoch: number, metadataHash: bigint): GroupRecord {
  return {
    kind: 'ConsumerGroupMetadata',
    key: { groupId },
    value: { epoch, metadataHash },
  }
}

export function targetRecord(
  groupId: string,
  memberId: string,
  partitions: Partitions,
): GroupRecord {
  return {
    kind: 'ConsumerGroupTargetAssignmentMember',
    key: { groupId, memberId },
    value: { topicPartitions: topicPartitionsOf(partitions) },
  }
}

export function targetEpochRecord(
  groupId: string,
  assignmentEpoch: number,
  timestampMs: number,
): GroupRecord {
  return {
    kind: 'ConsumerGroupTargetAssignmentMetadata',
    key: { groupId },
    value: { assignmentEpoch, assignmentTimestamp: BigInt(timestampMs) },
  }
}

export function currentRecord(groupId: string, member: ConsumerMember): GroupRecord {
  return {
    kind: 'ConsumerGroupCurrentMemberAssignment',
    key: { groupId, memberId: member.memberId },
    value: {
      memberEpoch: member.memberEpoch,
      previousMemberEpoch: member.previousMemberEpoch,
      state: member.state,
      assignedPartitions: heldTopicPartitionsOf(member.assigned),
      partitionsPendingRevocation: heldTopicPartitionsOf(member.pendingRevocation),
    },
  }
}

export function regexRecord(
  groupId: string,
  regularExpression: string,
  { topics, version, timestampMs }: ResolvedRegex,
): GroupRecord {
  return {
    kind: 'ConsumerGroupRegularExpression',
    key: { groupId, regularExpression },
    value: {
      topics: [...topics].sort(),
      version: BigInt(version),
      timestamp: BigInt(timestampMs),
    },
  }
}

export function regexTombstone(groupId: string, regularExpression: string): GroupRecord {
  return {
    kind: 'ConsumerGroupRegularExpression',
    key: { groupId, regularExpression },
    value: null,
  }
}

export function currentTombstone(groupId: string, memberId: string): GroupRecord {
  return {
    kind: 'ConsumerGroupCurrentMemberAssignment',
    key: { groupId, memberId },
    value: null,
  }
}

export function targetTombstone(groupId: string, memberId: string): GroupRecord {
  return {
    kind: 'ConsumerGroupTargetAssignmentMember',
    key: { groupId, memberId },
    value: null,
  }
}

export function memberTombstone(groupId: string, memberId: string): GroupRecord {
  return { kind: 'ConsumerGroupMemberMetadata', key: { groupId, memberId }, value: null }
}

/** Takes a member out, in the order in which a load wants it. */
export function memberTombstones(groupId: string, memberId: string): GroupRecord[] {
  return [
    currentTombstone(groupId, memberId),
    targetTombstone(groupId, memberId),
    memberTombstone(groupId, memberId),
  ]
}

export function oldTopicsTombstone(groupId: string): GroupRecord {
  return { kind: 'ConsumerGroupPartitionMetadata', key: { groupId }, value: null }
}

/** Takes a whole group out. */
export function groupTombstones(
  groupId: string,
  memberIds: readonly string[],
  regexes: Iterable<string>,
): GroupRecord[] {
  return [
    ...memberIds.map(memberId => currentTombstone(groupId, memberId)),
    ...memberIds.map(memberId => targetTombstone(groupId, memberId)),
    { kind: 'ConsumerGroupTargetAssignmentMetadata', key: { groupId }, value: null },
    ...memberIds.map(memberId => memberTombstone(groupId, memberId)),
    ...Array.from(regexes, regex => regexTombstone(groupId, regex)),
    oldTopicsTombstone(groupId),
    { kind: 'ConsumerGroupMetadata', key: { groupId }, value: null },
  ]
}
