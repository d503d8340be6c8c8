/** Topics and their partitions. */
import type { Uuid } from '../../base/uuid.js'
import { ErrorCode } from '../../protocol/error-codes.js'
import {
  CreatePartitionsRequest,
  CreatePartitionsResponse,
} from '../../protocol/messages/create-partitions.js'
import { CreateTopicsRequest, CreateTopicsResponse } from '../../protocol/messages/create-topics.js'
import { DeleteTopicsRequest, DeleteTopicsResponse } from '../../protocol/messages/delete-topics.js'
import { MetadataRequest, MetadataResponse } from '../../protocol/messages/metadata.js'
import type { CallOptions, Cluster } from '../cluster/cluster.js'
import type { PartitionMetadata } from '../cluster/metadata.js'
import { type KafkaError, brokerError, finalError, throwIfError } from '../errors.js'
import { perItem } from './per-item.js'

const METADATA = { request: MetadataRequest, response: MetadataResponse }
const CREATE = { request: CreateTopicsRequest, response: CreateTopicsResponse }
const DELETE = { request: DeleteTopicsRequest, response: DeleteTopicsResponse }
const GROW = { request: CreatePartitionsRequest, response: CreatePartitionsResponse }

/** A topic to create. */
export interface NewTopic {
  readonly name: string
  /** Default: the broker's `num.partitions`. */
  readonly numPartitions?: number
  /** Default: the broker's `default.replication.factor`. */
  readonly replicationFactor?: number
  /** Brokers of each partition instead of the two counts, the preferred leader first. */
  readonly replicasAssignments?: readonly (readonly number[])[]
  /** Settings by Kafka's names, such as `{ 'cleanup.policy': 'compact' }`. */
  readonly configs?: Readonly<Record<string, string>>
}

/** What was created. */
export interface CreatedTopic {
  readonly topicId: Uuid
  readonly numPartitions: number
  readonly replicationFactor: number
}

/** A topic as its brokers describe it. */
export interface TopicDescription {
  readonly name: string
  readonly topicId: Uuid
  readonly isInternal: boolean
  readonly partitions: readonly PartitionMetadata[]
}

export interface ChangeOptions extends CallOptions {
  /** Check only, change nothing. */
  readonly validateOnly?: boolean
}

/** See `Admin.topics`. */
export class TopicAdmin {
  readonly #cluster: Cluster

  /** @internal */
  constructor(cluster: Cluster) {
    this.#cluster = cluster
  }

  /**
   * The names of all topics, sorted.
   *
   * @example
   * const names = await admin.topics.list()
   */
  async list(options: CallOptions & { readonly internal?: boolean } = {}): Promise<string[]> {
    const { topics } = await this.#metadata(null, options)
    return topics
      .filter(({ isInternal }) => options.internal !== false || !isInternal)
      .map(({ name }) => name!)
      .sort()
  }

  /**
   * Partitions, leaders and replicas of the topics, by name. Rejects with UNKNOWN_TOPIC_OR_PARTITION for one that
   * is missing.
   *
   * @example
   * const { partitions } = (await admin.topics.describe(['orders'])).get('orders')!
   */
  async describe(
    names: readonly string[],
    options: CallOptions = {},
  ): Promise<Map<string, TopicDescription>> {
    const { topics } = await this.#metadata(names, options)
    return new Map(
      topics.map(topic => {
        const name = topic.name!
        throwIfError(topic.errorCode, `Topic "${name}"`)
        const { topicId, isInternal } = topic
        const partitions = topic.partitions
          .map(p => ({
            partition: p.partitionIndex,
            errorCode: p.errorCode,
            leader: p.leaderId,
            leaderEpoch: p.leaderEpoch,
            replicas: p.replicaNodes,
            isr: p.isrNodes,
            offlineReplicas: p.offlineReplicas,
          }))
          .sort((a, b) => a.partition - b.partition)
        return [name, { name, topicId, isInternal, partitions }]
      }),
    )
  }

