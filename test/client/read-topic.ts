/** Reads a partition's records from its beginning, without a consumer: what the producer's tests compare with. */
import { Cluster } from '../../src/client/cluster/cluster.js'
import { throwIfError } from '../../src/client/errors.js'
import { FetchRequest, FetchResponse } from '../../src/protocol/messages/fetch.js'
import { recordBatches } from '../../src/records/record-batch.js'
import { readRecords } from '../../src/records/record-reader.js'
import type { Record } from '../../src/records/record.js'

const FETCH = { request: FetchRequest, response: FetchResponse }
/** Names instead of topic ids: the last such version. */
const FETCH_VERSION_MAX = 12

/** `count` records, or what there is after 30 s. */
export async function readPartition(
  bootstrapServers: string,
  topic: string,
  partition: number,
  count: number,
): Promise<Record[]> {
  const cluster = new Cluster({ bootstrapServers })
  try {
    const node = await cluster.leader(topic, partition)
    const records: Record[] = []
    const deadline = performance.now() + 30_000
    while (records.length < count && performance.now() < deadline) {
      const fetchOffset = (records.at(-1)?.offset ?? -1n) + 1n
      const asked = { partition, fetchOffset, partitionMaxBytes: 64 * 1024 * 1024 }
      const answer = await cluster.request(
        node,
        FETCH,
        {
          replicaId: -1,
          maxWaitMs: 500,
          minBytes: 1,
          maxBytes: 64 * 1024 * 1024,
          isolationLevel: 0,
          topics: [{ topic, partitions: [asked] }],
        },
        { versionMax: FETCH_VERSION_MAX },
      )
      const found = answer.responses[0]!.partitions[0]!
      throwIfError(found.errorCode, `${topic}-${partition}`)
      for (const batch of recordBatches(found.records ?? Buffer.alloc(0))) {
        records.push(...[...(await readRecords(batch))].filter(r => r.offset >= fetchOffset))
      }
    }
    return records
  } finally {
    cluster.close()
  }
}

/** Creates a topic through CreateTopics. */
export async function createTopic(
  cluster: Cluster,
  name: string,
  numPartitions = 1,
  configs: { readonly [name: string]: string } = {},
): Promise<void> {
  const { CreateTopicsRequest, CreateTopicsResponse } =
    await import('../../src/protocol/messages/create-topics.js')
  const answer = await cluster.request(
    await cluster.controller(),
    { request: CreateTopicsRequest, response: CreateTopicsResponse },
    {
      topics: [
        {
          name,
          numPartitions,
          replicationFactor: 1,
          assignments: [],
          configs: Object.entries(configs).map(([key, value]) => ({ name: key, value })),
        },
      ],
      timeoutMs: 30_000,
    },
  )
  const { errorCode, errorMessage } = answer.topics[0]!
  throwIfError(errorCode, name, errorMessage)
  await cluster.topic(name)
}
