/**
 * What handlers need of the rest of the broker, as small interfaces. broker.ts passes the real parts,
 * tests pass fakes. Everything here is answered from memory unless it returns a promise.
 */
import type { Uuid } from '../base/uuid.js'
import type { BrokerConfig } from '../config/broker-config.js'
import type { TopicConfig } from '../config/topic-config.js'
import type { ConfigAdmin } from '../metadata/config-admin.js'
import type { Features } from '../metadata/features.js'
import type { EntityConfig, EntityType } from '../metadata/entity-configs.js'
import type { ClientQuotas, MutationQuotas } from './quota-services.js'
import type {
  CreatedTopic,
  NewPartitions,
  NewTopic,
  TopicProblem,
} from '../replication/new-topic.js'
import type { GroupServices } from './group-services.js'
import type { LogDirsView } from './log-dirs-services.js'
import type { TimestampRange } from '../replication/replica-manager.js'

export interface BrokerNode {
  readonly nodeId: number
  readonly host: string
  readonly port: number
  readonly rack: string | null
  readonly isFenced: boolean
}

export interface ClusterView {
  readonly clusterId: string
  /** This broker. */
  readonly nodeId: number
  /** -1: none is known. */
  readonly controllerId: number
  /** The brokers with the endpoints of one listener; brokers that lack the listener are left out. */
  brokers(listenerName: string): readonly BrokerNode[]
}

export interface PartitionView {
  readonly partitionIndex: number
  /** -1: no leader. */
  readonly leaderId: number
  readonly leaderEpoch: number
  readonly replicas: readonly number[]
  readonly isr: readonly number[]
  readonly offlineReplicas: readonly number[]
}

export interface TopicView {
  readonly name: string
  readonly topicId: Uuid
  readonly isInternal: boolean
  /** In the order of their indexes, without gaps. */
  readonly partitions: readonly PartitionView[]
}

export interface TopicsView {
  topic(name: string): TopicView | undefined
  topicById(topicId: Uuid): TopicView | undefined
  /** In the order of UTF-16 code units, as Java sorts strings. */
  topicNames(): readonly string[]
}

export interface TopicLifecycle {
  /** Whether the topic could be created; changes nothing. */
  validate(topic: NewTopic): CreatedTopic | TopicProblem
  /** Creates the topic; resolves when each of its partitions serves, or with the refusal. */
  create(topic: NewTopic): Promise<CreatedTopic | TopicProblem>
  /** Gives the topic more partitions; resolves when each serves. Null: done, or possible with validateOnly. */
  addPartitions(wanted: NewPartitions, validateOnly: boolean): Promise<TopicProblem | null>
  /** Takes the topic out of service; its files go later. Null: done. */
  delete(name: string): Promise<TopicProblem | null>
}

export interface OffsetsOfPartition {
  readonly logStartOffset: bigint
  readonly highWatermark: bigint
  readonly lastStableOffset: bigint
  readonly logEndOffset: bigint
  readonly leaderEpoch: number
}

export interface EpochEnd {
  /** -1: unknown. */
  readonly leaderEpoch: number
  readonly endOffset: bigint
}

/** What a log remembers of an idempotent producer; the bounds of an open transaction are -1n if there is none. */
export interface ActiveProducer {
  readonly producerId: bigint
  readonly producerEpoch: number
  readonly lastSequence: number
  readonly lastTimestamp: bigint
  readonly coordinatorEpoch: number
  readonly currentTxnStartOffset: bigint
}

/** The logs this broker leads. Undefined everywhere: it leads no such partition, or its log is not open. */
export interface LogsView {
  offsets(topic: string, partition: number): OffsetsOfPartition | undefined
  endOffsetForEpoch(topic: string, partition: number, leaderEpoch: number): EpochEnd | undefined
  /** The epoch that wrote an offset; -1: unknown. */
  epochForOffset(topic: string, partition: number, offset: bigint): number
  /** Moves the log start to an offset, -1n for the high watermark; resolves with the log start. */
  deleteRecords(topic: string, partition: number, offset: bigint): Promise<bigint>
  /** The idempotent producers that the log remembers. */
  activeProducers(topic: string, partition: number): readonly ActiveProducer[] | undefined
  /** Why there is no such log: NONE never. */
  absence(topic: string, partition: number): number
  /** The first batch in the range with a timestamp of at least `timestamp`; null: none. */
  batchByTimestamp(topic: string, partition: number, range: TimestampRange): Promise<Buffer | null>
  /** The first batch that holds the largest timestamp of the log; null: an empty log. */
  batchWithMaxTimestamp(topic: string, partition: number): Promise<Buffer | null>
}

export interface ProducerIds {
  /** An id that was never given out before, also across restarts. */
  next(): Promise<bigint>
}

/** Everything together; each handler names the parts it takes. */
export interface BrokerServices {
  readonly groups: GroupServices
  readonly cluster: ClusterView
  readonly topics: TopicsView
  readonly lifecycle: TopicLifecycle
  readonly logs: LogsView
  readonly logDirs: LogDirsView
  readonly producerIds: ProducerIds
  readonly configs: ConfigsView
  readonly configChanges: ConfigChanges
  readonly features: Pick<Features, 'supported' | 'finalized' | 'epoch' | 'update'>
  readonly settings: HandlerSettings
  readonly clientQuotas: ClientQuotas
  readonly mutationQuotas: MutationQuotas
}

/** The broker settings that handlers act on. */
export interface HandlerSettings {
  readonly autoCreateTopicsEnable: boolean
  readonly deleteTopicEnable: boolean
  readonly maxRequestPartitionSizeLimit: number
  /** num.partitions */
  readonly numPartitions: number
}

export interface ConfigsView {
  readonly broker: BrokerConfig
  /** Undefined: no such topic. */
  topic(name: string): TopicConfig | undefined
  /** What was set for a broker, a group or a client metrics subscription; empty: nothing. */
  entity(type: EntityType, name: string): EntityConfig
  /** The entities of which something is set. */
  entityNames(type: EntityType): readonly string[]
  /** The level of the root logger, in Kafka's words. */
  logLevel(): string
}

/** Changes of settings; each resolves with the refusal, or null when it is durable and in force. */
export type ConfigChanges = Pick<ConfigAdmin, 'alter' | 'replace'>

/** The settings that handlers act on, from those of the broker. */
export function handlerSettingsOf(broker: BrokerConfig): HandlerSettings {
  return {
    autoCreateTopicsEnable: broker.get('auto.create.topics.enable'),
    deleteTopicEnable: broker.get('delete.topic.enable'),
    maxRequestPartitionSizeLimit: broker.get('max.request.partition.size.limit'),
    numPartitions: broker.get('num.partitions'),
  }
}
