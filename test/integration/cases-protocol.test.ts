/**
 * Faults that other brokers had in version negotiation and in the layout of their answers, against the real process
 * with frames made by hand.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BrokerProcess } from '../support/broker-process.js'
import { createTopic, fetchBody, produceBody } from '../support/partition-calls.js'
import { type ApiName, decodeResponse, encodeRequest, framed } from '../support/raw-client.js'
import { RawClient } from '../support/raw-client.js'
import { recordBatch, recordsOf } from '../support/record-batch-bytes.js'
import type { WireMessage } from '../support/wire-codec.js'
import { API } from '../support/wire-messages.js'

const NO_ID = '0'.repeat(32)
const UNKNOWN_ID = '0123456789abcdef'.repeat(2)
let broker: BrokerProcess
let client: RawClient
let topicId: string

beforeAll(async () => {
  broker = await BrokerProcess.start()
  client = await RawClient.connect(broker.port)
  expect(await createTopic(client, 'known', 3)).toBe(0)
  const metadata = await client.call('Metadata', 12, { topics: [{ name: 'known' }] })
  topicId = metadata['topics'][0].topicId
})

afterAll(async () => {
  client.close()
  await broker.remove()
})

describe('ApiVersions', () => {
  test.each([6, 99, 32767])(
    'version %d is answered in version 0 with error 35; the connection stays',
    async version => {
      const first = await RawClient.connect(broker.port)
      const request = encodeRequest('ApiVersions', 3, {}, { correlationId: 5 })
      request.writeInt16BE(version, 6)
      first.send(request)
      const { correlationId, body } = decodeResponse('ApiVersions', 0, (await first.receive())!)
      expect(correlationId).toBe(5)
      expect(body['errorCode']).toBe(35)
      expect(body['apiKeys']).toContainEqual({ apiKey: 18, minVersion: 0, maxVersion: 5 })
      const retry = { clientSoftwareName: 'raw', clientSoftwareVersion: '1', nodeId: -1 }
      expect((await first.call('ApiVersions', 4, retry))['errorCode']).toBe(0)
      first.close()
    },
  )

  test('what it lists has what clients of each Kafka release pin', async () => {
    const { apiKeys } = await client.call('ApiVersions', 0)
    const ranges = new Map<number, { minVersion: number; maxVersion: number }>(
      apiKeys.map((range: WireMessage) => [range['apiKey'], range]),
    )
    const outside = PINNED.flatMap(({ release, ...versions }) =>
      Object.entries(versions).flatMap(([name, version]) => {
        const range = ranges.get(API[name as ApiName].key)
        const inside = range && range.minVersion <= version && version <= range.maxVersion
        return inside ? [] : [`${release}: ${name} ${version}`]
      }),
    )
    expect(outside).toEqual([])
  })
})

/** From the first release whose clients Kafka 4 still serves. */
const PINNED = [
  { release: '2.1', Produce: 7, Fetch: 10, ListOffsets: 4, Metadata: 7, InitProducerId: 1 },
  { release: '2.3', Produce: 7, Fetch: 11, ListOffsets: 5, Metadata: 8, OffsetForLeaderEpoch: 3 },
  { release: '2.4', Produce: 8, Fetch: 11, ListOffsets: 5, Metadata: 9, CreateTopics: 5 },
  { release: '2.8', Produce: 9, Fetch: 12, ListOffsets: 6, Metadata: 11, DescribeCluster: 0 },
  { release: '3.5', Produce: 9, Fetch: 15, ListOffsets: 8, Metadata: 12, FindCoordinator: 4 },
  { release: '3.9', Produce: 11, Fetch: 17, ListOffsets: 9, Metadata: 12, InitProducerId: 5 },
  { release: '4.0', Produce: 12, Fetch: 17, ListOffsets: 10, Metadata: 13, ApiVersions: 4 },
  { release: '4.4', Produce: 13, Fetch: 18, ListOffsets: 11, Metadata: 13, ApiVersions: 5 },
]

