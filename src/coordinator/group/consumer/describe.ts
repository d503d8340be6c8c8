/** Consumer groups as ConsumerGroupDescribe v0-v1 shows them. */
import type { InferInput } from '../../../protocol/schema/message.js'
import { ErrorCode } from '../../../protocol/error-codes.js'
import type { ConsumerGroupDescribeResponse } from '../../../protocol/messages/consumer-group-describe.js'
import type { Uuid } from '../../../base/uuid.js'
import type { TopicsImage } from '../group-context.js'
import type { GroupShard } from '../group-shard.js'
import { ConsumerGroup } from './consumer-group.js'
import type { ConsumerMember } from './consumer-member.js'
import { notFound } from './fence.js'

export type DescribedConsumerGroup = InferInput<
  typeof ConsumerGroupDescribeResponse
>['groups'][number]

const MEMBER_TYPE = { classic: 0, consumer: 1 } as const

export function describeConsumerGroup(shard: GroupShard, groupId: string): DescribedConsumerGroup {
  const group = shard.groups.get(groupId)
  if (!(group instanceof ConsumerGroup)) {
    const message = notFound(groupId, group !== undefined)
    return undescribed(groupId, ErrorCode.GROUP_ID_NOT_FOUND, message)
  }
  const { topics, config } = shard.context
  return {
    errorCode: ErrorCode.NONE,
    groupId,
    groupState: group.stateName,
    groupEpoch: group.groupEpoch,
    assignmentEpoch: group.assignmentEpoch,
    assignorName:
      group.preferredAssignor() ?? config.get('group.consumer.assignors')[0] ?? 'uniform',
    members: Array.from(group.members.values(), member => describeMember(group, member, topics)),
  }
}

/** A group that cannot be described. */
export function undescribed(
  groupId: string,
  errorCode: number,
  errorMessage: string | null = null,
): DescribedConsumerGroup {
  return {
    errorCode,
    errorMessage,
    groupId,
    groupState: '',
    groupEpoch: 0,
    assignmentEpoch: 0,
    assignorName: '',
    members: [],
  }
}

function describeMember(
  group: ConsumerGroup,
  member: ConsumerMember,
  topics: TopicsImage,
): DescribedConsumerGroup['members'][number] {
  const target = group.targets.get(member.memberId) ?? new Map<Uuid, Set<number>>()
  return {
    memberId: member.memberId,
    instanceId: member.instanceId,
    rackId: member.rackId,
    memberEpoch: member.memberEpoch,
    clientId: member.clientId,
    clientHost: member.clientHost,
    subscribedTopicNames: [...member.subscribedTopicNames],
    subscribedTopicRegex: member.subscribedTopicRegex,
    assignment: assignmentOf([member.assigned, member.pendingRevocation], topics),
    targetAssignment: assignmentOf([target], topics),
    memberType: member.classic === null ? MEMBER_TYPE.consumer : MEMBER_TYPE.classic,
  }
}

/** What is to be given up is still the member's. Topics that are gone are left out. */
function assignmentOf(
  parts: readonly ReadonlyMap<Uuid, { keys(): Iterable<number> }>[],
  topics: TopicsImage,
) {
  const byTopic = new Map<Uuid, { topicId: Uuid; topicName: string; partitions: number[] }>()
  for (const part of parts) {
    for (const [topicId, partitions] of part) {
      const topicName = topics.topicById(topicId)?.name
      if (topicName === undefined) continue
      const entry = byTopic.get(topicId) ?? { topicId, topicName, partitions: [] }
      byTopic.set(topicId, entry)
      entry.partitions.push(...partitions.keys())
    }
  }
  return { topicPartitions: [...byTopic.values()] }
}
