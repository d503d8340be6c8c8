/**
 * Creates and deletes topics on this broker: the registry first, durably, then the logs. A topic that is created is
 * answered when all its partitions serve; one that is deleted is gone at once and its files later. What a crash
 * leaves half done is finished at the next start. Neighbours: new-topic.ts judges what may be created,
 * replica-manager.ts opens and removes logs, deleted-folders.ts unlinks.
 */
import { type Uuid, randomUuid, uuidToBytes } from '../base/uuid.js'
import { messageOf } from '../base/errors.js'
import type { PartitionSpec } from '../binding/native-addon.js'
import type { BrokerConfig } from '../config/broker-config.js'
import { describeTopicConfig } from '../config/describe-configs.js'
import type { TopicConfigs } from '../config/topic-config.js'
import { collisionKeyOf } from '../metadata/topic-name.js'
import type { TopicErrorCode, TopicRegistry } from '../metadata/topic-registry.js'
import type { Topic } from '../metadata/topic.js'
import { ErrorCode } from '../protocol/error-codes.js'
import { logSettingsOf } from './log-settings.js'
import {
  type CreatedTopic,
  type NewPartitions,
  type NewTopic,
  type TopicProblem,
  addedReplicas,
  isTopicProblem,
  problem,
  replicasOf,
} from './new-topic.js'
import type { FailedPartition, ReplicaManager } from './replica-manager.js'

/** Where logs are put, and how they leave. */
export interface LogPlacement {
  /** True while every log dir is cordoned: this broker is given no new partitions but by a manual assignment. */
  readonly isCordoned: boolean
  /** Makes the folder of a new partition; resolves to its log dir. Rejects if no log dir is online. */
  prepare(topic: Topic, partition: number): Promise<string>
  /** Renames the folder of a removed partition and unlinks it after the delay. */
  discard(topic: string, partition: number, delayMs: number): Promise<void>
}

/** The files of offsets that a start goes by. */
export interface OffsetCheckpoints {
  /** Takes a topic out of them, durably. */
  forget(topic: string): Promise<void>
}

export interface TopicLifecycleParts {
  readonly nodeId: number
  readonly broker: BrokerConfig
  readonly topicConfigs: TopicConfigs
  readonly registry: TopicRegistry
  readonly replicas: ReplicaManager
  readonly placement: LogPlacement
  readonly checkpoints: OffsetCheckpoints
  /** Told once a change serves, or once a topic is out of service. */
  onChanged?(topic: Topic, change: TopicChange): void
}

export type TopicChange = 'created' | 'grown' | 'deleted'

/** KRaft's own log, which no client may create. */
const CLUSTER_METADATA_TOPIC = '__cluster_metadata'

export class TopicLifecycle {
  readonly #parts: TopicLifecycleParts
  /** Creations and deletions in work, by name: one at a time for each topic. */
  readonly #pending = new Map<string, Promise<unknown>>()
  /** Topics whose creation failed and could not be undone either, as on a full disk. */
  readonly #unmade = new Set<Uuid>()

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

