/** What one broker answers where Kafka has several: elections, reassignments, features, quorum (compared with 4.4). */
import { expect, test } from 'vitest'
import { alterPartitionReassignmentsHandler } from '../../../src/handlers/alter-partition-reassignments.js'
import { apiVersionsHandler } from '../../../src/handlers/api-versions.js'
import { describeProducersHandler } from '../../../src/handlers/describe-producers.js'
import { describeQuorumHandler } from '../../../src/handlers/describe-quorum.js'
import { electLeadersHandler } from '../../../src/handlers/elect-leaders.js'
import { listConfigResourcesHandler } from '../../../src/handlers/list-config-resources.js'
import { unregisterBrokerHandler } from '../../../src/handlers/unregister-broker.js'
import { updateFeaturesHandler } from '../../../src/handlers/update-features.js'
import {
  AlterPartitionReassignmentsRequest,
  AlterPartitionReassignmentsResponse,
} from '../../../src/protocol/messages/alter-partition-reassignments.js'
import {
  ApiVersionsRequest,
  ApiVersionsResponse,
} from '../../../src/protocol/messages/api-versions.js'
import {
  DescribeProducersRequest,
  DescribeProducersResponse,
} from '../../../src/protocol/messages/describe-producers.js'
import {
  DescribeQuorumRequest,
  DescribeQuorumResponse,
} from '../../../src/protocol/messages/describe-quorum.js'
import {
  ElectLeadersRequest,
  ElectLeadersResponse,
} from '../../../src/protocol/messages/elect-leaders.js'
import {
  ListConfigResourcesRequest,
  ListConfigResourcesResponse,
} from '../../../src/protocol/messages/list-config-resources.js'
import {
  UnregisterBrokerRequest,
  UnregisterBrokerResponse,
} from '../../../src/protocol/messages/unregister-broker.js'
import {
  UpdateFeaturesRequest,
  UpdateFeaturesResponse,
} from '../../../src/protocol/messages/update-features.js'
import { FEATURES, ask, cluster, configsView, topicView, topicsView } from './fakes.js'

const topics = topicsView(topicView('adm', 2))

test('an election is never needed, and what does not exist is told apart', async () => {
  const schemas = [ElectLeadersRequest, ElectLeadersResponse] as const
  const elect = (electionType: number, topicPartitions: unknown) =>
    ask(schemas, electLeadersHandler(topics), 2, {
      electionType,
      topicPartitions: topicPartitions as [],
    })
  const asked = [
    { topic: 'adm', partitions: [0, 7] },
    { topic: 'nope', partitions: [0] },
  ]
  const answer = await elect(0, asked)
  expect(answer.errorCode).toBe(0)
  expect(answer.replicaElectionResults.map(({ partitionResult }) => partitionResult)).toEqual([
    [
      {
        partitionId: 0,
        errorCode: 84,
        errorMessage: 'Leader election not needed for topic partition.',
      },
      { partitionId: 7, errorCode: 3, errorMessage: 'No such partition as adm-7' },
    ],
    [{ partitionId: 0, errorCode: 3, errorMessage: 'No such topic as nope' }],
  ])
  expect((await elect(1, null)).replicaElectionResults).toEqual([
    { topic: 'adm', partitionResult: [] },
  ])
  const refused = await elect(5, asked)
  expect(refused.errorCode).toBe(42)
  expect(refused.replicaElectionResults[1]!.partitionResult[0]).toMatchObject({
    errorCode: 42,
    errorMessage: 'Unknown election type 5',
  })
})

test.each([
  [0, [1], 0, null],
  [0, null, 85, null],
  [9, [1], 3, 'Unable to find partition adm:9.'],
  [
    0,
    [2],
    39,
    'The manual partition assignment includes broker 2, but no such broker is registered.',
  ],
  [0, [], 39, 'The manual partition assignment includes an empty replica list.'],
  [0, [1, 1], 39, 'The manual partition assignment includes the broker 1 more than once.'],
])(
  'reassigning partition %i to %j: %i',
  async (partitionIndex, replicas, errorCode, errorMessage) => {
    const schemas = [
      AlterPartitionReassignmentsRequest,
      AlterPartitionReassignmentsResponse,
    ] as const
    const handler = alterPartitionReassignmentsHandler({ cluster, topics })
    const request = { topics: [{ name: 'adm', partitions: [{ partitionIndex, replicas }] }] }
    const answer = await ask(schemas, handler, 1, request)
    expect(answer.responses[0]!.partitions).toEqual([{ partitionIndex, errorCode, errorMessage }])
  },
)

