/** The hashes that Kafka 4.4 keeps in its records: a group that moves between us and it is not disturbed by them. */
import { expect, test } from 'vitest'
import type { Uuid } from '../../../../../src/base/uuid.js'
import { xxh3 } from '../../../../../src/base/xxh3.js'
import { TopicHashes, topicHash } from '../../../../../src/coordinator/group/consumer/topic-hash.js'
import { FakeTopics } from '../shard-fixture.js'

/** By length of the bytes 3, 10, 17, …: what hash4j, Kafka's library, says. */
const HASHES: readonly (readonly [length: number, hash: bigint])[] = [
  [0, 3244421341483603138n],
  [1, 1433843135270481901n],
  [2, 2058273368586827884n],
  [3, -6266602912829716452n],
  [4, 7895465118229274323n],
  [7, -8177813798836339154n],
  [8, 6941064856527638883n],
  [9, -72226354546400344n],
  [15, -7007203045674962495n],
  [16, -5131753158909839995n],
  [17, 8163341949877205007n],
  [31, -1350609124411935565n],
  [32, 1873302701886544469n],
  [33, 4486878507168070088n],
  [100, -5362810412169982817n],
  [128, 7440608504995537343n],
  [129, -4150982730466284604n],
  [200, 8389308914288017243n],
  [240, 7229805477010515663n],
  [241, -8364630114420064745n],
  [255, -5297528147452990407n],
  [256, 4339360625268998362n],
  [512, -756038794506822371n],
  [1024, -7241394453710343503n],
  [1025, -9192937061388044938n],
  [1100, -8178887940769061853n],
  [4096, -2935635270157212802n],
  [5000, 8762507191635236893n],
]

test.each(HASHES)('XXH3-64 of %i bytes', (length, hash) => {
  expect(xxh3(Buffer.from(Array.from({ length }, (_, i) => (i * 7 + 3) & 255)))).toBe(hash)
})

test('a topic with racks', () => {
  const topicId = 'Zm9vLi4uLi4uLi4uLi4uLg' as Uuid
  const topic = { name: 'foo', topicId, numPartitions: 3, racks: () => ['a', 'rack-b'] }
  expect(topicHash(topic)).toBe(4142031089786191176n)
})

test('a group notices growth and new topics, but not the order, and no topic that is not there', () => {
  const topics = new FakeTopics().put('a', 1).put('b', 2)
  const hashes = new TopicHashes(topics)
  const before = hashes.ofGroup(['a', 'b', 'missing'])
  expect(hashes.ofGroup(['b', 'a'])).toBe(before)
  expect(hashes.ofGroup([])).toBe(0n)
  expect(hashes.ofGroup(['missing'])).toBe(0n)
  topics.put('b', 3)
  hashes.forget('b')
  expect(hashes.ofGroup(['a', 'b'])).not.toBe(before)
})
