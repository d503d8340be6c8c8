/**
 * The composition root: builds the parts of one broker, starts them in order and stops them in reverse. What
 * a step of the start acquires is released when a later step fails, so that a failed start leaves nothing
 * locked or listening. Several brokers may live in one process; they share nothing.
 */
import { type Clock, systemClock } from './base/clock.js'
import { BrokerError } from './base/errors.js'
import { loadAddon } from './binding/load.js'
import type { DataPlaneHandle, NativeAddon } from './binding/native-addon.js'
import { type ClientQuotaServices, openClientQuotas } from './broker/client-quotas.js'
import { liveConfigOf } from './broker/live-config.js'
import { GroupCoordination } from './broker/group-coordination.js'
import { logDirsViewOf } from './broker/log-dirs-view.js'
import type { BrokerConfig } from './config/broker-config.js'
import type { EndPoint } from './config/listeners.js'
import { TopicConfigs } from './config/topic-config.js'
import { singleBrokerView } from './handlers/cluster-view.js'
import { createHandlers } from './handlers/registry.js'
import { type BrokerServices, handlerSettingsOf } from './handlers/services.js'
import { topicsViewOf } from './handlers/topics-view.js'
import { ensureClusterId } from './metadata/cluster-id.js'
import { ConfigAdmin } from './metadata/config-admin.js'
import { EmbeddedStore } from './metadata/embedded-store.js'
import { EntityConfigs } from './metadata/entity-configs.js'
import { Features } from './metadata/features.js'
import { ProducerIdAllocator } from './metadata/producer-id-allocator.js'
import { TopicRegistry } from './metadata/topic-registry.js'
import { type LogLevel, type Logger, createLogger } from './observability/logger.js'
import { DeletedFolders } from './replication/deleted-folders.js'
import { LogDirs } from './replication/log-dirs.js'
import { LogRetention } from './replication/log-retention.js'
import { retentionSettingsOf } from './replication/log-settings.js'
import { OffsetCheckpointer } from './replication/offset-checkpointer.js'
import { openRegisteredPartitions } from './replication/partition-start.js'
import { ReplicaManager } from './replication/replica-manager.js'
import { TopicLifecycle } from './replication/topic-lifecycle.js'
import { controlPortOf } from './server/control-port.js'
import { dataPlaneOptionsOf } from './server/data-plane-options.js'
import { openListeners, withOpenedPorts } from './server/listeners.js'
import { RequestPipeline } from './server/request-pipeline.js'

export interface BrokerOptions {
  readonly log?: Logger
  readonly clock?: Clock
  /** The broker can serve nothing any more, since all its log dirs failed; the process should end, as Kafka's does. */
  readonly onFatal?: (error: BrokerError) => void
}

/** How long a stop waits for requests that are in work. */
const DRAIN_MS = 10_000

const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const

export class Broker {
  readonly config: BrokerConfig
  readonly clusterId: string
  /** Where clients reach it, by listener. */
  readonly endpoints: readonly EndPoint[]
  readonly #stop: () => Promise<void>
  #closing: Promise<void> | undefined

  private constructor(config: BrokerConfig, started: Started) {
    this.config = config
    this.clusterId = started.clusterId
    this.endpoints = started.endpoints
    this.#stop = started.stop
  }

  /** Resolves when the broker answers. Rejects with a BrokerError that says what is wrong and what to do. */
  static async start(config: BrokerConfig, options: BrokerOptions = {}): Promise<Broker> {
    const assembly = new Assembly(config, options)
    try {
      return new Broker(config, await assembly.start())
    } catch (error) {
      await assembly.release()
      throw error
    }
  }

  /**
   * Stops in order: no new requests, those in work answered, logs flushed and closed, checkpoints and the
   * clean-shutdown marker written. Rejects with the first failure after doing the rest. Idempotent.
   */
  close(): Promise<void> {
    this.#closing ??= this.#stop()
    return this.#closing
  }
}

interface Started {
  readonly clusterId: string
  readonly endpoints: readonly EndPoint[]
  stop(): Promise<void>
}

/** What a stop has to bring to rest before the logs are closed. */
interface Running {
  readonly dataPlane: DataPlaneHandle
  readonly groups: GroupCoordination
  readonly pipeline: RequestPipeline
  readonly lifecycle: TopicLifecycle
  readonly checkpointer: OffsetCheckpointer
  readonly retention: LogRetention
  readonly deletedFolders: DeletedFolders
  readonly logDirs: LogDirs
}

class Assembly {
  readonly #config: BrokerConfig
  readonly #log: Logger
  readonly #clock: Clock
  readonly #addon: NativeAddon
  readonly #onFatal: (error: BrokerError) => void
  /** How to give back what has been acquired, the latest first. */
  readonly #releases: (() => Promise<void> | void)[] = []
  #pipeline: RequestPipeline | undefined
  #groups: GroupCoordination | undefined
  #replicas: ReplicaManager | undefined