const UNSERVED: [ApiName, number][] = [
  ['Produce', 2],
  ['Produce', 14],
  ['Fetch', 3],
  ['Fetch', 19],
  ['ListOffsets', 0],
  ['Metadata', 14],
  ['CreateTopics', 1],
  ['InitProducerId', 6],
]

test.each(UNSERVED)('%s %d is not served and closes the connection', async (name, version) => {
  const other = await RawClient.connect(broker.port)
  other.send(encodeRequest(name, version, {}))
  expect(await other.closedSilently()).toBe(true)
})

describe('tag sections', () => {
  test('unknown tags in header and body are skipped', async () => {
    const tags = Buffer.from([3, 40, 2, 1, 2, 41, 0, 99, 1, 7])
    const request = encodeRequest('Metadata', 9, { topics: [] }, { headerTags: tags })
    const body = Buffer.concat([request.subarray(4, -1), tags])
    client.send(framed(body))
    const answer = decodeResponse('Metadata', 9, (await client.receive())!).body
    expect(answer['brokers']).toHaveLength(1)
  })

  const absurd = {
    'a tag of 2^31-1 bytes': [1, 40, 0xff, 0xff, 0xff, 0xff, 7],
    'a count of 2^32-1': [0xff, 0xff, 0xff, 0xff, 0x0f],
    'a varint of ten bytes': Array<number>(10).fill(0xff),
  }
  for (const name of ['Metadata', 'Produce', 'Fetch'] as const) {
    test.each(Object.entries(absurd))(
      `${name}: %s in header or body costs only its connection`,
      async (_, tags) => {
        for (const inHeader of [true, false]) {
          const other = await RawClient.connect(broker.port)
          const request = encodeRequest(
            name,
            12,
            {},
            inHeader ? { headerTags: Buffer.from(tags) } : {},
          )
          const end = inHeader ? request.length : request.length - 1
          const content = [request.subarray(4, end), inHeader ? [] : tags]
          other.send(framed(Buffer.concat(content.map(part => Buffer.from(part)))))
          expect(await other.closedSilently()).toBe(true)
        }
        expect((await client.call('Metadata', 9, { topics: [] }))['brokers']).toHaveLength(1)
      },
    )
  }
})

interface Failing {
  name: ApiName
  versions: [number, number]
  request: (version: number) => WireMessage
  /** Every error code of the answer. */
  codes: (answer: WireMessage) => unknown
  wanted: (version: number) => unknown
}

const partitionCodes = (topics: string, partitions: string) => (answer: WireMessage) =>
  answer[topics].flatMap((t: WireMessage) => t[partitions].map((p: WireMessage) => p['errorCode']))
const codesOf = (list: string) => (answer: WireMessage) =>
  answer[list].map((each: WireMessage) => each['errorCode'])

