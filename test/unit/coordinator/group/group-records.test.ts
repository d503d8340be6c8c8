/** The bytes of __consumer_offsets are Kafka's: goldens, tombstones, and what older and newer brokers wrote. */
import { describe, expect, test } from 'vitest'
import type { Uuid } from '../../../../src/base/uuid.js'
import {
  type GroupRecord,
  groupRecordSerde,
} from '../../../../src/coordinator/group/records/group-record.js'

const hexOf = (record: GroupRecord) => {
  const { key, value } = groupRecordSerde.serialize(record)
  return [key.toString('hex'), value?.toString('hex') ?? null]
}
const topicId = 'AAECAwQFBgcICQoLDA0ODw' as Uuid

describe('golden bytes', () => {
  test('an offset is written as v4 with the topic id as a tag', () => {
    const record: GroupRecord = {
      kind: 'OffsetCommit',
      key: { group: 'g', topic: 't', partition: 2 },
      value: { offset: 5n, leaderEpoch: 3, metadata: 'm', commitTimestamp: 258n, topicId },
    }
    expect(hexOf(record)).toEqual([
      '0001' + '000167' + '000174' + '00000002',
      '0004' +
        '0000000000000005' +
        '00000003' +
        '026d' +
        '0000000000000102' +
        '010010000102030405060708090a0b0c0d0e0f',
    ])
  })

  test('an offset with an expiry is written as v1', () => {
    const record: GroupRecord = {
      kind: 'OffsetCommit',
      key: { group: 'g', topic: 't', partition: 2 },
      value: { offset: 5n, metadata: '', commitTimestamp: 1n, expireTimestamp: 9n },
    }
    expect(hexOf(record)[1]).toBe(
      '0001' + '0000000000000005' + '0000' + '0000000000000001' + '0000000000000009',
    )
  })

  test('a classic group is written as v3', () => {
    const record: GroupRecord = {
      kind: 'GroupMetadata',
      key: { group: 'g' },
      value: {
        protocolType: 'consumer',
        generation: 1,
        protocol: 'range',
        leader: 'a',
        currentStateTimestamp: 7n,
        members: [
          {
            memberId: 'a',
            groupInstanceId: null,
            clientId: 'c',
            clientHost: '/h',
            rebalanceTimeout: 2,
            sessionTimeout: 3,
            subscription: Buffer.from([1]),
            assignment: Buffer.from([2, 3]),
          },
        ],
      },
    }
    expect(hexOf(record)).toEqual([
      '0002000167',
      '0003' +
        '0008636f6e73756d6572' +
        '00000001' +
        '000572616e6765' +
        '000161' +
        '0000000000000007' +
        '00000001' +
        '000161' +
        'ffff' +
        '000163' +
        '00022f68' +
        '00000002' +
        '00000003' +
        '0000000101' +
        '000000020203',
    ])
  })

  test('a consumer group epoch carries its hash as a tag', () => {
    const key = { groupId: 'g' }
    expect(
      hexOf({ kind: 'ConsumerGroupMetadata', key, value: { epoch: 2, metadataHash: 1n } }),
    ).toEqual(['0003000167', '0000' + '00000002' + '01' + '00' + '08' + '0000000000000001'])
  })

  test.each<[GroupRecord, string]>([
    [{ kind: 'OffsetCommit', key: { group: 'g', topic: 't', partition: 0 }, value: null }, '0001'],
    [{ kind: 'GroupMetadata', key: { group: 'g' }, value: null }, '0002'],
    [{ kind: 'ConsumerGroupMetadata', key: { groupId: 'g' }, value: null }, '0003'],
    [{ kind: 'ConsumerGroupPartitionMetadata', key: { groupId: 'g' }, value: null }, '0004'],
    [
      { kind: 'ConsumerGroupMemberMetadata', key: { groupId: 'g', memberId: 'm' }, value: null },
      '0005',
    ],
    [{ kind: 'ConsumerGroupTargetAssignmentMetadata', key: { groupId: 'g' }, value: null }, '0006'],
    [
      {
        kind: 'ConsumerGroupTargetAssignmentMember',
        key: { groupId: 'g', memberId: 'm' },
        value: null,
      },
      '0007',
    ],
    [
      {
        kind: 'ConsumerGroupCurrentMemberAssignment',
        key: { groupId: 'g', memberId: 'm' },
        value: null,
      },
      '0008',
    ],
    [
      {
        kind: 'ConsumerGroupRegularExpression',
        key: { groupId: 'g', regularExpression: 'a.*' },
        value: null,
      },
      '0010',
    ],
  ])('a tombstone has a key of its type and no value: %#', (record, type) => {
    const { key, value } = groupRecordSerde.serialize(record)
    expect(key.subarray(0, 2).toString('hex')).toBe(type)
    expect(value).toBeNull()
    expect(groupRecordSerde.deserialize(key, value)).toEqual(record)
  })
})

describe('reading', () => {
  const bytes = (hex: string) => Buffer.from(hex, 'hex')
  const key = '0001' + '000167' + '000174' + '00000002'

  test.each([
    ['v0', '0000' + '0000000000000005' + '0000' + '0000000000000001'],
    ['v1', '0001' + '0000000000000005' + '0000' + '0000000000000001' + 'ffffffffffffffff'],
    ['v3', '0003' + '0000000000000005' + 'ffffffff' + '0000' + '0000000000000001'],
    ['v4', '0004' + '0000000000000005' + 'ffffffff' + '01' + '0000000000000001' + '00'],
  ])('offsets of %s', (_, value) => {
    expect(groupRecordSerde.deserialize(bytes(key), bytes(value))).toMatchObject({
      kind: 'OffsetCommit',
      key: { group: 'g', topic: 't', partition: 2 },
      value: { offset: 5n, leaderEpoch: -1, metadata: '', commitTimestamp: 1n },
    })
  })

  test('the key type of the first offsets is read as one', () => {
    const legacy = '0000' + key.slice(4)
    expect(groupRecordSerde.deserialize(bytes(legacy), null)).toMatchObject({
      kind: 'OffsetCommit',
      key: { group: 'g' },
    })
  })

  test('other kinds of records are passed over', () => {
    expect(groupRecordSerde.deserialize(bytes('000b000167'), bytes('0000'))).toBeUndefined()
    expect(groupRecordSerde.deserialize(bytes('7fff'), null)).toBeUndefined()
    expect(groupRecordSerde.deserialize(bytes('00'), null)).toBeUndefined()
  })
})
