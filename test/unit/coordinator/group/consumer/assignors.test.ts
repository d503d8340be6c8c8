/** The broker's assignors give what Kafka 4.4's give, member by member; see test/peers/group-assignments. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Uuid } from '../../../../../src/base/uuid.js'
import type { MemberToAssign } from '../../../../../src/coordinator/group/consumer/assignors/assignor.js'
import { rangeAssignor } from '../../../../../src/coordinator/group/consumer/assignors/range.js'
import { uniformAssignor } from '../../../../../src/coordinator/group/consumer/assignors/uniform.js'
import type { Partitions } from '../../../../../src/coordinator/group/consumer/partitions.js'

type Listed = readonly (readonly [topic: number, partitions: readonly number[]])[]
interface Case {
  readonly assignor: 'uniform' | 'range'
  readonly alike: boolean
  readonly topics: readonly Uuid[]
  readonly partitions: readonly number[]
  readonly members: readonly (readonly [string, string | null, readonly number[], Listed])[]
  readonly expected: readonly Listed[]
}
const fixture = new URL('../../../../fixtures/group-assignments.json', import.meta.url)
const cases = JSON.parse(readFileSync(fixture, 'utf8')) as readonly Case[]

test('there are cases of each kind', () => {
  for (const assignor of ['uniform', 'range']) {
    for (const alike of [true, false]) {
      const ofKind = cases.filter(each => each.assignor === assignor && each.alike === alike)
      expect(ofKind.length).toBeGreaterThan(10)
    }
  }
})

describe.each(['uniform', 'range'] as const)('%s', name => {
  test.each([true, false])('as Kafka, equal subscriptions: %s', alike => {
    for (const each of cases) {
      if (each.assignor !== name || each.alike !== alike) continue
      expect(assignedIn(each), JSON.stringify(each)).toEqual(each.expected)
    }
  })

  test('a group without subscriptions gets nothing', () => {
    const assignor = name === 'uniform' ? uniformAssignor : rangeAssignor
    const member = { instanceId: null, subscribedTopicIds: new Set<Uuid>(), assigned: new Map() }
    const input = { members: new Map([['m', member]]), numPartitions: () => 1 }
    for (const isHomogeneous of [true, false]) {
      const assigned = assignor.assign({ ...input, isHomogeneous }).get('m') ?? new Map()
      expect(assigned.size).toBe(0)
    }
  })
})

function assignedIn({ assignor, alike, topics, partitions, members }: Case): Listed[] {
  const input = new Map<string, MemberToAssign>()
  for (const [memberId, instanceId, subscribed, assigned] of members) {
    input.set(memberId, {
      instanceId,
      subscribedTopicIds: new Set(subscribed.map(topic => topics[topic]!)),
      assigned: new Map(assigned.map(([topic, list]) => [topics[topic]!, new Set(list)])),
    })
  }
  const assignments = (assignor === 'range' ? rangeAssignor : uniformAssignor).assign({
    members: input,
    isHomogeneous: alike,
    numPartitions: topicId => partitions[topics.indexOf(topicId)]!,
  })
  return members.map(([memberId]) => listed(assignments.get(memberId), topics))
}

function listed(assigned: Partitions | undefined, topics: readonly Uuid[]): Listed {
  return topics.flatMap((topicId, topic) => {
    const partitions = assigned?.get(topicId)
    if (partitions === undefined || partitions.size === 0) return []
    return [[topic, [...partitions].sort((a, b) => a - b)] as const]
  })
}