const FAILING: Failing[] = [
  {
    name: 'Produce',
    versions: [3, 13],
    request: version => {
      const body = produceBody('unknown', recordBatch(recordsOf(1)))
      body['topicData'][0].topicId = UNKNOWN_ID
      return version < 13 ? body : { ...body, acks: 1 }
    },
    codes: partitionCodes('responses', 'partitionResponses'),
    wanted: version => [version < 13 ? 3 : 100],
  },
  {
    name: 'Fetch',
    versions: [4, 18],
    request: () => {
      const body = fetchBody('known', 1000)
      const partitions = body['topics'][0].partitions
      body['topics'][0].topicId = topicId
      const unknown = { topic: 'unknown', topicId: UNKNOWN_ID, partitions }
      return { ...body, topics: [...body['topics'], unknown] }
    },
    codes: partitionCodes('responses', 'partitions'),
    wanted: version => [1, version < 13 ? 3 : 100],
  },
  {
    name: 'ListOffsets',
    versions: [1, 11],
    request: () => ({
      replicaId: -1,
      topics: [{ name: 'unknown', partitions: [{ currentLeaderEpoch: -1, timestamp: -1 }] }],
    }),
    codes: partitionCodes('topics', 'partitions'),
    wanted: () => [3],
  },
  {
    name: 'Metadata',
    versions: [0, 13],
    request: () => ({ topics: [{ name: 'no blanks' }], allowAutoTopicCreation: true }),
    codes: codesOf('topics'),
    wanted: () => [17],
  },
  {
    name: 'FindCoordinator',
    versions: [1, 6],
    request: version => ({
      keyType: 1,
      ...(version < 4 ? { key: 'transaction' } : { coordinatorKeys: ['transaction'] }),
    }),
    codes: answer => answer['errorCode'] ?? codesOf('coordinators')(answer),
    wanted: version => (version < 4 ? 53 : [53]),
  },
  {
    name: 'CreateTopics',
    versions: [2, 7],
    request: () => ({ topics: [{ name: 'a/b', numPartitions: 1, replicationFactor: 1 }] }),
    codes: codesOf('topics'),
    wanted: () => [17],
  },
  {
    name: 'DeleteTopics',
    versions: [1, 6],
    request: version =>
      version < 6 ? { topicNames: ['unknown'] } : { topics: [{ name: 'unknown' }] },
    codes: codesOf('responses'),
    wanted: () => [3],
  },
  {
    name: 'InitProducerId',
    versions: [0, 5],
    request: () => ({ transactionalId: 'tx', producerId: -1n, producerEpoch: -1 }),
    codes: answer => answer['errorCode'],
    wanted: () => 53,
  },
  {
    name: 'OffsetForLeaderEpoch',
    versions: [2, 4],
    request: () => ({
      replicaId: -1,
      topics: [{ topic: 'unknown', partitions: [{ currentLeaderEpoch: -1 }] }],
    }),
    codes: partitionCodes('topics', 'partitions'),
    wanted: () => [3],
  },
  {
    name: 'DescribeConfigs',
    versions: [1, 4],
    request: () => ({ resources: [{ resourceType: 2, resourceName: 'unknown' }] }),
    codes: codesOf('results'),
    wanted: () => [3],
  },
  {
    name: 'CreatePartitions',
    versions: [0, 3],
    request: () => ({ topics: [{ name: 'unknown', count: 2 }], timeoutMs: 1000 }),
    codes: codesOf('results'),
    wanted: () => [3],
  },
  {
    name: 'DescribeCluster',
    versions: [1, 2],
    request: () => ({ endpointType: 2 }),
    codes: answer => answer['errorCode'],
    wanted: () => 114,
  },
  {
    name: 'ApiVersions',
    versions: [3, 5],
    request: () => ({ clientSoftwareName: ' ', clientSoftwareVersion: '', nodeId: -1 }),
    codes: answer => answer['errorCode'],
    wanted: () => 42,
  },
]

test.each(FAILING)(
  'errors of $name have the layout of the version, in all versions',
  async ({ name, versions, request, codes, wanted }) => {
    for (let version = versions[0]; version <= versions[1]; version++) {
      const answer = await client.call(name, version, request(version))
      expect([version, codes(answer)]).toEqual([version, wanted(version)])
      expect(answer['throttleTimeMs'] ?? 0).toBe(0)
    }
  },
)

describe('Metadata', () => {
  const topicsOf = async (version: number, topics: WireMessage[] | null) => {
    const answer = await client.call('Metadata', version, { topics })
    return answer['topics'].map((topic: WireMessage) => [topic['errorCode'], topic['name']])
  }

  test('no topics: all in version 0; from 1 on null means all, empty none', async () => {
    expect(await topicsOf(0, [])).toContainEqual([0, 'known'])
    for (let version = 1; version <= 13; version++) {
      expect(await topicsOf(version, null)).toContainEqual([0, 'known'])
      const brokersOnly = await client.call('Metadata', version, { topics: [] })
      expect([brokersOnly['brokers'].length, brokersOnly['topics']]).toEqual([1, []])
    }
  })

  test.each([10, 11])('version %d has topic ids that no Kafka honours', async version => {
    const codes = async (topic: WireMessage) => (await topicsOf(version, [topic]))[0]
    expect((await codes({ name: null, topicId }))[0]).toBe(42)
    expect((await codes({ name: 'known', topicId }))[0]).toBe(42)
    expect(await codes({ name: 'known', topicId: NO_ID })).toEqual([0, 'known'])
  })

  test('version 12 asks by id', async () => {
    expect(await topicsOf(12, [{ name: null, topicId }])).toEqual([[0, 'known']])
    expect((await topicsOf(12, [{ name: null, topicId: UNKNOWN_ID }]))[0]![0]).toBe(100)
  })
})

