/**
 * Applies the records of consumer groups, those just written and those of a load. A compacted log may lack any record
 * that a later one of its key has made needless, so nothing here relies on an earlier record.
 */
import type { ConsumerGroupRecord } from '../consumer-group-side.js'
import type { Group } from '../group.js'
import { ConsumerGroup } from './consumer-group.js'
import { newMember, withCurrentAssignment, withMetadata } from './consumer-member.js'
import { partitionsFrom } from './partitions.js'

/** The assignment epoch of a group whose target assignment was taken out. */
const NO_ASSIGNMENT_EPOCH = -1

export function replayConsumerRecord(
  groups: Map<string, Group>,
  record: ConsumerGroupRecord,
): void {
  const { groupId } = record.key
  const existing = groups.get(groupId)
  let group: ConsumerGroup
  if (existing instanceof ConsumerGroup) {
    group = existing
  } else {
    // What takes something out of a group that is not there has nothing to do.
    if (record.value === null) return
    group = new ConsumerGroup(groupId)
    groups.set(groupId, group)
  }
  if (record.kind === 'ConsumerGroupMetadata' && record.value === null) groups.delete(groupId)
  else apply(group, record)
}

function apply(group: ConsumerGroup, record: ConsumerGroupRecord): void {
  switch (record.kind) {
    case 'ConsumerGroupMetadata':
      if (record.value === null) return
      group.groupEpoch = record.value.epoch
      group.metadataHash = record.value.metadataHash ?? 0n
      return
    case 'ConsumerGroupPartitionMetadata':
      group.hasOldTopicsRecord = record.value !== null
      return
    case 'ConsumerGroupTargetAssignmentMetadata':
      group.assignmentEpoch = record.value?.assignmentEpoch ?? NO_ASSIGNMENT_EPOCH
      group.assignmentTimestampMs = Number(record.value?.assignmentTimestamp ?? 0n)
      return
    case 'ConsumerGroupRegularExpression':
      applyRegex(group, record)
      return
    default:
      applyToMember(group, record)
  }
}

function applyRegex(
  group: ConsumerGroup,
  { key, value }: Extract<ConsumerGroupRecord, { kind: 'ConsumerGroupRegularExpression' }>,
): void {
  const resolved =
    value === null
      ? undefined
      : {
          topics: new Set(value.topics),
          version: Number(value.version),
          timestampMs: Number(value.timestamp),
        }
  group.putResolved(key.regularExpression, resolved)
}

type MemberRecord = Extract<ConsumerGroupRecord, { key: { memberId: string } }>

function applyToMember(group: ConsumerGroup, record: MemberRecord): void {
  const { memberId } = record.key
  switch (record.kind) {
    case 'ConsumerGroupMemberMetadata':
      if (record.value === null) group.removeMember(memberId)
      else
        group.putMember(withMetadata(group.member(memberId) ?? newMember(memberId), record.value))
      return
    case 'ConsumerGroupTargetAssignmentMember':
      if (record.value === null) group.targets.delete(memberId)
      else group.targets.set(memberId, partitionsFrom(record.value.topicPartitions))
      return
    case 'ConsumerGroupCurrentMemberAssignment':
      if (record.value === null) group.clearCurrentAssignment(memberId)
      else {
        const member = group.member(memberId) ?? newMember(memberId)
        group.putMember(withCurrentAssignment(member, record.value))
      }
  }
}
