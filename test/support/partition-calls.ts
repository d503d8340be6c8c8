/** What most tests in bytes do with one partition of a broker: create, produce, fetch, ask for offsets. */
import type { RawClient } from './raw-client.js'
import type { WireMessage } from './wire-codec.js'

export interface ProduceOptions {
  acks?: number
  version?: number
  partition?: number
  transactionalId?: string
}

export async function createTopic(
  client: RawClient,
  name: string,
  numPartitions = 1,
  configs: Record<string, string> = {},
): Promise<number> {
  const topic = {
    name,
    numPartitions,
    replicationFactor: 1,
    configs: Object.entries(configs).map(([key, value]) => ({ name: key, value })),
  }
  const answer = await client.call('CreateTopics', 7, { topics: [topic], timeoutMs: 30_000 })
  return answer['topics'][0].errorCode
}

export function produceBody(
  topic: string,
  records: Buffer | null,
  options: ProduceOptions = {},
): WireMessage {
  return {
    transactionalId: options.transactionalId ?? null,
    acks: options.acks ?? -1,
    timeoutMs: 30_000,
    topicData: [{ name: topic, partitionData: [{ index: options.partition ?? 0, records }] }],
  }
}

/** The answer for the one partition. */
export async function produce(
  client: RawClient,
  topic: string,
  records: Buffer | null,
  options: ProduceOptions = {},
): Promise<WireMessage> {
  const version = options.version ?? 9
  const answer = await client.call('Produce', version, produceBody(topic, records, options))
  return answer['responses'][0].partitionResponses[0]
}

export function fetchBody(topic: string, fetchOffset: number, more: WireMessage = {}): WireMessage {
  const partition = {
    partition: 0,
    currentLeaderEpoch: -1,
    fetchOffset,
    lastFetchedEpoch: -1,
    logStartOffset: -1,
    partitionMaxBytes: more['partitionMaxBytes'] ?? 1 << 20,
  }
  return {
    replicaId: -1,
    maxWaitMs: 0,
    minBytes: 1,
    maxBytes: 50 << 20,
    sessionEpoch: -1,
    topics: [{ topic, partitions: [partition] }],
    rackId: '',
    ...more,
  }
}

export async function fetch(
  client: RawClient,
  topic: string,
  offset: number,
  more: WireMessage = {},
): Promise<WireMessage> {
  const answer = await client.call('Fetch', 12, fetchBody(topic, offset, more))
  return answer['responses'][0].partitions[0]
}

export const LATEST = -1
export const EARLIEST = -2
export const MAX_TIMESTAMP = -3

export async function listOffset(
  client: RawClient,
  topic: string,
  timestamp: number,
  version = 8,
): Promise<WireMessage> {
  const partitions = [{ partitionIndex: 0, currentLeaderEpoch: -1, timestamp }]
  const answer = await client.call('ListOffsets', version, {
    replicaId: -1,
    topics: [{ name: topic, partitions }],
    timeoutMs: 1000,
  })
  return answer['topics'][0].partitions[0]
}
