/** Fetches what --describe shows: DescribeTopicPartitions page by page, or Metadata from brokers without it. */
import { BrokerError } from '../../base/errors.js'
import type { AdminClient } from '../../client/admin-client.js'
import { ErrorCode, errorMessage } from '../../protocol/error-codes.js'
import {
  DescribeConfigsRequest,
  DescribeConfigsResponse,
} from '../../protocol/messages/describe-configs.js'
import {
  DescribeTopicPartitionsRequest,
  DescribeTopicPartitionsResponse,
} from '../../protocol/messages/describe-topic-partitions.js'
import { MetadataRequest, MetadataResponse } from '../../protocol/messages/metadata.js'
import { UsageError } from '../failure.js'
import type { NamedTopic } from './topic-names.js'

export interface TopicDescription {
  readonly topic: string
  readonly topicId: string
  /** Settings that are not the default. */
  readonly configs: readonly { readonly name: string; readonly value: string | null }[]
  readonly partitions: readonly {
    readonly partition: number
    readonly leader: number | null
    readonly replicas: readonly number[]
    readonly isr: readonly number[]
    /** Null: the broker does not tell. */
    readonly elr: readonly number[] | null
    readonly lastKnownElr: readonly number[] | null
  }[]
}

type Partitions = Map<string, TopicDescription['partitions'][number][]>

const TOPIC_RESOURCE = 2
const DEFAULT_CONFIG = 5
const PARTITIONS_PER_RESPONSE = 2000

export async function describeAll(
  client: AdminClient,
  topics: readonly NamedTopic[],
  limit: string | undefined,
): Promise<TopicDescription[]> {
  const partitions = client.serves(DescribeTopicPartitionsRequest)
    ? await pages(client, topics, limitOf(limit))
    : await fromMetadata(client, topics)
  const configs = await overrides(client, topics)
  return topics.map(({ name, topicId }) => ({
    topic: name,
    topicId,
    configs: configs.get(name) ?? [],
    partitions: partitions.get(name) ?? [],
  }))
}

function limitOf(text: string | undefined): number {
  if (text === undefined) return PARTITIONS_PER_RESPONSE
  if (/^[0-9]{1,6}$/.test(text) && Number(text) > 0) return Number(text)
  throw new UsageError('--partition-size-limit-per-response must be a positive number.')
}

async function pages(
  client: AdminClient,
  topics: readonly NamedTopic[],
  responsePartitionLimit: number,
): Promise<Partitions> {
  const api = { request: DescribeTopicPartitionsRequest, response: DescribeTopicPartitionsResponse }
  const found: Partitions = new Map()
  let cursor: { topicName: string; partitionIndex: number } | null = null
  do {
    const from: string = cursor?.topicName ?? ''
    const wanted = topics.filter(({ name }) => name >= from).map(({ name }) => ({ name }))
    const page: DescribeTopicPartitionsResponse = await client.request(api, {
      topics: wanted,
      responsePartitionLimit,
      cursor,
    })
    for (const topic of page.topics) {
      requireNoError(topic.errorCode, topic.name ?? '')
      const rows = found.get(topic.name ?? '') ?? []
      found.set(topic.name ?? '', rows)
      for (const partition of topic.partitions) {
        rows.push({
          ...rowOf(partition),
          elr: partition.eligibleLeaderReplicas ?? [],
          lastKnownElr: partition.lastKnownElr ?? [],
        })
      }
    }
    cursor = page.nextCursor
  } while (cursor !== null)
  return found
}

async function fromMetadata(
  client: AdminClient,
  topics: readonly NamedTopic[],
): Promise<Partitions> {
  const api = { request: MetadataRequest, response: MetadataResponse }
  const wanted = topics.map(({ name }) => ({ name }))
  const answer = await client.request(api, { topics: wanted, allowAutoTopicCreation: false })
  const found: Partitions = new Map()
  for (const topic of answer.topics) {
    requireNoError(topic.errorCode, topic.name ?? '')
    const rows = topic.partitions.map(partition => ({
      ...rowOf(partition),
      elr: null,
      lastKnownElr: null,
    }))
    found.set(
      topic.name ?? '',
      rows.sort((left, right) => left.partition - right.partition),
    )
  }
  return found
}

function rowOf(partition: {
  partitionIndex: number
  leaderId: number
  replicaNodes: readonly number[]
  isrNodes: readonly number[]
}) {
  return {
    partition: partition.partitionIndex,
    leader: partition.leaderId < 0 ? null : partition.leaderId,
    replicas: partition.replicaNodes,
    isr: partition.isrNodes,
  }
}

async function overrides(client: AdminClient, topics: readonly NamedTopic[]) {
  const api = { request: DescribeConfigsRequest, response: DescribeConfigsResponse }
  const resources = topics.map(({ name }) => ({
    resourceType: TOPIC_RESOURCE,
    resourceName: name,
    configurationKeys: null,
  }))
  const { results } = await client.request(api, { resources })
  return new Map(
    results.map(({ resourceName, configs }) => [
      resourceName,
      configs
        .filter(({ configSource }) => configSource !== DEFAULT_CONFIG)
        .map(({ name, value }) => ({ name, value })),
    ]),
  )
}

function requireNoError(code: number, topic: string): void {
  if (code === ErrorCode.NONE) return
  throw new BrokerError(
    'ERR_TOPIC_DESCRIBE',
    `Error while executing topic command : ${topic}: ${errorMessage(code)}`,
  )
}
