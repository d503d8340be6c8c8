/**
 * All topics of the cluster: durable in the metadata store, and in memory for answers without
 * waiting. What a promise of this class resolves with has been synced. Single-threaded; snapshots
 * never change.
 */
import { BrokerError } from '../base/errors.js'
import { randomUuid, type Uuid } from '../base/uuid.js'
import {
  ANY_VERSION,
  ensurePaths,
  isStoreError,
  type MetadataStore,
  type StoreOperation,
} from './metadata-store.js'
import { loadTopics, raiseControllerEpoch, raiseLeaderEpochs } from './topic-loader.js'
import { collisionKeyOf, isInternalTopic, topicNameViolation } from './topic-name.js'
import {
  DELETE_TOPICS_PATH,
  deleteTopicPath,
  encodeConfig,
  encodePartitionState,
  encodeTopicNode,
  partitionPath,
  partitionsPath,
  partitionStatePath,
  TOPIC_CONFIGS_PATH,
  topicConfigPath,
  topicPath,
  TOPICS_PATH,
} from './topic-nodes.js'
import type { NewTopic, PartitionState, Topic } from './topic.js'

/** The reasons why a topic cannot be created; handlers map them to Kafka's error codes. */
export type TopicErrorCode = 'ERR_TOPIC_EXISTS' | 'ERR_TOPIC_NAME' | 'ERR_TOPIC_UNKNOWN'

export class TopicRegistry {
  readonly controllerEpoch: number
  readonly #store: MetadataStore
  readonly #byName = new Map<string, Topic>()
  readonly #byId = new Map<Uuid, Topic>()
  readonly #deleting = new Map<string, Topic>()
  /** The names in use by `collisionKeyOf`, those being created and deleted included. */
  readonly #taken = new Map<string, string>()

  private constructor(store: MetadataStore, controllerEpoch: number) {
    this.#store = store
    this.controllerEpoch = controllerEpoch
  }

  /** Loads all topics; every partition that `brokerId` leads gets a new leader epoch, durably. */
  static async open(store: MetadataStore, brokerId: number): Promise<TopicRegistry> {
    await ensurePaths(store, TOPICS_PATH, TOPIC_CONFIGS_PATH, DELETE_TOPICS_PATH)
    const controllerEpoch = await raiseControllerEpoch(store)
    const registry = new TopicRegistry(store, controllerEpoch)
    const marked = new Set(await store.children(DELETE_TOPICS_PATH))
    const stored = await loadTopics(store)
    const live = stored.filter(({ name }) => !marked.has(name))
    for (const topic of await raiseLeaderEpochs(store, live, { brokerId, controllerEpoch })) {
      registry.#put(topic)
    }
    for (const topic of stored.filter(({ name }) => marked.has(name))) {
      registry.#deleting.set(topic.name, topic)
      registry.#taken.set(collisionKeyOf(topic.name), topic.name)
      marked.delete(topic.name)
    }
    // A mark without a topic is a deletion that was asked for by hand, or of nothing.
    for (const name of marked) await store.delete(deleteTopicPath(name), ANY_VERSION)
    return registry
  }

  /** Undefined for topics that are unknown, or being deleted. */
  getByName(name: string): Topic | undefined {
    return this.#byName.get(name)
  }

  getById(id: Uuid): Topic | undefined {
    return this.#byId.get(id)
  }

  /** The number of topics that are not being deleted. */
  get size(): number {
    return this.#byName.size
  }

  /** All topics that are not being deleted. */
  list(): IterableIterator<Topic> {
    return this.#byName.values()
  }

