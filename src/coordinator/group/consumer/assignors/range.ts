/**
 * The range assignor: every topic is cut into ranges, one for each subscriber in order, so that members with equal
 * subscriptions get the same partitions of every topic. Static members come first, by instance id; they keep their
 * place over restarts. What members had before does not matter.
 */
import type { Uuid } from '../../../../base/uuid.js'
import type { Assignments, Assignor, MemberToAssign } from './assignor.js'

export const rangeAssignor: Assignor = {
  name: 'range',
  assign(input) {
    const members = [...input.members].sort(byInstanceThenId)
    const topics = new Map<Uuid, TopicInRanges>()
    for (const [, { subscribedTopicIds }] of members) {
      for (const topicId of subscribedTopicIds) {
        let topic = topics.get(topicId)
        if (topic === undefined) {
          topics.set(topicId, (topic = new TopicInRanges(input.numPartitions(topicId))))
        }
        topic.subscribers++
      }
    }
    return assignInOrder(members, topics)
  },
}

function assignInOrder(
  members: readonly (readonly [string, MemberToAssign])[],
  topics: ReadonlyMap<Uuid, TopicInRanges>,
): Assignments {
  const assignments: Assignments = new Map()
  for (const [memberId, { subscribedTopicIds }] of members) {
    const assignment = new Map<Uuid, ReadonlySet<number>>()
    for (const topicId of subscribedTopicIds) {
      const range = topics.get(topicId)!.nextRange()
      if (range.size > 0) assignment.set(topicId, range)
    }
    assignments.set(memberId, assignment)
  }
  return assignments
}

class TopicInRanges {
  subscribers = 0
  readonly #numPartitions: number
  #next = 0
  #served = 0

  constructor(numPartitions: number) {
    this.#numPartitions = numPartitions
  }

  /** The first subscribers get one more than the others if it does not come out even. */
  nextRange(): Set<number> {
    const least = Math.floor(this.#numPartitions / this.subscribers)
    const withOneMore = this.#numPartitions % this.subscribers
    const end = this.#next + least + (this.#served < withOneMore ? 1 : 0)
    this.#served++
    const range = new Set<number>()
    for (; this.#next < end; this.#next++) range.add(this.#next)
    return range
  }
}

type Entry = readonly [memberId: string, member: MemberToAssign]

function byInstanceThenId([idA, a]: Entry, [idB, b]: Entry): number {
  if (a.instanceId !== null && b.instanceId !== null) return compare(a.instanceId, b.instanceId)
  if (a.instanceId !== null) return -1
  if (b.instanceId !== null) return 1
  return compare(idA, idB)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
