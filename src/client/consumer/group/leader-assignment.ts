/** What the leader of a classic group does between JoinGroup and SyncGroup: who reads which partition. */
import {
  ConsumerProtocolAssignment,
  ConsumerProtocolSubscription,
} from '../../../protocol/messages/consumer-protocol.js'
import type { JoinGroupResponse } from '../../../protocol/messages/join-group.js'
import { decodeVersioned, encodeVersioned } from '../../../protocol/versioned-message.js'
import type { Cluster } from '../../cluster/cluster.js'
import type { Assignor, MemberSubscription } from '../assignors/assignor.js'
import { byTopic, fromTopics } from '../topic-partition.js'

/** Members of every version read this one. */
const ASSIGNMENT_VERSION = 0

export interface LeaderAssignment {
  readonly assignments: { memberId: string; assignment: Buffer }[]
  /** Partitions of each topic that the group wants, as they were counted. */
  readonly counts: ReadonlyMap<string, number>
}

/** Asks for the topics that any member wants, then assigns. A topic that does not exist has no partitions. */
export async function assignAsLeader(
  cluster: Cluster,
  assignor: Assignor,
  joined: JoinGroupResponse['members'],
): Promise<LeaderAssignment> {
  const members = joined.map(member => subscriptionOf(member, assignor))
  const topics = new Set(members.flatMap(member => member.topics))
  for (const topic of topics) cluster.watchTopic(topic)
  await cluster.refresh()
  const counts = new Map(
    [...topics].map(topic => [topic, cluster.metadata.topic(topic)?.partitions.length ?? 0]),
  )
  const assigned = assignor.assign(counts, members)
  const assignments = members.map(({ memberId }) => ({
    memberId,
    assignment: encodeVersioned(ConsumerProtocolAssignment, ASSIGNMENT_VERSION, {
      assignedPartitions: byTopic(assigned.get(memberId) ?? []),
    }),
  }))
  return { assignments, counts }
}

function subscriptionOf(
  { memberId, groupInstanceId, metadata }: JoinGroupResponse['members'][number],
  assignor: Assignor,
): MemberSubscription {
  const told = decodeVersioned(ConsumerProtocolSubscription, metadata)
  const owned = fromTopics(told.ownedPartitions)
  const { topics, generationId } = told
  const remembered =
    owned.length === 0 && told.userData !== null ? assignor.ownedOf?.(told.userData) : null
  return { memberId, groupInstanceId, topics, owned, generationId, ...remembered }
}
