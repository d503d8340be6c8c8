/**
 * Creates and deletes topics on this broker: the registry first, durably, then the logs. A topic that is created is
 * answered when all its partitions serve; one that is deleted is gone at once and its files later. What a crash
 * leaves half done is finished at the next start. Neighbours: new-topic.ts judges what may be created,
 * replica-manager.ts opens and removes logs, deleted-partitions.ts unlinks.
 */
import { type Uuid, randomUuid, uuidToBytes } from '../base/uuid.js'
import { messageOf } from '../base/errors.js'
import type { PartitionSpec } from '../binding/native-addon.js'
import type { BrokerConfig } from '../config/broker-config.js'
import { describeTopicConfig } from '../config/describe-configs.js'
import type { TopicConfig, TopicConfigs } from '../config/topic-config.js'
import { ErrorCode } from '../protocol/error-codes.js'
import { logSettingsOf } from './log-settings.js'
import {
  type CreatedTopic,
  type NewTopic,
  type TopicProblem,
  isTopicProblem,
  problem,
  replicasOf,
} from './new-topic.js'
import type { ReplicaManager } from './replica-manager.js'
import { CLUSTER_METADATA_TOPIC, collisionKey, topicNameProblem } from './topic-name.js'

/** A topic as the registry keeps it. */
export interface RegisteredTopic {
  readonly name: string
  readonly topicId: Uuid
  /** Replicas of each partition, by index. */
  readonly replicas: readonly (readonly number[])[]
  readonly config: TopicConfig
}

/** What the lifecycle needs of the topic registry. Changes are durable when they resolve. */
export interface TopicRegistryPort {
  topic(name: string): RegisteredTopic | undefined
  topicNames(): readonly string[]
  create(topic: {
    readonly name: string
    readonly topicId: Uuid
    readonly replicas: readonly (readonly number[])[]
    readonly configs: ReadonlyMap<string, string>
  }): Promise<RegisteredTopic>
  /** The topic no longer exists for clients, but its logs are still to be removed. */
  markDeleted(name: string): Promise<void>
  /** Its logs are gone from service: forget it. */
  finishDeletion(name: string): Promise<void>
}

/** Where logs are put, and how they leave. */
export interface LogPlacement {
  /** The log dir for a new partition. Throws if none is online. */
  nextLogDir(): string
  /** Renames the folder of a removed partition and unlinks it after the delay. */
  discard(topic: string, partition: number, delayMs: number): Promise<void>
}

export interface TopicLifecycleParts {
  readonly nodeId: number
  readonly broker: BrokerConfig
  readonly topicConfigs: TopicConfigs
  readonly registry: TopicRegistryPort
  readonly replicas: ReplicaManager
  readonly placement: LogPlacement
}

const FIRST_LEADER_EPOCH = 0

export class TopicLifecycle {
  readonly #parts: TopicLifecycleParts
  /** Creations and deletions in work, by name: one at a time for each topic. */
  readonly #pending = new Map<string, Promise<unknown>>()

  constructor(parts: TopicLifecycleParts) {
    this.#parts = parts
  }

  /** Whether the topic could be created now; changes nothing. */
  validate(topic: NewTopic): CreatedTopic | TopicProblem {
    const checked = this.#check(topic)
    return isTopicProblem(checked) ? checked : this.#created(randomUuid(), checked)
  }

  /** Creates the topic; resolves when each of its partitions serves, or with the refusal. */
  create(topic: NewTopic): Promise<CreatedTopic | TopicProblem> {
    return this.#inTurn(topic.name, () => this.#create(topic))
  }

  /** Deletes the topic; resolves when it is out of service. Null: done. */
  delete(name: string): Promise<TopicProblem | null> {
    return this.#inTurn(name, () => this.#delete(name))
  }

