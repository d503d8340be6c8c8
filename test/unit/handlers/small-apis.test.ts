/** Protects ApiVersions, DescribeCluster, FindCoordinator, InitProducerId and DescribeConfigs. */
import { startCoordinator } from '../coordinator/group/coordinator-fixture.js'
import { expect, test } from 'vitest'
import { apiVersionsHandler } from '../../../src/handlers/api-versions.js'
import { describeClusterHandler } from '../../../src/handlers/describe-cluster.js'
import { describeConfigsHandler } from '../../../src/handlers/describe-configs.js'
import { findCoordinatorHandler } from '../../../src/handlers/find-coordinator.js'
import { initProducerIdHandler } from '../../../src/handlers/init-producer-id.js'
import { registry } from '../../../src/handlers/registry.js'
import { ApiKey } from '../../../src/protocol/api-keys.js'
import {
  ApiVersionsRequest,
  ApiVersionsResponse,
} from '../../../src/protocol/messages/api-versions.js'
import {
  DescribeClusterRequest,
  DescribeClusterResponse,
} from '../../../src/protocol/messages/describe-cluster.js'
import {
  DescribeConfigsRequest,
  DescribeConfigsResponse,
} from '../../../src/protocol/messages/describe-configs.js'
import {
  FindCoordinatorRequest,
  FindCoordinatorResponse,
} from '../../../src/protocol/messages/find-coordinator.js'
import {
  InitProducerIdRequest,
  InitProducerIdResponse,
} from '../../../src/protocol/messages/init-producer-id.js'
import { FEATURES, ask, cluster, configsView } from './fakes.js'

const VERSIONS = [ApiVersionsRequest, ApiVersionsResponse] as const
const CLUSTER = [DescribeClusterRequest, DescribeClusterResponse] as const
const CONFIGS = [DescribeConfigsRequest, DescribeConfigsResponse] as const
const COORDINATOR = [FindCoordinatorRequest, FindCoordinatorResponse] as const
const PRODUCER = [InitProducerIdRequest, InitProducerIdResponse] as const

const RANGES = [{ apiKey: 18, minVersion: 0, maxVersion: 5 }]
const SOFTWARE = { clientSoftwareName: 'kcat', clientSoftwareVersion: '1.7.1' }

test('software names are checked from version 3 on', async () => {
  const handler = apiVersionsHandler(cluster, RANGES, FEATURES)
  const codeOf = async (version: number, name: string) =>
    (await ask(VERSIONS, handler, version, { ...SOFTWARE, clientSoftwareName: name })).errorCode
  expect(await codeOf(3, 'apache-kafka-java')).toBe(0)
  for (const name of ['', 'a b', '-a', 'a-', 'ä']) expect(await codeOf(3, name)).toBe(42)
  expect(await codeOf(2, '')).toBe(0)
  expect((await ask(VERSIONS, handler, 4, SOFTWARE)).apiKeys).toEqual(RANGES)
})

test('version 5 tells a client that it reached another cluster or node', async () => {
  const handler = apiVersionsHandler(cluster, RANGES, FEATURES)
  const codeOf = async (clusterId: string | null, nodeId: number) =>
    (await ask(VERSIONS, handler, 5, { ...SOFTWARE, clusterId, nodeId })).errorCode
  expect(await codeOf(cluster.clusterId, 1)).toBe(0)
  expect(await codeOf(null, -1)).toBe(0)
  expect(await codeOf('other', 1)).toBe(129)
  expect(await codeOf(cluster.clusterId, 2)).toBe(129)
  expect(await codeOf(cluster.clusterId, -1)).toBe(42)
  expect(await codeOf(null, 1)).toBe(42)
})

test('the registry advertises what old librdkafka matches, and serves what it advertises', () => {
  const rangeOf = (key: number) => registry.find(api => api.apiKey === key)!
  expect(rangeOf(ApiKey.Produce).advertised).toEqual([0, 13])
  expect(rangeOf(ApiKey.Produce).served).toEqual([3, 13])
  expect(rangeOf(ApiKey.Fetch).advertised).toEqual([4, 18])
  expect(rangeOf(ApiKey.InitProducerId).advertised).toEqual([0, 5])
  expect(rangeOf(ApiKey.InitProducerId).served).toEqual([0, 5])
  for (const { apiKey, advertised, served, handler } of registry) {
    if (handler !== null) expect([apiKey, served]).toEqual([apiKey, advertised])
  }
})

const described = (endpointType: number) => ({
  endpointType,
  includeClusterAuthorizedOperations: false,
})

