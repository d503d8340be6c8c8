/** Protects the layout of answers: in each version of each API, success and failure must fit the version's schema. */
import { startCoordinator } from '../coordinator/group/coordinator-fixture.js'
import { beforeAll, expect, test } from 'vitest'
import { type ServedApi, createHandlers } from '../../../src/handlers/registry.js'
import { ApiKey } from '../../../src/protocol/api-keys.js'
import { decodeResponse, encodeResponse } from '../../../src/protocol/codec.js'
import {
  FEATURES,
  FakeLifecycle,
  TOPIC_ID,
  ZERO_UUID,
  cluster,
  noQuotas,
  configsView,
  settings,
  topicView,
  topicsView,
} from './fakes.js'

/** In-memory shapes of requests; fields that a version lacks do not matter to the handlers. */
const REQUESTS: Record<number, unknown> = {
  [ApiKey.ListOffsets]: {
    replicaId: -1,
    isolationLevel: 0,
    topics: [
      {
        name: 't',
        partitions: [
          { partitionIndex: 0, timestamp: -1n, currentLeaderEpoch: -1 },
          { partitionIndex: 1, timestamp: -2n, currentLeaderEpoch: -1 },
          { partitionIndex: 9, timestamp: -1n, currentLeaderEpoch: -1 },
        ],
      },
    ],
  },
  [ApiKey.Metadata]: {
    topics: [
      { name: 't', topicId: ZERO_UUID },
      { name: 'new', topicId: ZERO_UUID },
    ],
    allowAutoTopicCreation: true,
  },
  [ApiKey.FindCoordinator]: { key: 'g', keyType: 0, coordinatorKeys: ['g', 'h'] },
  // Refused at once; what is not waits for others to join.
  [ApiKey.JoinGroup]: {
    groupId: 'g',
    sessionTimeoutMs: 1,
    rebalanceTimeoutMs: 1,
    memberId: '',
    protocolType: 'consumer',
    protocols: [{ name: 'range', metadata: Buffer.alloc(0) }],
  },
  [ApiKey.SyncGroup]: { groupId: 'g', generationId: 1, memberId: 'm', assignments: [] },
  [ApiKey.Heartbeat]: { groupId: 'g', generationId: 1, memberId: 'm' },
  [ApiKey.LeaveGroup]: {
    groupId: 'g',
    memberId: 'm',
    members: [{ memberId: 'm', groupInstanceId: null }],
  },
  [ApiKey.OffsetCommit]: {
    groupId: 'g',
    memberId: '',
    topics: [
      {
        name: 't',
        topicId: TOPIC_ID,
        partitions: [{ partitionIndex: 0, committedOffset: 5n, committedMetadata: 'm' }],
      },
    ],
  },
  [ApiKey.OffsetFetch]: {
    groupId: 'g',
    topics: [{ name: 't', partitionIndexes: [0, 9] }],
    groups: [
      {
        groupId: 'g',
        topics: [{ name: 't', topicId: TOPIC_ID, partitionIndexes: [0, 9] }],
      },
    ],
  },
  [ApiKey.OffsetDelete]: {
    groupId: 'g',
    topics: [{ name: 't', partitions: [{ partitionIndex: 0 }] }],
  },
  [ApiKey.ListGroups]: { statesFilter: ['Empty'], typesFilter: ['classic'] },
  [ApiKey.ConsumerGroupHeartbeat]: { groupId: 'g', memberId: 'm', memberEpoch: 1 },
  [ApiKey.ConsumerGroupDescribe]: { groupIds: ['g', 'nope'], includeAuthorizedOperations: true },
  [ApiKey.DescribeGroups]: { groups: ['g', 'nope'] },
  [ApiKey.DeleteGroups]: { groupsNames: ['nope'] },
  [ApiKey.ApiVersions]: {
    clientSoftwareName: 'a',
    clientSoftwareVersion: '1',
    clusterId: null,
    nodeId: -1,
  },
  [ApiKey.CreateTopics]: {
    topics: [
      { name: 'a', numPartitions: 1, replicationFactor: 1, assignments: [], configs: [] },
      { name: 'b', numPartitions: 1, replicationFactor: 1, assignments: [], configs: [] },
      { name: 'b', numPartitions: 1, replicationFactor: 1, assignments: [], configs: [] },
    ],
    timeoutMs: 1000,
    validateOnly: false,
  },
  [ApiKey.DeleteTopics]: {
    topics: [{ name: 't', topicId: ZERO_UUID }],
    topicNames: ['t', 'nope'],
    timeoutMs: 1000,
  },
  [ApiKey.InitProducerId]: { transactionalId: null, producerId: -1n, producerEpoch: -1 },
  [ApiKey.OffsetForLeaderEpoch]: {
    topics: [
      { topic: 't', partitions: [{ partition: 0, currentLeaderEpoch: -1, leaderEpoch: 1 }] },
    ],
  },
  [ApiKey.DescribeConfigs]: {
    resources: [
      { resourceType: 2, resourceName: 't', configurationKeys: null },
      { resourceType: 4, resourceName: '1', configurationKeys: null },
      { resourceType: 8, resourceName: '1', configurationKeys: null },
      { resourceType: 2, resourceName: 'nope', configurationKeys: null },
    ],
    includeSynonyms: true,
    includeDocumentation: true,
  },
  [ApiKey.AlterConfigs]: {
    resources: [
      { resourceType: 2, resourceName: 't', configs: [{ name: 'retention.ms', value: '1' }] },
      { resourceType: 99, resourceName: 't', configs: [] },
    ],
    validateOnly: false,
  },
  [ApiKey.IncrementalAlterConfigs]: {
    resources: [
      {
        resourceType: 2,
        resourceName: 't',
        configs: [{ name: 'retention.ms', configOperation: 1, value: null }],
      },
    ],
    validateOnly: true,
  },
  [ApiKey.DeleteRecords]: {
    topics: [{ name: 't', partitions: [{ partitionIndex: 0, offset: 2n }] }],
    timeoutMs: 1000,
  },
  [ApiKey.ElectLeaders]: {
    electionType: 0,
    topicPartitions: [{ topic: 't', partitions: [0, 9] }],
    timeoutMs: 1000,
  },
  [ApiKey.AlterPartitionReassignments]: {
    topics: [
      {
        name: 't',
        partitions: [
          { partitionIndex: 0, replicas: [1] },
          { partitionIndex: 1, replicas: null },
        ],
      },
    ],
  },
  [ApiKey.ListPartitionReassignments]: { topics: null },
  [ApiKey.DescribeQuorum]: { topics: [{ topicName: 't', partitions: [{ partitionIndex: 0 }] }] },
  [ApiKey.UpdateFeatures]: { featureUpdates: [{ feature: 'good', maxVersionLevel: 1 }] },
  [ApiKey.DescribeProducers]: { topics: [{ name: 't', partitionIndexes: [0, 9] }] },
  [ApiKey.DescribeLogDirs]: { topics: [{ topic: 't', partitions: [0, 9] }] },
  [ApiKey.UnregisterBroker]: { brokerId: 9 },
  [ApiKey.ListConfigResources]: { resourceTypes: [] },
  [ApiKey.CreatePartitions]: {
    topics: [
      { name: 't', count: 5, assignments: null },
      { name: 'unknown', count: 5, assignments: [{ brokerIds: [1] }] },
    ],
    timeoutMs: 1000,
    validateOnly: false,
  },
  [ApiKey.DescribeClientQuotas]: { components: [], strict: false },
  [ApiKey.AlterClientQuotas]: {
    entries: [
      {
        entity: [{ entityType: 'user', entityName: null }],
        ops: [{ key: 'producer_byte_rate', value: 1, remove: false }],
      },
    ],
    validateOnly: false,
  },
  [ApiKey.DescribeCluster]: { includeClusterAuthorizedOperations: true, endpointType: 1 },
  [ApiKey.DescribeTopicPartitions]: {
    topics: [{ name: 't' }],
    responsePartitionLimit: 1,
    cursor: null,
  },
}

