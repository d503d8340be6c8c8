/**
 * Uniform assignment when all members subscribe to the same topics: nobody has more than one partition more than
 * anybody else, and nothing moves that need not. Racks play no part, as in Kafka since 4.0.
 */
import type { Uuid } from '../../../../base/uuid.js'
import { type MutablePartitions, mutableCopy } from '../partitions.js'
import type { AssignmentInput, Assignments } from './assignor.js'

interface Unassigned {
  readonly topicId: Uuid
  readonly partition: number
}

export function assignUniformlyAlike(input: AssignmentInput): Assignments {
  const [first] = input.members.values()
  const topicIds = first?.subscribedTopicIds ?? new Set<Uuid>()
  if (topicIds.size === 0) return new Map()
  const { unassigned, total } = openPartitions(input, topicIds)
  const assignments: Assignments = new Map()
  const unfilled: { memberId: string; missing: number }[] = []
  const least = Math.floor(total / input.members.size)
  let withOneMore = total % input.members.size
  let membersLeft = input.members.size
  for (const [memberId, { assigned }] of input.members) {
    const mayHaveOneMore = withOneMore > 0
    const quota = least + (mayHaveOneMore ? 1 : 0)
    const { kept, count } = keep(assigned, { topicIds, quota, unassigned })
    assignments.set(memberId, kept)
    let missing = quota - count
    let hasOneMore = mayHaveOneMore
    // The extra partitions stay with those who have them, as long as there are members enough to take the rest.
    if (missing > 0 && mayHaveOneMore && membersLeft > withOneMore) {
      missing--
      hasOneMore = false
    }
    if (missing > 0) unfilled.push({ memberId, missing })
    if (hasOneMore) withOneMore--
    membersLeft--
  }
  fill(assignments, unfilled, unassigned)
  return assignments
}

/** The partitions that nobody has, by topic in the order of the subscription. */
function openPartitions(
  { members, numPartitions }: AssignmentInput,
  topicIds: ReadonlySet<Uuid>,
): { unassigned: Unassigned[]; total: number } {
  const taken = new Map<Uuid, Set<number>>()
  for (const { assigned } of members.values()) {
    for (const [topicId, partitions] of assigned) {
      const ofTopic = taken.get(topicId) ?? new Set<number>()
      taken.set(topicId, ofTopic)
      for (const partition of partitions) ofTopic.add(partition)
    }
  }
  const unassigned: Unassigned[] = []
  let total = 0
  for (const topicId of topicIds) {
    const count = numPartitions(topicId)
    total += count
    const ofTopic = taken.get(topicId)
    for (let partition = 0; partition < count; partition++) {
      if (ofTopic?.has(partition) !== true) unassigned.push({ topicId, partition })
    }
  }
  return { unassigned, total }
}

/** What a member keeps of what it had; the rest goes to `unassigned`. Returns a map that may be changed. */
function keep(
  assigned: ReadonlyMap<Uuid, ReadonlySet<number>>,
  to: {
    readonly topicIds: ReadonlySet<Uuid>
    readonly quota: number
    readonly unassigned: Unassigned[]
  },
): { kept: MutablePartitions; count: number } {
  const kept: MutablePartitions = new Map()
  let count = 0
  for (const [topicId, partitions] of assigned) {
    if (!to.topicIds.has(topicId)) continue
    const ofTopic = new Set<number>()
    for (const partition of partitions) {
      if (count < to.quota) {
        ofTopic.add(partition)
        count++
      } else {
        to.unassigned.push({ topicId, partition })
      }
    }
    if (ofTopic.size > 0) kept.set(topicId, ofTopic)
  }
  return { kept, count }
}

function fill(
  assignments: Assignments,
  unfilled: readonly { readonly memberId: string; readonly missing: number }[],
  unassigned: readonly Unassigned[],
): void {
  let next = 0
  for (const { memberId, missing } of unfilled) {
    const filled = mutableCopy(assignments.get(memberId)!)
    const end = Math.min(next + missing, unassigned.length)
    for (; next < end; next++) {
      const { topicId, partition } = unassigned[next]!
      const ofTopic = filled.get(topicId)
      if (ofTopic === undefined) filled.set(topicId, new Set([partition]))
      else ofTopic.add(partition)
    }
    assignments.set(memberId, filled)
  }
}