  constructor(config: BrokerConfig, options: BrokerOptions) {
    this.#config = config
    this.#log = options.log ?? loggerOf(config)
    this.#clock = options.clock ?? systemClock
    this.#addon = loadAddon()
    this.#onFatal = options.onFatal ?? (() => undefined)
  }

  /** Gives back everything acquired so far: after a failed start, and as the end of a stop. */
  async release(): Promise<void> {
    for (const release of this.#releases.splice(0)) await release()
  }

  async start(): Promise<Started> {
    const config = this.#config
    const deletedFolders = this.#deletedFolders()
    const logDirs = LogDirs.open(config, this.#addon, deletedFolders)
    this.#releases.unshift(() => logDirs.unlock())
    for (const why of logDirs.unusable.values()) {
      this.#log.error(`${why} The broker starts without it, and its partitions are offline.`)
    }
    const store = await EmbeddedStore.open(config.metadataDir)
    this.#releases.unshift(() => store.close())
    const clusterId = await ensureClusterId(store, logDirs.clusterId)
    logDirs.claim(config.nodeId, clusterId)
    const found = logDirs.scan()
    const registry = await TopicRegistry.open(store, config.nodeId)
    const entities = await EntityConfigs.open(store)
    const features = await Features.open(store, config.nodeId)
    const topicConfigs = new TopicConfigs(config)
    ConfigAdmin.load({ broker: config, topicConfigs, entities })
    const dataPlane = this.#createDataPlane(logDirs)
    const replicas = new ReplicaManager(this.#addon, dataPlane)
    this.#replicas = replicas
    const parts = { nodeId: config.nodeId, broker: config, topicConfigs, registry, replicas }
    const checkpointer = this.#checkpointer(dataPlane, replicas, logDirs)
    const lifecycle = new TopicLifecycle({
      ...parts,
      placement: logDirs,
      checkpoints: checkpointer,
      onChanged: (topic, change) => this.#groups?.onTopicChanged(topic, change),
    })
    const unfinished = registry.pendingDeletions()
    for (const topic of unfinished) await lifecycle.finishDeletion(topic)
    const onProblem = (message: string) => this.#log.warn(message)
    await openRegisteredPartitions({ ...parts, logDirs, onProblem }, found)
    // The lines of what was just deleted go before anything of the same name can come.
    if (unfinished.length > 0) await checkpointer.writeAll()
    const producerIds = new ProducerIdAllocator(store, config.nodeId)
    const groups = new GroupCoordination({
      ...{ addon: this.#addon, dataPlane, config, registry, replicas, lifecycle },
      ...{ clock: this.#clock, log: this.#log },
      groupOverrides: groupId => entities.get('groups', groupId),
    })
    this.#groups = groups
    groups.start()
    this.#releases.unshift(() => groups.stop())
    const addon = this.#addon
    const quotas = await openClientQuotas({ ...parts, addon, dataPlane, store, clock: this.#clock })
    const serving = this.#serve(dataPlane, clusterId, {
      groups,
      ...quotas,
      topics: topicsViewOf(registry, (topic, partition) => replicas.isServed(topic, partition)),
      lifecycle,
      logs: replicas,
      logDirs: logDirsViewOf(logDirs, replicas),
      features,
      producerIds: { next: () => producerIds.allocate() },
      ...liveConfigOf({ ...parts, addon, dataPlane, entities, log: this.#log }),
      settings: handlerSettingsOf(config),
    })
    checkpointer.start()
    const retention = this.#retention(replicas, registry, topicConfigs)
    retention.start()
    const running = {
      dataPlane,
      groups,
      lifecycle,
      checkpointer,
      retention,
      deletedFolders,
      logDirs,
    }
    const stop = () => this.#stop({ ...running, pipeline: serving.pipeline })
    return { clusterId, endpoints: serving.endpoints, stop }
  }

  async #stop(running: Running): Promise<void> {
    const { dataPlane, groups, pipeline, lifecycle } = running
    const { checkpointer, deletedFolders, logDirs } = running
    try {
      groups.stop()
      const drained = await this.#addon.drain(dataPlane, DRAIN_MS)
      if (!drained) this.#log.warn(`Requests were still in work after ${DRAIN_MS} ms.`)
      if (drained) await Promise.all([pipeline.whenIdle(), lifecycle.whenIdle()])
      await running.retention.stop()
      await checkpointer.stop()
      await deletedFolders.stop()
      await this.#replicas?.closeOffline()
      await this.#addon.closeLogs(dataPlane)
      await checkpointer.writeAll()
      logDirs.writeCleanMarkers()
    } finally {
      await this.release()
    }
  }

  #createDataPlane(logDirs: LogDirs): DataPlaneHandle {
    const dataPlane = this.#addon.createDataPlane(dataPlaneOptionsOf(this.#config), {
      onRequests: () => this.#pipeline?.wake(),
      onConnectionClosed: connection => this.#pipeline?.connectionClosed(connection),
      onLogDirFailed: (path, why) => this.#onLogDirFailed(logDirs, path, why),
      onLogLine: (level, message) => this.#log[LOG_LEVELS[level] ?? 'error'](message),
      onFlushed: (topic, partition, offset, ok) =>
        this.#groups?.onFlushed(topic, partition, offset, ok),
    })
    this.#releases.unshift(() => this.#addon.close(dataPlane))
    for (const path of logDirs.paths) this.#addon.addLogDir(dataPlane, path)
    return dataPlane
  }

  #onLogDirFailed(logDirs: LogDirs, path: string, why: string): void {
    logDirs.markFailed(path)
    this.#replicas?.failLogDir(path)
    this.#log.error(
      `The log dir ${path} failed: ${why}. Its partitions are offline; repair it, then restart.`,
    )
    if (logDirs.onlinePaths().length > 0) return
    this.#onFatal(
      new BrokerError(
        'ERR_LOG_DIR_OFFLINE',
        'All log dirs have failed, so the broker ends. Repair the disks, then start it again.',
      ),
    )
  }