test('brokers are described, controllers refused', async () => {
  const handler = describeClusterHandler(cluster)
  const answer = await ask(CLUSTER, handler, 2, described(1), 'EXTERNAL')
  expect(answer).toMatchObject({ errorCode: 0, clusterId: cluster.clusterId, controllerId: 1 })
  expect(answer.brokers[0]).toMatchObject({ brokerId: 1, host: 'broker.example', isFenced: false })
  expect((await ask(CLUSTER, handler, 1, described(2))).errorCode).toBe(114)
  expect((await ask(CLUSTER, handler, 1, described(3))).errorCode).toBe(115)
})

test('coordinators: transactions 53, malformed and unknown kinds 42, groups here, in both layouts', async () => {
  let ready = false
  const { coordinator } = await startCoordinator()
  const groups = { coordinator, ensureOffsetsTopic: () => Promise.resolve(ready) }
  const handler = findCoordinatorHandler({ cluster, groups })
  const one = async (version: number, keyType: number, key: string) =>
    (await ask(COORDINATOR, handler, version, { key, keyType })).errorCode
  const many = async (version: number, keyType: number, ...coordinatorKeys: string[]) =>
    (await ask(COORDINATOR, handler, version, { keyType, coordinatorKeys })).coordinators.map(
      ({ key, errorCode }) => [key, errorCode],
    )
  expect(await one(0, 0, 'g')).toBe(15)
  expect(await one(2, 1, 'tx')).toBe(53)
  expect(await one(3, 7, 'x')).toBe(42)
  expect(await many(4, 0, 'a', 'b')).toEqual([
    ['a', 15],
    ['b', 15],
  ])
  const share = 'g:7XEQhkAAQ0KxUgF6yDLPhw:0'
  expect(await many(5, 2, share)).toEqual([[share, 42]])
  expect(await many(6, 2, share, 'g')).toEqual([
    [share, 15],
    ['g', 42],
  ])
  ready = true
  expect(await one(0, 0, 'g')).toBe(0)
  const [found] = (await ask(COORDINATOR, handler, 4, { keyType: 0, coordinatorKeys: ['g'] }))
    .coordinators
  expect(found).toMatchObject({ key: 'g', errorCode: 0, nodeId: 1, host: '127.0.0.1', port: 9092 })
})

test('idempotent producers get fresh ids; half a producer and transactions are refused', async () => {
  let id = 40n
  const handler = initProducerIdHandler({ next: () => Promise.resolve(id++) })
  const init = (body: Partial<InitProducerIdRequest>) =>
    ask(PRODUCER, handler, 4, { transactionalId: null, transactionTimeoutMs: 0, ...body })
  expect(await init({})).toMatchObject({ errorCode: 0, producerId: 40n, producerEpoch: 0 })
  expect(await init({ producerId: 40n, producerEpoch: 0 })).toMatchObject({ producerId: 41n })
  expect((await init({ producerId: 5n })).errorCode).toBe(42)
  expect((await init({ transactionalId: '' })).errorCode).toBe(42)
  expect(await init({ transactionalId: 'tx' })).toMatchObject({ errorCode: 53, producerId: -1n })
})

async function describe(resourceType: number, resourceName: string, keys: string[] | null = null) {
  const resources = [{ resourceType, resourceName, configurationKeys: keys }]
  return (
    await ask(CONFIGS, describeConfigsHandler(configsView({ 'num.partitions': '3' })), 4, {
      resources,
      includeSynonyms: true,
    })
  ).results[0]!
}

test('topic settings come with their sources; keys filter them', async () => {
  const result = await describe(2, 't', ['retention.ms', 'nope'])
  expect(
    result.configs.map(({ name, value, configSource }) => [name, value, configSource]),
  ).toEqual([['retention.ms', '5', 1]])
  expect((await describe(2, 't')).configs.length).toBeGreaterThan(30)
})

test('missing topics, other brokers and unknown kinds are errors with Kafka words', async () => {
  expect((await describe(2, 'nope')).errorCode).toBe(3)
  expect((await describe(2, 'bad name')).errorCode).toBe(17)
  expect(await describe(4, '7')).toMatchObject({
    errorCode: 42,
    errorMessage: 'Unexpected broker id, expected 1 or empty string, but received 7',
  })
  expect((await describe(4, 'x')).errorMessage).toBe('Broker id must be an integer, but it is: x')
  expect((await describe(99, 'x')).errorCode).toBe(42)
  expect(await describe(4, '')).toMatchObject({ errorCode: 0, configs: [] })
  const own = await describe(4, '1', ['num.partitions'])
  expect(own.configs[0]).toMatchObject({ value: '3', configSource: 4, readOnly: true })
})