const PRODUCER = {
  producerId: 5n,
  producerEpoch: 1,
  lastSequence: 7,
  lastTimestamp: 9n,
  coordinatorEpoch: -1,
  currentTxnStartOffset: -1n,
}

let apis: ReadonlyMap<number, ServedApi>

beforeAll(async () => {
  const { coordinator } = await startCoordinator()
  apis = createHandlers({
    groups: { coordinator, ensureOffsetsTopic: () => Promise.resolve(true) },
    cluster,
    settings,
    topics: topicsView(topicView('t', 2, TOPIC_ID)),
    lifecycle: new FakeLifecycle(),
    logDirs: {
      list: () => [{ path: '/a', isOnline: true, isCordoned: true }],
      volume: () => Promise.resolve({ totalBytes: 10n, usableBytes: 4n }),
      logs: () => [{ topic: 't', partition: 0, logDir: '/a', sizeBytes: 7 }],
    },
    ...noQuotas,
    producerIds: { next: () => Promise.resolve(7n) },
    configs: configsView(),
    features: FEATURES,
    configChanges: { alter: () => Promise.resolve(null), replace: () => Promise.resolve(null) },
    logs: {
      offsets: (_topic, partition) =>
        partition === 9
          ? undefined
          : {
              logStartOffset: 0n,
              highWatermark: 5n,
              lastStableOffset: 5n,
              logEndOffset: 5n,
              leaderEpoch: 3,
            },
      endOffsetForEpoch: () => ({ leaderEpoch: 1, endOffset: 4n }),
      epochForOffset: () => 1,
      activeProducers: (_topic, partition) => (partition === 9 ? undefined : [PRODUCER]),
      deleteRecords: () => Promise.resolve(2n),
      absence: () => 3,
      batchByTimestamp: () => Promise.resolve(null),
      batchWithMaxTimestamp: () => Promise.resolve(null),
    },
  })
})

test('every served API has a request here', () => {
  expect([...apis.keys()].map(String).sort()).toEqual(Object.keys(REQUESTS).sort())
})

test('answers and failures fit the layout of every served version, with no byte left over', async () => {
  for (const [apiKey, api] of apis) {
    for (let version = api.served[0]; version <= api.served[1]; version++) {
      const context = {
        apiVersion: version,
        correlationId: 1,
        clientId: null,
        listenerName: 'PLAINTEXT',
        peer: '',
      }
      const failure = { errorCode: -1, errorMessage: null }
      for (const body of [
        await api.instance.handle(REQUESTS[apiKey], context),
        api.instance.fail(REQUESTS[apiKey], failure, context),
      ]) {
        const frame = encodeResponse(api.response, version, 1, body as never)
        const decoded = decodeResponse(api.response, version, frame).body
        expect(encodeResponse(api.response, version, 1, decoded), api.name).toEqual(frame)
      }
    }
  }
})