  /**
   * Creates topics. Rejects with TOPIC_ALREADY_EXISTS, INVALID_TOPIC_EXCEPTION, INVALID_CONFIG and the like.
   *
   * @example
   * await admin.topics.create([{ name: 'orders', numPartitions: 12, replicationFactor: 3 }])
   */
  create(
    topics: readonly NewTopic[],
    options: ChangeOptions = {},
  ): Promise<Map<string, CreatedTopic>> {
    const timeoutMs = options.timeoutMs ?? this.#cluster.options.defaultApiTimeoutMs
    return perItem(
      this.#cluster,
      'Creating topics',
      topics,
      ({ name }) => name,
      async pending => {
        const answer = await this.#cluster.request(await this.#cluster.controller(), CREATE, {
          topics: pending.map(creatableTopic),
          timeoutMs,
          validateOnly: options.validateOnly === true,
        })
        return new Map(
          answer.topics.map(t => {
            const { name, topicId, numPartitions, replicationFactor } = t
            const created = { topicId, numPartitions, replicationFactor }
            return [name, failureOf(t, `Creating topic "${name}"`) ?? created]
          }),
        )
      },
      options,
    )
  }

  /**
   * Deletes topics with all their records.
   *
   * @example
   * await admin.topics.delete(['orders'])
   */
  async delete(names: readonly string[], options: CallOptions = {}): Promise<void> {
    const timeoutMs = options.timeoutMs ?? this.#cluster.options.defaultApiTimeoutMs
    await perItem(
      this.#cluster,
      'Deleting topics',
      names,
      name => name,
      async pending => {
        const answer = await this.#cluster.request(
          await this.#cluster.controller(),
          DELETE,
          version =>
            version >= 6
              ? { topics: pending.map(name => ({ name })), timeoutMs }
              : { topicNames: [...pending], timeoutMs },
        )
        return new Map(
          answer.responses.map(t => [
            t.name!,
            failureOf(finalIfUnknown(t), `Deleting topic "${t.name}"`) ?? undefined,
          ]),
        )
      },
      options,
    )
    for (const name of names) this.#cluster.unwatchTopic(name)
  }

  /**
   * Raises the number of partitions of topics to the counts given. Keys may go to other partitions afterwards.
   *
   * @example
   * await admin.topics.createPartitions({ orders: 24 })
   */
  async createPartitions(
    counts: Readonly<Record<string, number>>,
    options: ChangeOptions = {},
  ): Promise<void> {
    const timeoutMs = options.timeoutMs ?? this.#cluster.options.defaultApiTimeoutMs
    await perItem(
      this.#cluster,
      'Creating partitions',
      Object.entries(counts),
      ([name]) => name,
      async pending => {
        const answer = await this.#cluster.request(await this.#cluster.controller(), GROW, {
          topics: pending.map(([name, count]) => ({ name, count, assignments: null })),
          timeoutMs,
          validateOnly: options.validateOnly === true,
        })
        return new Map(
          answer.results.map(t => [
            t.name,
            failureOf(finalIfUnknown(t), `Creating partitions of topic "${t.name}"`) ?? undefined,
          ]),
        )
      },
      options,
    )
  }

  #metadata(names: readonly string[] | null, options: CallOptions): Promise<MetadataResponse> {
    return this.#cluster.retrying(
      'Describing topics',
      async () => {
        const connection = await this.#cluster.any()
        return connection.request(METADATA, version => ({
          topics: names === null ? null : names.map(name => ({ name })),
          ...(version >= 4 ? { allowAutoTopicCreation: false } : {}),
        }))
      },
      options,
    )
  }
}

function creatableTopic(topic: NewTopic) {
  const { name, numPartitions = -1, replicationFactor = -1, replicasAssignments } = topic
  return {
    name,
    numPartitions: replicasAssignments === undefined ? numPartitions : -1,
    replicationFactor: replicasAssignments === undefined ? replicationFactor : -1,
    assignments: (replicasAssignments ?? []).map((brokerIds, partitionIndex) => ({
      partitionIndex,
      brokerIds: [...brokerIds],
    })),
    configs: Object.entries(topic.configs ?? {}).map(([key, value]) => ({ name: key, value })),
  }
}

interface Answer {
  readonly errorCode: number
  readonly errorMessage: string | null
}

/** A missing topic may be on its way for producers; whoever deletes or grows it wants to know at once. */
function finalIfUnknown(answer: Answer): Answer & { readonly isFinal: boolean } {
  return { ...answer, isFinal: answer.errorCode === ErrorCode.UNKNOWN_TOPIC_OR_PARTITION }
}

function failureOf(
  { errorCode, errorMessage, isFinal = false }: Answer & { readonly isFinal?: boolean },
  subject: string,
): KafkaError | undefined {
  if (errorCode === ErrorCode.NONE) return undefined
  const error = brokerError(errorCode, subject, errorMessage)
  return isFinal ? finalError(error) : error
}