test('features: listed by version, changed all or none', async () => {
  const versions = (apiVersion: number) =>
    ask(
      [ApiVersionsRequest, ApiVersionsResponse],
      apiVersionsHandler(cluster, [], FEATURES),
      apiVersion,
      {
        clientSoftwareName: 'x',
        clientSoftwareVersion: '1',
      },
    )
  const names = ({ supportedFeatures }: Awaited<ReturnType<typeof versions>>) =>
    supportedFeatures.map(({ name }) => name)
  expect(names(await versions(3))).toEqual(['metadata.version'])
  const newest = await versions(4)
  expect(names(newest)).toEqual(['group.version', 'metadata.version'])
  expect(newest.finalizedFeaturesEpoch).toBe(4n)
  expect(newest.finalizedFeatures).toEqual([
    { name: 'metadata.version', minVersionLevel: 33, maxVersionLevel: 33 },
  ])
  const update = (apiVersion: number, feature: string) =>
    ask(
      [UpdateFeaturesRequest, UpdateFeaturesResponse],
      updateFeaturesHandler(FEATURES),
      apiVersion,
      {
        featureUpdates: [{ feature, maxVersionLevel: 1 }],
      },
    )
  expect((await update(1, 'good')).results).toMatchObject([{ feature: 'good', errorCode: 0 }])
  expect((await update(2, 'good')).results).toEqual([])
  expect(await update(1, 'bad')).toMatchObject({
    errorCode: 95,
    errorMessage: 'no such feature',
    results: [],
  })
})

test('no quorum, no other broker', async () => {
  const quorum = await ask(
    [DescribeQuorumRequest, DescribeQuorumResponse],
    describeQuorumHandler(),
    2,
    {
      topics: [{ topicName: '__cluster_metadata', partitions: [{ partitionIndex: 0 }] }],
    },
  )
  expect(quorum.topics[0]!.partitions[0]!.errorCode).toBe(3)
  const unregister = (brokerId: number) =>
    ask([UnregisterBrokerRequest, UnregisterBrokerResponse], unregisterBrokerHandler(cluster), 0, {
      brokerId,
    })
  expect(await unregister(99)).toMatchObject({
    errorCode: 102,
    errorMessage: 'Broker ID 99 is not currently registered',
  })
  expect((await unregister(1)).errorCode).toBe(42)
})

test('producers of a partition, of none, of a topic that cannot be', async () => {
  const schemas = [DescribeProducersRequest, DescribeProducersResponse] as const
  const producer = {
    producerId: 5n,
    producerEpoch: 1,
    lastSequence: 7,
    lastTimestamp: 9n,
    coordinatorEpoch: -1,
    currentTxnStartOffset: -1n,
  }
  const logs = {
    activeProducers: (_topic: string, partition: number) =>
      partition === 0 ? [producer] : undefined,
    absence: () => 3,
  } as unknown as Parameters<typeof describeProducersHandler>[0]['logs']
  const answer = await ask(schemas, describeProducersHandler({ logs, topics }), 0, {
    topics: [
      { name: 'adm', partitionIndexes: [0, 9] },
      { name: 'nope', partitionIndexes: [0] },
      { name: 'b/d', partitionIndexes: [0] },
    ],
  })
  const partitions = answer.topics.flatMap(topic => topic.partitions)
  expect(partitions.map(({ errorCode }) => errorCode)).toEqual([0, 3, 3, 17])
  expect(partitions[0]!.activeProducers).toEqual([producer])
})

test('what has settings: of the kinds that are asked for', async () => {
  const schemas = [ListConfigResourcesRequest, ListConfigResourcesResponse] as const
  const handler = listConfigResourcesHandler({ cluster, topics, configs: configsView() })
  const list = (apiVersion: number, resourceTypes: number[]) =>
    ask(schemas, handler, apiVersion, { resourceTypes })
  const all = await list(1, [])
  expect(all.configResources.map(r => [r.resourceType, r.resourceName])).toEqual([
    [32, 'g'],
    [8, '1'],
    [4, '1'],
    [2, 'adm'],
  ])
  expect((await list(1, [2])).configResources).toHaveLength(1)
  expect((await list(0, [])).configResources).toEqual([])
  expect((await list(1, [77])).errorCode).toBe(35)
})
