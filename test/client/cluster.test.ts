/** The client's way to a cluster: bootstrap, metadata, leaders, coordinators, pipelining, and what fails. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Cluster } from '../../src/client/cluster/cluster.js'
import { KafkaError } from '../../src/client/errors.js'
import {
  CreateTopicsRequest,
  CreateTopicsResponse,
} from '../../src/protocol/messages/create-topics.js'
import { MetadataRequest, MetadataResponse } from '../../src/protocol/messages/metadata.js'
import { OffsetDeleteRequest } from '../../src/protocol/messages/offset-delete.js'
import { type Target, startTarget } from './target.js'

const CREATE = { request: CreateTopicsRequest, response: CreateTopicsResponse }
const METADATA = { request: MetadataRequest, response: MetadataResponse }

let target: Target
let cluster: Cluster
beforeAll(async () => {
  target = await startTarget({ 'auto.create.topics.enable': 'false' })
  cluster = new Cluster({ bootstrapServers: ['127.0.0.1:1', target.bootstrapServers] })
})
afterAll(async () => {
  cluster.close()
  await target.close()
})

async function createTopic(name: string, numPartitions = 1): Promise<void> {
  const controller = await cluster.controller()
  const answer = await cluster.request(controller, CREATE, {
    topics: [{ name, numPartitions, replicationFactor: 1, assignments: [], configs: [] }],
    timeoutMs: 30_000,
  })
  expect(answer.topics[0]?.errorCode).toBe(0)
}

test('a bootstrap server that is down is passed over; the cluster names itself', async () => {
  await cluster.refresh()
  expect(cluster.metadata.clusterId).not.toBe('')
  expect(cluster.metadata.brokers.length).toBeGreaterThan(0)
})

test('a topic that appears late is found, with leader and id', async () => {
  const name = target.topic()
  const found = cluster.topic(name)
  await createTopic(name, 3)
  const topic = await found
  expect(topic.partitions.map(p => p.partition)).toEqual([0, 1, 2])
  expect(cluster.metadata.nameOf(topic.topicId)).toBe(name)
  const leader = await cluster.leader(name, 2)
  expect(cluster.metadata.broker(leader.nodeId)).toEqual(leader)
})

test('a topic that stays away ends in a timeout that says so; a bad name at once', async () => {
  const failure: unknown = await cluster
    .topic(target.topic('none'), { timeoutMs: 300 })
    .catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(KafkaError)
  expect(failure).toMatchObject({ errorName: 'REQUEST_TIMED_OUT', retriable: true })
  expect((failure as KafkaError).cause).toMatchObject({ errorName: 'UNKNOWN_TOPIC_OR_PARTITION' })
  await expect(cluster.topic('bad name!')).rejects.toMatchObject({
    errorName: 'INVALID_TOPIC_EXCEPTION',
    retriable: false,
  })
})

test('many requests are in flight on one connection and find their answers', async () => {
  const connection = await cluster.any()
  const name = target.topic()
  await createTopic(name)
  const asks = Array.from({ length: 100 }, (_, index) =>
    connection.request(METADATA, { topics: index % 2 === 0 ? [{ name }] : [] }),
  )
  expect(connection.inFlightCount).toBe(100)
  const answers = await Promise.all(asks)
  expect(answers.map(({ topics }) => topics.length)).toEqual(
    asks.map((_, index) => (index + 1) % 2),
  )
})

test('the coordinator of a group is found and remembered until it is forgotten', async context => {
  if (!(await target.serves(OffsetDeleteRequest))) return context.skip('no groups yet')
  const group = target.topic('group')
  const node = await cluster.retrying('find', () => cluster.coordinator('group', group))
  expect(cluster.metadata.broker(node.nodeId)?.port).toBe(node.port)
  expect(await cluster.coordinator('group', group)).toBe(node)
  cluster.forgetCoordinator('group', group)
  expect(await cluster.coordinator('group', group)).not.toBe(node)
})

test('what is in flight when the cluster is closed rejects, and nothing starts afterwards', async () => {
  const other = new Cluster({ bootstrapServers: target.bootstrapServers })
  const waiting = other.topic(target.topic('never'))
  await other.refresh()
  other.close()
  await expect(waiting).rejects.toMatchObject({
    code: expect.stringMatching(/^ERR_CLIENT_/) as string,
  })
  await expect(other.refresh()).rejects.toMatchObject({ code: 'ERR_CLIENT_CLOSED' })
})
