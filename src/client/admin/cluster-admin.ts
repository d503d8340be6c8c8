/** The cluster itself: brokers, log dirs, leaders, features. */
import { ErrorCode } from '../../protocol/error-codes.js'
import { ApiVersionsRequest, ApiVersionsResponse } from '../../protocol/messages/api-versions.js'
import {
  DescribeClusterRequest,
  DescribeClusterResponse,
} from '../../protocol/messages/describe-cluster.js'
import {
  DescribeLogDirsRequest,
  DescribeLogDirsResponse,
} from '../../protocol/messages/describe-log-dirs.js'
import { ElectLeadersRequest, ElectLeadersResponse } from '../../protocol/messages/elect-leaders.js'
import {
  UpdateFeaturesRequest,
  UpdateFeaturesResponse,
} from '../../protocol/messages/update-features.js'
import type { CallOptions, Cluster } from '../cluster/cluster.js'
import type { BrokerNode } from '../cluster/metadata.js'
import { brokerError, finalError, throwIfError } from '../errors.js'
import { type ItemResults, perItem } from './per-item.js'
import type { ChangeOptions } from './topic-admin.js'
import { type TopicPartition, nameOf } from '../consumer/topic-partition.js'
import { byTopic } from './topic-partitions.js'

const DESCRIBE = { request: DescribeClusterRequest, response: DescribeClusterResponse }
const LOG_DIRS = { request: DescribeLogDirsRequest, response: DescribeLogDirsResponse }
const ELECT = { request: ElectLeadersRequest, response: ElectLeadersResponse }
const API_VERSIONS = { request: ApiVersionsRequest, response: ApiVersionsResponse }
const UPDATE_FEATURES = { request: UpdateFeaturesRequest, response: UpdateFeaturesResponse }

const ELECTION_TYPES = { preferred: 0, unclean: 1 } as const
const UPGRADE_TYPES = { upgrade: 1, safeDowngrade: 2, unsafeDowngrade: 3 } as const

/** The cluster as one of its brokers sees it. */
export interface ClusterDescription {
  readonly clusterId: string
  /** -1 if there is none now. */
  readonly controllerId: number
  readonly brokers: readonly BrokerNode[]
}

/** One replica in a log dir. */
export interface LogDirReplica extends TopicPartition {
  readonly sizeBytes: bigint
  /** How far it lags behind the high watermark, or behind the current replica for one that is moving in. */
  readonly offsetLag: bigint
  readonly isFuture: boolean
}

/** One log dir of one broker. */
export interface LogDirDescription {
  readonly brokerId: number
  readonly path: string
  /** NONE, or why it is offline, such as `KAFKA_STORAGE_ERROR`. */
  readonly error: string
  /** -1 where the broker does not tell. */
  readonly totalBytes: bigint
  readonly usableBytes: bigint
  readonly replicas: readonly LogDirReplica[]
}

/** Versions of one feature. */
export interface FeatureDescription {
  readonly supported: readonly [min: number, max: number] | null
  /** null if it is not in force. */
  readonly finalized: number | null
}

/** See `Admin.cluster`. */
export class ClusterAdmin {
  readonly #cluster: Cluster

  /** @internal */
  constructor(cluster: Cluster) {
    this.#cluster = cluster
  }

