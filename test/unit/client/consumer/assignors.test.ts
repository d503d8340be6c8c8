/** What every assignor of classic groups must keep, and what tells them apart. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type {
  Assignment,
  MemberSubscription,
} from '../../../../src/client/consumer/assignors/assignor.js'
import { rangeAssignor } from '../../../../src/client/consumer/assignors/range.js'
import { roundRobinAssignor } from '../../../../src/client/consumer/assignors/round-robin.js'
import {
  cooperativeStickyAssignor,
  stickyAssignor,
} from '../../../../src/client/consumer/assignors/sticky.js'
import { type TopicPartition, keyOf } from '../../../../src/client/consumer/topic-partition.js'

const ALL = [rangeAssignor, roundRobinAssignor, stickyAssignor, cooperativeStickyAssignor]

function member(memberId: string, topics: string[], more: Partial<MemberSubscription> = {}) {
  return { memberId, topics, groupInstanceId: null, owned: [], generationId: -1, ...more }
}

function told(assignment: Assignment): Record<string, string> {
  return Object.fromEntries(
    [...assignment].map(([id, partitions]) => [id, partitions.map(keyOf).join(' ')]),
  )
}

const topics = new Map([
  ['a', 3],
  ['b', 3],
])

describe('golden', () => {
  const two = [member('y', ['a', 'b']), member('x', ['a', 'b'])]

  test('range gives the first members one more of each topic', () => {
    expect(told(rangeAssignor.assign(topics, two))).toEqual({ y: 'a:2 b:2', x: 'a:0 a:1 b:0 b:1' })
  })
  test('round robin deals over topics', () => {
    expect(told(roundRobinAssignor.assign(topics, two))).toEqual({
      y: 'a:1 b:0 b:2',
      x: 'a:0 a:2 b:1',
    })
  })
  test('round robin passes over who does not want a topic', () => {
    const members = [member('x', ['a']), member('y', ['a', 'b'])]
    expect(told(roundRobinAssignor.assign(topics, members))).toEqual({
      x: 'a:0 a:2',
      y: 'a:1 b:0 b:1 b:2',
    })
  })
  test('static members keep their place whatever their member ids', () => {
    const members = [
      member('z', ['a'], { groupInstanceId: 'i1' }),
      member('a', ['a'], { groupInstanceId: 'i2' }),
      member('0', ['a']),
    ]
    expect(told(rangeAssignor.assign(topics, members))).toEqual({ z: 'a:0', a: 'a:1', 0: 'a:2' })
  })
  test('a sticky member keeps what it has when another joins', () => {
    const owned = [0, 1, 2].map(partition => ({ topic: 'a', partition }))
    const members = [member('x', ['a'], { owned, generationId: 4 }), member('y', ['a'])]
    expect(told(stickyAssignor.assign(topics, members))).toEqual({ x: 'a:0 a:1', y: 'a:2' })
    // The cooperative one first takes it away, and gives it when nobody holds it.
    expect(told(cooperativeStickyAssignor.assign(topics, members))).toEqual({ x: 'a:0 a:1', y: '' })
    const next = [member('x', ['a'], { owned: owned.slice(0, 2) }), member('y', ['a'])]
    expect(told(cooperativeStickyAssignor.assign(topics, next))).toEqual({ x: 'a:0 a:1', y: 'a:2' })
  })
  test('the later generation wins a partition that two claim', () => {
    const owned = [{ topic: 'a', partition: 0 }]
    const members = [
      member('x', ['a'], { owned, generationId: 3 }),
      member('y', ['a'], { owned, generationId: 4 }),
    ]
    expect(told(stickyAssignor.assign(new Map([['a', 1]]), members))).toEqual({ x: '', y: 'a:0' })
  })
})

const groups = fc.record({
  counts: fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 5 }),
  wants: fc.array(fc.array(fc.nat(5), { maxLength: 6 }), { minLength: 1, maxLength: 7 }),
})

function groupOf({ counts, wants }: { counts: number[]; wants: number[][] }) {
  return {
    partitionsOf: new Map(counts.map((count, i) => [`t${i}`, count])),
    members: wants.map((topics, i) =>
      member(
        `m${i}`,
        topics.map(t => `t${t}`),
      ),
    ),
  }
}

test.each(ALL)('$name: every wanted partition once, to one that wants it', assignor => {
  fc.assert(
    fc.property(groups, group => {
      const { partitionsOf, members } = groupOf(group)
      const assignment = assignor.assign(partitionsOf, members)
      const seen = new Set<string>()
      for (const { memberId, topics } of members) {
        for (const partition of assignment.get(memberId)!) {
          expect(topics).toContain(partition.topic)
          expect(seen.has(keyOf(partition))).toBe(false)
          seen.add(keyOf(partition))
        }
      }
      const wanted = new Set(members.flatMap(m => m.topics))
      const all = [...wanted].reduce((sum, topic) => sum + (partitionsOf.get(topic) ?? 0), 0)
      expect(seen.size).toBe(all)
    }),
    { seed: 1, numRuns: 300 },
  )
})

test('sticky: nobody has two more than a member that could take one', () => {
  fc.assert(
    fc.property(groups, group => {
      const { partitionsOf, members } = groupOf(group)
      const assignment = stickyAssignor.assign(partitionsOf, members)
      for (const mine of members) {
        for (const other of members) {
          const more =
            assignment.get(mine.memberId)!.length - assignment.get(other.memberId)!.length
          const takes = assignment.get(mine.memberId)!.some(p => other.topics.includes(p.topic))
          expect(more >= 2 && takes).toBe(false)
        }
      }
    }),
    { seed: 2, numRuns: 300 },
  )
})

test('cooperative: repeated rebalances settle, and no partition ever has two owners', () => {
  fc.assert(
    fc.property(groups, fc.nat(6), (group, leaver) => {
      const { partitionsOf, members } = groupOf(group)
      let owned = new Map<string, readonly TopicPartition[]>()
      const round = (present: MemberSubscription[], generationId: number) => {
        const claims = present.map(m => ({
          ...m,
          owned: owned.get(m.memberId) ?? [],
          generationId,
        }))
        const next = cooperativeStickyAssignor.assign(partitionsOf, claims)
        const held = present.flatMap(m => [
          ...(owned.get(m.memberId) ?? []).map(p => [keyOf(p), m.memberId] as const),
          ...next.get(m.memberId)!.map(p => [keyOf(p), m.memberId] as const),
        ])
        const owner = new Map<string, string>()
        for (const [key, id] of held) {
          expect(owner.get(key) ?? id).toBe(id)
          owner.set(key, id)
        }
        owned = new Map(next)
      }
      round(members, 1)
      const rest = members.filter((_, i) => i !== leaver)
      if (rest.length === 0) return
      round(rest, 2)
      round(rest, 3)
      const settled = told(owned)
      round(rest, 4)
      expect(told(owned)).toEqual(settled)
    }),
    { seed: 3, numRuns: 300 },
  )
})

test('the user data of sticky members tells of their last assignment', () => {
  const owned = [{ topic: 'a', partition: 2 }]
  const bytes = stickyAssignor.userData!(owned, 5)!
  expect(stickyAssignor.ownedOf!(bytes)).toEqual({ owned, generationId: 5 })
  expect(stickyAssignor.ownedOf!(bytes.subarray(0, bytes.length - 4))).toEqual({
    owned,
    generationId: -1,
  })
  expect(stickyAssignor.ownedOf!(Buffer.from('junk'))).toBeNull()
  expect(cooperativeStickyAssignor.userData!([], 7)!.toString('hex')).toBe('00000007')
})
