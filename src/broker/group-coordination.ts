/**
 * Puts the group coordinator together: its runtime over __consumer_offsets, the topic's creation at first need, the
 * loading of what there is, and housekeeping. Answers to waiting members go out before the broker drains.
 */
import type { Clock } from '../base/clock.js'
import { messageOf } from '../base/errors.js'
import { randomUuid } from '../base/uuid.js'
import type { DataPlaneHandle, NativeAddon } from '../binding/native-addon.js'
import type { BrokerConfig } from '../config/broker-config.js'
import type { GroupOverrides } from '../config/group-config.js'
import { ConsumerSide } from '../coordinator/group/consumer/consumer-side.js'
import type { TopicImage, TopicsImage } from '../coordinator/group/group-context.js'
import { GroupCoordinator, type GroupRuntime } from '../coordinator/group/group-coordinator.js'
import { GroupShard } from '../coordinator/group/group-shard.js'
import { groupRecordSerde } from '../coordinator/group/records/group-record.js'
import { CoordinatorRuntime } from '../coordinator/runtime/coordinator-runtime.js'
import { systemScheduler } from '../coordinator/runtime/timers.js'
import type { GroupServices } from '../handlers/group-services.js'
import type { TopicRegistry } from '../metadata/topic-registry.js'
import type { Topic } from '../metadata/topic.js'
import type { Logger } from '../observability/logger.js'
import { CoordinatorLog } from '../replication/coordinator-log.js'
import { isTopicProblem } from '../replication/new-topic.js'
import type { ReplicaManager } from '../replication/replica-manager.js'
import type { TopicChange, TopicLifecycle } from '../replication/topic-lifecycle.js'
import { ErrorCode } from '../protocol/error-codes.js'

const OFFSETS_TOPIC = '__consumer_offsets'

export interface GroupCoordinationParts {
  readonly addon: NativeAddon
  readonly dataPlane: DataPlaneHandle
  readonly config: BrokerConfig
  readonly registry: TopicRegistry
  readonly replicas: ReplicaManager
  readonly lifecycle: TopicLifecycle
  readonly clock: Clock
  readonly log: Logger
  groupOverrides(groupId: string): GroupOverrides
}

export class GroupCoordination implements GroupServices {
  readonly coordinator: GroupCoordinator
  readonly #parts: GroupCoordinationParts
  readonly #log: CoordinatorLog
  readonly #runtime: GroupRuntime
  readonly #topics: RegistryTopics
  #creation: Promise<boolean> | undefined
  #housekeeping: NodeJS.Timeout | undefined

