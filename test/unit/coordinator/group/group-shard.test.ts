/** What the log's records make of a partition of __consumer_offsets, in any order that compaction leaves. */
import { expect, test } from 'vitest'
import { GroupShard } from '../../../../src/coordinator/group/group-shard.js'
import type { GroupRecord } from '../../../../src/coordinator/group/records/group-record.js'
import { contextOf, settingsOf } from './shard-fixture.js'

const at = { offset: 0n, producerId: -1n }
const commit = (group: string, offset: bigint | null, partition = 0): GroupRecord => ({
  kind: 'OffsetCommit',
  key: { group, topic: 't', partition },
  value: offset === null ? null : { offset, metadata: '', commitTimestamp: 5n },
})
const empty = (group: string): GroupRecord => ({
  kind: 'GroupMetadata',
  key: { group },
  value: {
    protocolType: 'consumer',
    generation: 4,
    protocol: null,
    leader: null,
    members: [],
  },
})
const start = () => new GroupShard(contextOf(settingsOf({})))

test('offsets without a group make a simple one, which a later record of the group replaces', () => {
  const shard = start()
  shard.replay(commit('g', 7n), at)
  expect(shard.groups.get('g')).toMatchObject({ stateName: 'Empty', protocolType: '' })
  shard.replay(empty('g'), at)
  expect(shard.groups.get('g')).toMatchObject({ stateName: 'Empty', protocolType: 'consumer' })
  expect(shard.offsets.get('g', 't', 0)?.offset).toBe(7n)
})

test('tombstones take offsets and groups away, also those that never were', () => {
  const shard = start()
  shard.replay(commit('gone', null), at)
  shard.replay({ kind: 'GroupMetadata', key: { group: 'gone' }, value: null }, at)
  shard.replay(commit('g', 7n), at)
  shard.replay(empty('g'), at)
  shard.replay(commit('g', null), at)
  shard.replay({ kind: 'GroupMetadata', key: { group: 'g' }, value: null }, at)
  expect(shard.groups.size).toBe(0)
  expect([...shard.offsets.groups()]).toEqual([])
})

test('offsets of a transaction count when it commits, and never when it is aborted', () => {
  const shard = start()
  shard.replay(commit('g', 7n), { offset: 0n, producerId: 1n })
  shard.replay(commit('g', 9n, 1), { offset: 1n, producerId: 2n })
  expect(shard.offsets.get('g', 't', 0)).toBeUndefined()
  expect(shard.offsets.isPending('g', 't', 0)).toBe(true)
  expect([...shard.offsets.pendingPartitions('g')]).toEqual([
    ['t', 0],
    ['t', 1],
  ])
  shard.endTransaction(1n, true)
  shard.endTransaction(2n, false)
  expect(shard.offsets.get('g', 't', 0)?.offset).toBe(7n)
  expect(shard.offsets.get('g', 't', 1)).toBeUndefined()
  expect(shard.offsets.hasPending('g')).toBe(false)
})