  /** Topics whose files must go before `finishDeletion`; after a start, those left over. */
  pendingDeletions(): Topic[] {
    return [...this.#deleting.values()]
  }

  /** Why no topic of this name can be created now; undefined if one can. */
  creationProblem(name: string): BrokerError | undefined {
    const violation = topicNameViolation(name)
    if (violation !== undefined) return new BrokerError('ERR_TOPIC_NAME', violation)
    const other = this.#taken.get(collisionKeyOf(name))
    if (other === undefined) return undefined
    if (other === name) {
      const marked = this.#deleting.has(name) ? ' and is marked for deletion' : ''
      return new BrokerError('ERR_TOPIC_EXISTS', `Topic '${name}' already exists${marked}.`)
    }
    return new BrokerError(
      'ERR_TOPIC_NAME',
      `Topic '${name}' collides with existing topic: ${other}`,
    )
  }

  /**
   * Creates a topic. Topics that are created in one turn of the event loop share one sync. Rejects
   * ERR_TOPIC_NAME, ERR_TOPIC_EXISTS.
   */
  async createTopic(request: NewTopic): Promise<Topic> {
    const problem = this.creationProblem(request.name)
    if (problem !== undefined) throw problem
    const key = collisionKeyOf(request.name)
    this.#taken.set(key, request.name)
    const topic = this.#newTopic(request)
    try {
      await this.#store.multi(this.#creation(topic))
    } catch (error) {
      this.#taken.delete(key)
      if (!isStoreError(error, 'ERR_NODE_EXISTS')) throw error
      throw new BrokerError('ERR_TOPIC_EXISTS', `Topic '${topic.name}' already exists.`, {
        cause: error,
      })
    }
    this.#put(topic)
    return topic
  }

  /** Replaces the topic's own settings, which the caller has checked. Rejects ERR_TOPIC_UNKNOWN. */
  async setConfigs(name: string, configs: ReadonlyMap<string, string>): Promise<Topic> {
    this.#known(name)
    await this.#store.set(topicConfigPath(name), encodeConfig(configs), ANY_VERSION)
    const changed = { ...this.#known(name), configs: new Map(configs) }
    this.#put(changed)
    return changed
  }

  /**
   * Gives a topic more partitions, with these replicas behind the ones it has; the first of each leads. Rejects
   * ERR_TOPIC_UNKNOWN. The caller sees to it that one change of a topic is made at a time.
   */
  async addPartitions(name: string, assignments: readonly (readonly number[])[]): Promise<Topic> {
    const { topicId, partitions } = this.#known(name)
    const added = assignments.map((replicas, i) => newPartition(partitions.length + i, replicas))
    const all = [...partitions, ...added]
    const node = encodeTopicNode({ topicId, assignments: all.map(({ replicas }) => replicas) })
    await this.#store.multi([
      { type: 'set', path: topicPath(name), data: node, version: ANY_VERSION },
      ...this.#partitionNodes(name, added),
    ])
    const grown = { ...this.#known(name), partitions: all }
    this.#put(grown)
    return grown
  }

  /**
   * Marks the topic: from now on it is gone for clients, and stays so over a crash. Its files are
   * deleted next, then `finishDeletion` forgets it. Rejects ERR_TOPIC_UNKNOWN.
   */
  async markForDeletion(name: string): Promise<Topic> {
    this.#known(name)
    await this.#store.create(deleteTopicPath(name), null).catch((error: unknown) => {
      if (!isStoreError(error, 'ERR_NODE_EXISTS')) throw error
    })
    const topic = this.#byName.get(name) ?? this.#deleting.get(name)
    if (topic === undefined) throw unknownTopic(name)
    this.#byName.delete(name)
    this.#byId.delete(topic.topicId)
    this.#deleting.set(name, topic)
    return topic
  }

  /**
   * Forgets a marked topic whose files are gone; its name is free again. Harmless for other names.
   */
  async finishDeletion(name: string): Promise<void> {
    const topic = this.#deleting.get(name)
    if (topic === undefined) return
    await this.#store.multi(removal(topic))
    this.#deleting.delete(name)
    this.#taken.delete(collisionKeyOf(name))
  }

  #known(name: string): Topic {
    const topic = this.#byName.get(name)
    if (topic === undefined) throw unknownTopic(name)
    return topic
  }

  #put(topic: Topic): void {
    this.#byName.set(topic.name, topic)
    this.#byId.set(topic.topicId, topic)
    this.#taken.set(collisionKeyOf(topic.name), topic.name)
  }

  #newTopic({ name, topicId, assignments, configs }: NewTopic): Topic {
    return {
      name,
      topicId: topicId ?? randomUuid(),
      isInternal: isInternalTopic(name),
      partitions: assignments.map((replicas, partition) => newPartition(partition, replicas)),
      configs: new Map(configs ?? []),
    }
  }

  /** In the order in which Kafka's brokers and controller write them, but as one. */
  #creation(topic: Topic): StoreOperation[] {
    const { name, topicId, configs, partitions } = topic
    const assignments = partitions.map(({ replicas }) => replicas)
    return [
      create(topicConfigPath(name), encodeConfig(configs)),
      create(topicPath(name), encodeTopicNode({ topicId, assignments })),
      create(partitionsPath(name), null),
      ...this.#partitionNodes(name, partitions),
    ]
  }

  #partitionNodes(name: string, partitions: readonly PartitionState[]): StoreOperation[] {
    return partitions.flatMap(state => [
      create(partitionPath(name, state.partition), null),
      create(
        partitionStatePath(name, state.partition),
        encodePartitionState({ ...state, controllerEpoch: this.controllerEpoch }),
      ),
    ])
  }
}

function newPartition(partition: number, replicas: readonly number[]): PartitionState {
  const leader = replicas[0] ?? -1
  return { partition, replicas, leader, leaderEpoch: 0, isr: replicas, partitionEpoch: 0 }
}

function removal({ name, partitions }: Topic): StoreOperation[] {
  return [
    ...partitions.flatMap(({ partition }) => [
      remove(partitionStatePath(name, partition)),
      remove(partitionPath(name, partition)),
    ]),
    remove(partitionsPath(name)),
    remove(topicPath(name)),
    remove(topicConfigPath(name)),
    remove(deleteTopicPath(name)),
  ]
}

function create(path: string, data: Buffer | null): StoreOperation {
  return { type: 'create', path, data }
}

function remove(path: string): StoreOperation {
  return { type: 'delete', path, version: ANY_VERSION }
}

function unknownTopic(name: string): BrokerError {
  return new BrokerError('ERR_TOPIC_UNKNOWN', `There is no topic '${name}'.`)
}