  constructor(parts: GroupCoordinationParts) {
    const { addon, clock, config, dataPlane, log, registry } = parts
    this.#parts = parts
    this.#log = new CoordinatorLog(addon, dataPlane, OFFSETS_TOPIC)
    this.#topics = new RegistryTopics(registry, config.rack)
    this.#runtime = new CoordinatorRuntime({
      log: this.#log,
      serde: groupRecordSerde,
      clock,
      scheduler: systemScheduler,
      loadBufferBytes: config.get('offsets.load.buffer.size'),
      createState: timers =>
        new GroupShard(
          {
            clock,
            timers,
            topics: this.#topics,
            config,
            newUuid: randomUuid,
            groupOverrides: groupId => parts.groupOverrides(groupId),
            trace: message => log.debug(message),
          },
          shard => new ConsumerSide(shard),
        ),
      pause: () => new Promise(resolve => setImmediate(resolve)),
      onProblem: message => log.error(message),
    })
    this.coordinator = new GroupCoordinator({
      runtime: this.#runtime,
      partitionCount: () =>
        registry.getByName(OFFSETS_TOPIC)?.partitions.length ??
        config.get('offsets.topic.num.partitions'),
      sessionLimits: () => ({
        minMs: config.get('group.min.session.timeout.ms'),
        maxMs: config.get('group.max.session.timeout.ms'),
      }),
    })
  }

  /** Loads what there is in the background, and begins to look for expired offsets. */
  start(): void {
    const { config, registry } = this.#parts
    this.#open(registry.getByName(OFFSETS_TOPIC))
    const intervalMs = Number(config.get('offsets.retention.check.interval.ms'))
    this.#housekeeping = setInterval(
      () => void this.coordinator.expireOffsets(),
      Math.min(intervalMs, 2 ** 31 - 1),
    )
    this.#housekeeping.unref()
  }

  /** Answers everybody who waits; later requests are told to look for another coordinator. */
  stop(): void {
    clearInterval(this.#housekeeping)
    this.#runtime.closeAll()
  }

  /** The data plane's word of what was synced. */
  onFlushed(topic: string, partition: number, flushedOffset: bigint, ok: boolean): void {
    if (topic === OFFSETS_TOPIC) this.#log.onFlushed(partition, flushedOffset, ok)
  }

  onTopicChanged(topic: Topic, change: TopicChange): void {
    this.#topics.version++
    if (topic.name === OFFSETS_TOPIC) {
      if (change === 'deleted') this.#close()
      else this.#open(topic)
      return
    }
    const names = new Set([topic.name])
    if (change === 'deleted') void this.coordinator.topicsDeleted(names)
    void this.coordinator.topicsChanged(names)
  }

  ensureOffsetsTopic(): Promise<boolean> {
    if (this.#runtime.partitions().length > 0) return Promise.resolve(true)
    this.#creation ??= this.#create().finally(() => (this.#creation = undefined))
    return this.#creation
  }

  async #create(): Promise<boolean> {
    const { config, lifecycle, log } = this.#parts
    const created = await lifecycle.create({
      name: OFFSETS_TOPIC,
      numPartitions: config.get('offsets.topic.num.partitions'),
      // As many as there can be on a single broker, whatever offsets.topic.replication.factor says.
      replicationFactor: 1,
      assignments: [],
      configs: [
        { name: 'cleanup.policy', value: 'compact' },
        { name: 'compression.type', value: 'producer' },
        { name: 'segment.bytes', value: String(config.get('offsets.topic.segment.bytes')) },
      ],
    })
    if (isTopicProblem(created) && created.errorCode !== ErrorCode.TOPIC_ALREADY_EXISTS) {
      log.warn(`${OFFSETS_TOPIC} could not be made: ${created.errorMessage ?? ''}`)
      return false
    }
    await this.#runtime.whenLoaded()
    return true
  }

  #open(topic: Topic | undefined): void {
    for (const { partition } of topic?.partitions ?? []) {
      if (!this.#parts.replicas.isServed(OFFSETS_TOPIC, partition)) continue
      this.#runtime.open(partition).catch((error: unknown) => {
        this.#parts.log.error(`${OFFSETS_TOPIC}-${partition}: ${messageOf(error)}`)
      })
    }
  }

  #close(): void {
    for (const partition of this.#runtime.partitions()) {
      this.#runtime.close(partition)
      this.#log.forget(partition)
    }
  }
}

/** The topics of the registry as groups see them. */
class RegistryTopics implements TopicsImage {
  version = 0
  readonly #registry: TopicRegistry
  readonly #racks: readonly string[]

  constructor(registry: TopicRegistry, rack: string | null) {
    this.#registry = registry
    this.#racks = rack === null ? [] : [rack]
  }

  topic(name: string): TopicImage | undefined {
    return this.#imageOf(this.#registry.getByName(name))
  }

  topicById(topicId: Topic['topicId']): TopicImage | undefined {
    return this.#imageOf(this.#registry.getById(topicId))
  }

  *names(): Generator<string> {
    for (const { name } of this.#registry.list()) yield name
  }

  #imageOf(topic: Topic | undefined): TopicImage | undefined {
    if (topic === undefined) return undefined
    const { name, topicId, partitions } = topic
    return { name, topicId, numPartitions: partitions.length, racks: () => this.#racks }
  }
}