  /** Gives the topic more partitions; resolves when each of them serves. Null: done, or possible with validateOnly. */
  addPartitions(wanted: NewPartitions, validateOnly: boolean): Promise<TopicProblem | null> {
    return this.#inTurn(wanted.name, () => this.#addPartitions(wanted, validateOnly))
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
    await this.#finishLeftover(topic.name)
    const checked = this.#check(topic)
    if (isTopicProblem(checked)) return checked
    const registered = await this.#parts.registry.createTopic({
      name: topic.name,
      assignments: checked.replicas,
      configs: checked.configs,
    })
    try {
      const failures = await this.#open(registered)
      const failure = failures[0]
      if (failure === undefined) {
        this.#parts.onChanged?.(registered, 'created')
        return this.#created(registered.topicId, checked)
      }
      return await this.#undo(registered, failure.message)
    } catch (error) {
      return this.#undo(registered, messageOf(error))
    }
  }

  /** What an earlier creation or deletion of the name had to leave behind because the store could not be written. */
  async #finishLeftover(name: string): Promise<void> {
    const { registry } = this.#parts
    const topic = registry.getByName(name)
    if (topic !== undefined && this.#unmade.has(topic.topicId)) {
      await this.#delete(name)
      this.#unmade.delete(topic.topicId)
    }
    const marked = registry.pendingDeletions().find(each => each.name === name)
    if (marked !== undefined) await this.finishDeletion(marked)
  }

  async #undo({ name, topicId }: Topic, why: string): Promise<TopicProblem> {
    try {
      await this.#delete(name)
    } catch {
      this.#unmade.add(topicId) // The next creation of the name tries again.
    }
    return problem(ErrorCode.KAFKA_STORAGE_ERROR, `The logs of the topic cannot be made: ${why}`)
  }

  async #addPartitions(wanted: NewPartitions, validateOnly: boolean): Promise<TopicProblem | null> {
    const { registry } = this.#parts
    const topic = registry.getByName(wanted.name)
    if (topic === undefined) return { ...unknownTopic(), errorMessage: null }
    const existing = topic.partitions.map(({ replicas }) => replicas)
    const replicas = addedReplicas(wanted, existing, this.#brokersFor(wanted.assignments !== null))
    if (isTopicProblem(replicas)) return replicas
    if (validateOnly) return null
    const grown = await registry.addPartitions(wanted.name, replicas)
    const partitions = grown.partitions.slice(existing.length)
    const [failure] = await this.#open({ ...grown, partitions })
    this.#parts.onChanged?.(grown, 'grown')
    if (failure === undefined) return null
    return problem(
      ErrorCode.KAFKA_STORAGE_ERROR,
      `The log of partition ${failure.partition} cannot be made: ${failure.message}. ` +
        'The broker tries again when it starts next.',
    )
  }

  async #delete(name: string): Promise<TopicProblem | null> {
    const { registry } = this.#parts
    if (registry.getByName(name) === undefined) return unknownTopic()
    await this.finishDeletion(await registry.markForDeletion(name))
    return null
  }

  /** Removes the logs of a topic that is marked for deletion, and forgets it; also done at start. */
  async finishDeletion(topic: Topic): Promise<void> {
    const { registry, replicas, placement, topicConfigs } = this.#parts
    const delayMs = Number(topicConfigs.of(topic.configs).get('file.delete.delay.ms'))
    for (const { partition } of topic.partitions) {
      await replicas.remove(topic.name, partition)
      await placement.discard(topic.name, partition, delayMs)
    }
    await this.#parts.checkpoints.forget(topic.name)
    await registry.finishDeletion(topic.name)
    this.#parts.onChanged?.(topic, 'deleted')
  }

  async #open(topic: Topic): Promise<FailedPartition[]> {
    const { broker, placement, replicas, topicConfigs } = this.#parts
    const settings = logSettingsOf(topicConfigs.of(topic.configs), broker)
    const topicId = uuidToBytes(topic.topicId)
    const specs: PartitionSpec[] = []
    for (const { partition, leaderEpoch } of topic.partitions) {
      const logDir = await placement.prepare(topic, partition)
      const start = { cleanShutdown: true, recoveryPoint: 0n, logStartOffset: 0n }
      specs.push({ topic: topic.name, topicId, partition, logDir, leaderEpoch, ...start, settings })
    }
    return replicas.open(specs)
  }

  #check(topic: NewTopic): CheckedTopic | TopicProblem {
    const { broker, topicConfigs } = this.#parts
    const refusal = this.#nameProblem(topic.name)
    if (refusal !== null) return refusal
    const entries = topic.configs.map(({ name, value }) => [name, value] as const)
    const violation = topicConfigs.violation(entries)
    if (violation !== undefined) return problem(ErrorCode.INVALID_CONFIG, violation)
    const replicas = replicasOf(topic, {
      numPartitions: broker.get('num.partitions'),
      replicationFactor: broker.get('default.replication.factor'),
      brokerIds: this.#brokersFor(topic.assignments.length > 0),
    })
    if (isTopicProblem(replicas)) return replicas
    const configs = new Map(entries.map(([name, value]) => [name, value ?? '']))
    return { replicas, configs }
  }

  /** The brokers that may be given partitions. */
  #brokersFor(isManual: boolean): readonly number[] {
    const { nodeId, placement } = this.#parts
    return placement.isCordoned && !isManual ? [] : [nodeId]
  }

  #nameProblem(name: string): TopicProblem | null {
    if (name === CLUSTER_METADATA_TOPIC) {
      return problem(
        ErrorCode.INVALID_REQUEST,
        `Creation of internal topic ${CLUSTER_METADATA_TOPIC} is prohibited.`,
      )
    }
    const refusal = this.#parts.registry.creationProblem(name)
    if (refusal === undefined) return null
    const exists = (refusal.code as TopicErrorCode) === 'ERR_TOPIC_EXISTS'
    const errorCode = exists ? ErrorCode.TOPIC_ALREADY_EXISTS : ErrorCode.INVALID_TOPIC_EXCEPTION
    return problem(errorCode, refusal.message)
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
    const key = collisionKeyOf(name)
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

function unknownTopic(): TopicProblem {
  return problem(
    ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
    'This server does not host this topic-partition.',
  )
}

interface CheckedTopic {
  readonly replicas: readonly (readonly number[])[]
  readonly configs: ReadonlyMap<string, string>
}