describe('answers mirror the request', () => {
  /** Twenty topics in a shuffled order, partitions too, with unknown ones among them. */
  const topics = Array.from({ length: 20 }, (_, i) => {
    const place = (i * 7) % 20
    return {
      name: place % 4 === 1 ? `unknown-${place}` : `mirror-${place}`,
      partitions: place % 2 === 0 ? [2, 0, 1] : [1, 9, 0],
    }
  })

  beforeAll(async () => {
    const wanted = topics.filter(topic => !topic.name.startsWith('unknown'))
    const answer = await client.call('CreateTopics', 7, {
      topics: wanted.map(({ name }) => ({ name, numPartitions: 3, replicationFactor: 1 })),
      timeoutMs: 30_000,
    })
    expect(codesOf('topics')(answer)).toEqual(wanted.map(() => 0))
  })

  const names = (answer: WireMessage, list: string, name: string, parts: string, index: string) =>
    answer[list].map((topic: WireMessage) => ({
      name: topic[name],
      partitions: topic[parts].map((partition: WireMessage) => partition[index]),
    }))

  test('ten requests at once: in order, each partition once', async () => {
    const list = topics.map(({ name, partitions }) => ({
      name,
      partitions: partitions.map(partitionIndex => ({
        partitionIndex,
        currentLeaderEpoch: -1,
        timestamp: -1,
      })),
    }))
    const records = recordBatch(recordsOf(1))
    const data = topics.map(({ name, partitions }) => ({
      name,
      partitionData: partitions.map(index => ({ index, records })),
    }))
    const fetched = topics.map(({ name, partitions }) => ({
      topic: name,
      partitions: partitions.map(partition => ({ partition, currentLeaderEpoch: -1 })),
    }))
    const bodies: [ApiName, number, WireMessage][] = [
      ['ListOffsets', 5, { replicaId: -1, topics: list }],
      ['Produce', 9, { acks: -1, timeoutMs: 30_000, topicData: data }],
      ['Fetch', 11, { ...fetchBody('', 0), topics: fetched }],
      ['Metadata', 5, { topics: topics.map(({ name }) => ({ name })) }],
      ['Produce', 7, { acks: 1, timeoutMs: 30_000, topicData: data }],
    ]
    const requests = [...bodies, ...bodies]
    client.send(
      Buffer.concat(
        requests.map(([name, version, body], i) =>
          encodeRequest(name, version, body, { correlationId: 1000 + i }),
        ),
      ),
    )
    for (const [i, [name, version]] of requests.entries()) {
      const answer = await client.answer(name, version, 1000 + i)
      if (name === 'ListOffsets') {
        expect(names(answer, 'topics', 'name', 'partitions', 'partitionIndex')).toEqual(topics)
      } else if (name === 'Produce') {
        expect(names(answer, 'responses', 'name', 'partitionResponses', 'index')).toEqual(topics)
      } else if (name === 'Fetch') {
        const answered = names(answer, 'responses', 'topic', 'partitions', 'partitionIndex')
        expect(answered).toEqual(topics)
      } else {
        const known = new Set(topics.map(topic => topic.name))
        expect(new Set(answer['topics'].map((t: WireMessage) => t['name']))).toEqual(known)
      }
    }
  })
})