  /** Opens the listeners, and only then can a request arrive. */
  #serve(
    dataPlane: DataPlaneHandle,
    clusterId: string,
    services: Omit<BrokerServices, 'cluster'> & ClientQuotaServices,
  ): { pipeline: RequestPipeline; endpoints: readonly EndPoint[] } {
    const { listeners, advertisedListeners, nodeId, rack } = this.#config
    const opened = openListeners(this.#addon, dataPlane, listeners)
    const endpoints = withOpenedPorts(advertisedListeners, opened)
    const cluster = singleBrokerView({ clusterId, nodeId, rack, advertised: endpoints })
    const pipeline = new RequestPipeline({
      port: controlPortOf(this.#addon, dataPlane),
      apis: createHandlers({ ...services, cluster }),
      listenerNames: opened.map(({ name }) => name),
      log: this.#log,
      clock: this.#clock,
      requestQuota: services.requestQuota,
    })
    this.#pipeline = pipeline
    pipeline.wake()
    return { pipeline, endpoints }
  }

  #checkpointer(
    dataPlane: DataPlaneHandle,
    replicas: ReplicaManager,
    logDirs: LogDirs,
  ): OffsetCheckpointer {
    const config = this.#config
    return new OffsetCheckpointer({
      served: () => replicas.served(),
      offsets: (topic, partition) => replicas.offsets(topic, partition),
      activity: () => this.#addon.counters(dataPlane).bytesReceived,
      write: (logDir, file, entries) => logDirs.writeCheckpoint(logDir, file, entries),
      onFailure: (logDir, why) =>
        this.#log.warn(`A checkpoint in ${logDir} could not be written: ${why}.`),
      logDirs: () => logDirs.onlinePaths(),
      highWatermarkIntervalMs: Number(config.get('replica.high.watermark.checkpoint.interval.ms')),
      recoveryPointIntervalMs: config.get('log.flush.offset.checkpoint.interval.ms'),
    })
  }

  #retention(
    replicas: ReplicaManager,
    registry: TopicRegistry,
    topicConfigs: TopicConfigs,
  ): LogRetention {
    return new LogRetention({
      clock: this.#clock,
      intervalMs: Number(this.#config.get('log.retention.check.interval.ms')),
      served: () => replicas.served(),
      settings(name) {
        const topic = registry.getByName(name)
        return topic === undefined ? undefined : retentionSettingsOf(topicConfigs.of(topic.configs))
      },
      state: (topic, partition) => replicas.offsets(topic, partition),
      segments: (topic, partition) => replicas.segments(topic, partition),
      deleteSegments: (topic, partition, offset) =>
        replicas.deleteSegments(topic, partition, offset, this.#clock.nowMs()),
      onInfo: message => this.#log.info(message),
      onProblem: message => this.#log.warn(message),
    })
  }

  #deletedFolders(): DeletedFolders {
    return new DeletedFolders({
      delayMs: Number(this.#config.get('log.segment.delete.delay.ms')),
      onFailure: (path, why) => this.#log.warn(`${path} could not be removed: ${why}.`),
    })
  }
}

function loggerOf(config: BrokerConfig): Logger {
  return createLogger({
    level: config.get('logger.level') as LogLevel,
    format: config.get('logger.format') as 'auto' | 'json' | 'text',
  })
}