  /** Settles when nothing is being created or deleted. */
  async whenIdle(): Promise<void> {
    while (this.#pending.size > 0) await Promise.allSettled(this.#pending.values())
  }

  async #create(topic: NewTopic): Promise<CreatedTopic | TopicProblem> {
    const checked = this.#check(topic)
    if (isTopicProblem(checked)) return checked
    const registered = await this.#parts.registry.create({
      name: topic.name,
      topicId: randomUuid(),
      replicas: checked.replicas,
      configs: checked.configs,
    })
    try {
      const failures = await this.#parts.replicas.open(this.#specsOf(registered))
      const failure = failures[0]
      if (failure === undefined) return this.#created(registered.topicId, checked)
      return await this.#undo(topic.name, failure.message)
    } catch (error) {
      return this.#undo(topic.name, messageOf(error))
    }
  }

  async #undo(name: string, why: string): Promise<TopicProblem> {
    await this.#delete(name)
    return problem(ErrorCode.KAFKA_STORAGE_ERROR, `The logs of the topic cannot be made: ${why}`)
  }

  async #delete(name: string): Promise<TopicProblem | null> {
    const { registry } = this.#parts
    const topic = registry.topic(name)
    if (topic === undefined) {
      return problem(
        ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
        'This server does not host this topic-partition.',
      )
    }
    await registry.markDeleted(name)
    await this.removeLogs(topic)
    await registry.finishDeletion(name)
    return null
  }

  /** Takes the logs of a deleted topic out of service and discards their folders; also done at start. */
  async removeLogs(topic: RegisteredTopic): Promise<void> {
    const { replicas, placement } = this.#parts
    const delayMs = Number(topic.config.get('file.delete.delay.ms'))
    for (const partition of topic.replicas.keys()) {
      await replicas.remove(topic.name, partition)
      await placement.discard(topic.name, partition, delayMs)
    }
  }

  #specsOf(topic: RegisteredTopic): PartitionSpec[] {
    const settings = logSettingsOf(topic.config, this.#parts.broker)
    const topicId = uuidToBytes(topic.topicId)
    return topic.replicas.map((_, partition) => ({
      topic: topic.name,
      topicId,
      partition,
      logDir: this.#parts.placement.nextLogDir(),
      leaderEpoch: FIRST_LEADER_EPOCH,
      cleanShutdown: true,
      recoveryPoint: 0n,
      logStartOffset: 0n,
      settings,
    }))
  }

  #check(topic: NewTopic): CheckedTopic | TopicProblem {
    const { broker, nodeId, topicConfigs } = this.#parts
    const refusal = this.#nameProblem(topic.name)
    if (refusal !== null) return refusal
    const replicas = replicasOf(topic, {
      numPartitions: broker.get('num.partitions'),
      replicationFactor: broker.get('default.replication.factor'),
      brokerIds: [nodeId],
    })
    if (isTopicProblem(replicas)) return replicas
    const entries = topic.configs.map(({ name, value }) => [name, value] as const)
    const violation = topicConfigs.violation(entries)
    if (violation !== undefined) return problem(ErrorCode.INVALID_CONFIG, violation)
    const configs = new Map(entries.map(([name, value]) => [name, value ?? '']))
    return { replicas, configs }
  }

  #nameProblem(name: string): TopicProblem | null {
    if (name === CLUSTER_METADATA_TOPIC) {
      return problem(
        ErrorCode.INVALID_REQUEST,
        `Creation of internal topic ${CLUSTER_METADATA_TOPIC} is prohibited.`,
      )
    }
    const invalid = topicNameProblem(name)
    if (invalid !== null) return problem(ErrorCode.INVALID_TOPIC_EXCEPTION, invalid)
    const { registry } = this.#parts
    if (registry.topic(name) !== undefined) {
      return problem(ErrorCode.TOPIC_ALREADY_EXISTS, `Topic '${name}' already exists.`)
    }
    if (!/[._]/.test(name)) return null
    const key = collisionKey(name)
    const other = registry.topicNames().find(existing => collisionKey(existing) === key)
    if (other === undefined) return null
    return problem(
      ErrorCode.INVALID_TOPIC_EXCEPTION,
      `Topic '${name}' collides with existing topic: ${other}`,
    )
  }

  #created(topicId: Uuid, { replicas, configs }: CheckedTopic): CreatedTopic {
    const config = this.#parts.topicConfigs.of(configs)
    return {
      topicId,
      numPartitions: replicas.length,
      replicationFactor: replicas[0]?.length ?? 0,
      configs: describeTopicConfig(config, this.#parts.broker),
    }
  }

  #inTurn<T>(name: string, work: () => Promise<T>): Promise<T> {
    // Names that differ in `.` and `_` only must not be created side by side.
    const key = collisionKey(name)
    const earlier = this.#pending.get(key) ?? Promise.resolve()
    const mine = earlier.then(work, work)
    this.#pending.set(key, mine)
    const forget = () => {
      if (this.#pending.get(key) === mine) this.#pending.delete(key)
    }
    mine.then(forget, forget)
    return mine
  }
}

interface CheckedTopic {
  readonly replicas: readonly (readonly number[])[]
  readonly configs: ReadonlyMap<string, string>
}