  /**
   * Id, controller and brokers.
   *
   * @example
   * const { clusterId, brokers } = await admin.cluster.describe()
   */
  async describe(options: CallOptions = {}): Promise<ClusterDescription> {
    const answer = await this.#cluster.retrying(
      'Describing the cluster',
      async () => {
        const connection = await this.#cluster.any()
        const found = await connection.request(DESCRIBE, {
          includeClusterAuthorizedOperations: false,
        })
        throwIfError(found.errorCode, 'Describing the cluster', found.errorMessage)
        return found
      },
      options,
    )
    const { clusterId, controllerId } = answer
    const brokers = answer.brokers
      .map(({ brokerId, host, port, rack }) => ({ nodeId: brokerId, host, port, rack }))
      .sort((a, b) => a.nodeId - b.nodeId)
    return { clusterId, controllerId, brokers }
  }

  /**
   * The log dirs of brokers (default: all) with the replicas in them.
   *
   * @example
   * const used = (await admin.cluster.logDirs()).flatMap(dir => dir.replicas.map(r => r.sizeBytes))
   */
  async logDirs(
    options: CallOptions & { readonly brokerIds?: readonly number[] } = {},
  ): Promise<LogDirDescription[]> {
    const brokers = await this.#brokers(options)
    const lists = await Promise.all(
      brokers.map(async nodeId => {
        const answer = await this.#cluster.retrying(
          `Describing the log dirs of broker ${nodeId}`,
          async () => {
            const node = await this.#cluster.node(nodeId)
            const found = await this.#cluster.request(node, LOG_DIRS, { topics: null })
            throwIfError(found.errorCode, `The log dirs of broker ${nodeId}`)
            return found
          },
          options,
        )
        return answer.results.map(result => logDirOf(nodeId, result))
      }),
    )
    return lists.flat()
  }

  /**
   * Elects leaders: the first replica where it may lead again, or (`unclean`, which loses records) any replica.
   * `null` means all partitions. Rejects with ELECTION_NOT_NEEDED where the leader is the wanted one already.
   *
   * @example
   * await admin.cluster.electLeaders('preferred', [{ topic: 'orders', partition: 0 }])
   */
  async electLeaders(
    type: keyof typeof ELECTION_TYPES,
    partitions: readonly TopicPartition[] | null,
    options: CallOptions = {},
  ): Promise<void> {
    const timeoutMs = options.timeoutMs ?? this.#cluster.options.defaultApiTimeoutMs
    // One thing where all partitions are meant: their names are only learned from the answer.
    const items: readonly (TopicPartition | null)[] = partitions ?? [null]
    await perItem(
      this.#cluster,
      'Electing leaders',
      items,
      item => (item === null ? '' : nameOf(item)),
      async pending => {
        const named = pending.filter(item => item !== null)
        const answer = await this.#cluster.request(await this.#cluster.controller(), ELECT, {
          electionType: ELECTION_TYPES[type],
          topicPartitions:
            partitions === null
              ? null
              : [...byTopic(named)].map(([topic, list]) => ({
                  topic,
                  partitions: list.map(({ partition }) => partition),
                })),
          timeoutMs,
        })
        throwIfError(answer.errorCode, 'Electing leaders')
        const results: ItemResults<undefined> = new Map()
        for (const { topic, partitionResult } of answer.replicaElectionResults) {
          for (const { partitionId, errorCode, errorMessage } of partitionResult) {
            const key = nameOf({ topic, partition: partitionId })
            const failure = brokerError(errorCode, `Electing a leader of ${key}`, errorMessage)
            // Kafka's table calls it retriable, but it will not change by asking again.
            const isFinal = errorCode === ErrorCode.ELECTION_NOT_NEEDED
            const error = isFinal ? finalError(failure) : failure
            results.set(key, errorCode === ErrorCode.NONE ? undefined : error)
          }
        }
        return results
      },
      options,
    )
  }

  /**
   * The features of the cluster by name.
   *
   * @example
   * const version = (await admin.cluster.features()).get('metadata.version')?.finalized
   */
  async features(options: CallOptions = {}): Promise<Map<string, FeatureDescription>> {
    const answer = await this.#cluster.retrying(
      'Describing features',
      async () => {
        const connection = await this.#cluster.any()
        return connection.request(API_VERSIONS, {
          clientSoftwareName: 'millrace',
          clientSoftwareVersion: '0.1',
        })
      },
      options,
    )
    const features = new Map<string, FeatureDescription>()
    for (const { name, minVersion, maxVersion } of answer.supportedFeatures) {
      features.set(name, { supported: [minVersion, maxVersion], finalized: null })
    }
    for (const { name, maxVersionLevel } of answer.finalizedFeatures) {
      const supported = features.get(name)?.supported ?? null
      features.set(name, { supported, finalized: maxVersionLevel })
    }
    return features
  }

  /**
   * Changes the level of features; 0 turns one off. Rejects with INVALID_UPDATE_VERSION, FEATURE_UPDATE_FAILED.
   *
   * @example
   * await admin.cluster.updateFeatures({ 'transaction.version': 2 })
   */
  async updateFeatures(
    levels: Readonly<Record<string, number>>,
    options: ChangeOptions & { readonly type?: keyof typeof UPGRADE_TYPES } = {},
  ): Promise<void> {
    const timeoutMs = options.timeoutMs ?? this.#cluster.options.defaultApiTimeoutMs
    const { type = 'upgrade', validateOnly = false } = options
    await this.#cluster.retrying(
      'Updating features',
      async () => {
        const controller = await this.#cluster.controller()
        const answer = await this.#cluster.request(controller, UPDATE_FEATURES, {
          timeoutMs,
          featureUpdates: Object.entries(levels).map(([feature, maxVersionLevel]) => ({
            feature,
            maxVersionLevel,
            upgradeType: UPGRADE_TYPES[type],
          })),
          validateOnly,
        })
        throwIfError(answer.errorCode, 'Updating features', answer.errorMessage)
        for (const { feature, errorCode, errorMessage } of answer.results) {
          throwIfError(errorCode, `Updating feature ${feature}`, errorMessage)
        }
      },
      options,
    )
  }

  async #brokers({
    brokerIds,
    ...options
  }: CallOptions & { readonly brokerIds?: readonly number[] }): Promise<readonly number[]> {
    return brokerIds ?? (await this.describe(options)).brokers.map(({ nodeId }) => nodeId)
  }
}

function logDirOf(
  brokerId: number,
  result: DescribeLogDirsResponse['results'][number],
): LogDirDescription {
  const { errorCode, logDir, totalBytes, usableBytes } = result
  return {
    brokerId,
    path: logDir,
    error: brokerError(errorCode, logDir).errorName,
    totalBytes,
    usableBytes,
    replicas: result.topics.flatMap(({ name, partitions }) =>
      partitions.map(({ partitionIndex, partitionSize, offsetLag, isFutureKey }) => ({
        topic: name,
        partition: partitionIndex,
        sizeBytes: partitionSize,
        offsetLag,
        isFuture: isFutureKey,
      })),
    ),
  }
}
