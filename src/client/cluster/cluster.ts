/**
 * A client's view of a cluster and its way to every broker: bootstrap, metadata with refresh, leaders,
 * coordinators, connections, retries. Producer, Consumer and Admin stand on it.
 */
import { ErrorCode } from '../../protocol/error-codes.js'
import { MetadataRequest, MetadataResponse } from '../../protocol/messages/metadata.js'
import type { Infer, RequestSchema, ResponseSchema } from '../../protocol/schema/message.js'
import type { BackoffRange } from '../backoff.js'
import { type Address, parseBootstrapServers } from '../bootstrap-servers.js'
import type { ApiPair, Connection, RequestBody } from '../connection.js'
import { KafkaError, brokerError, closedError, errorCodeOf, isRetriableError } from '../errors.js'
import { type ClientOptions, type ResolvedClientOptions, resolveClientOptions } from '../options.js'
import { Connections, type Purpose, unref } from './connections.js'
import { type CoordinatorType, Coordinators } from './coordinators.js'
import {
  type BrokerNode,
  Metadata,
  type PartitionMetadata,
  type TopicMetadata,
} from './metadata.js'
import { type RetryOptions, retrying } from './retry.js'

const METADATA = { request: MetadataRequest, response: MetadataResponse }

/** Codes after which a leader or a topic has to be looked up anew. */
const STALE_METADATA: ReadonlySet<number> = new Set<number>([
  ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
  ErrorCode.LEADER_NOT_AVAILABLE,
  ErrorCode.NOT_LEADER_OR_FOLLOWER,
  ErrorCode.REPLICA_NOT_AVAILABLE,
  ErrorCode.NETWORK_EXCEPTION,
  ErrorCode.REQUEST_TIMED_OUT,
  ErrorCode.KAFKA_STORAGE_ERROR,
  ErrorCode.LISTENER_NOT_FOUND,
  ErrorCode.FENCED_LEADER_EPOCH,
  ErrorCode.UNKNOWN_LEADER_EPOCH,
  ErrorCode.UNKNOWN_TOPIC_ID,
  ErrorCode.INCONSISTENT_TOPIC_ID,
  ErrorCode.NOT_CONTROLLER,
])

/** Codes after which a coordinator has to be looked up anew. */
const STALE_COORDINATOR: ReadonlySet<number> = new Set<number>([
  ErrorCode.COORDINATOR_NOT_AVAILABLE,
  ErrorCode.NOT_COORDINATOR,
  ErrorCode.NETWORK_EXCEPTION,
  ErrorCode.REQUEST_TIMED_OUT,
])

/** Limits of one call; defaults come from the client's options. */
export interface CallOptions {
  /** Time for the whole call with its retries, in milliseconds; default `defaultApiTimeoutMs`. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
}

export interface RequestOptions {
  /** Default `requestTimeoutMs`. */
  readonly timeoutMs?: number
  readonly purpose?: Purpose
  /** Newest version to use; default: the newest both know. */
  readonly versionMax?: number
}

export class Cluster {
  readonly options: ResolvedClientOptions
  readonly metadata = new Metadata()
  readonly #bootstrap: readonly Address[]
  readonly #connections: Connections
  readonly #coordinators = new Coordinators()
  readonly #closing = new AbortController()
  /** Topics that are kept up to date; null: all there are. */
  #topics: Map<string, number> | null = new Map()
  /** Whether asking for a topic may create it (the broker's auto.create.topics.enable). */
  #allowsAutoCreation: boolean
  #refreshing: Promise<void> | null = null
  #refreshedAtMs = -Infinity
  #timer: ReturnType<typeof setTimeout> | undefined
  readonly #listeners = new Set<() => void>()

  /** Throws ERR_CLIENT_ADDRESS or ERR_CLIENT_CONFIG; connects on first use only. */
  constructor(options: ClientOptions, { allowAutoTopicCreation = false } = {}) {
    this.options = resolveClientOptions(options)
    const { bootstrapServers } = options
    this.#bootstrap = parseBootstrapServers(
      typeof bootstrapServers === 'string' ? bootstrapServers : bootstrapServers.join(','),
    )
    this.#connections = new Connections(this.options)
    this.#allowsAutoCreation = allowAutoTopicCreation
  }

  get backoff(): BackoffRange {
    return { initialMs: this.options.retryBackoffMs, maxMs: this.options.retryBackoffMaxMs }
  }

  /** Aborts when the cluster is closed; the reason is ERR_CLIENT_CLOSED. */
  get signal(): AbortSignal {
    return this.#closing.signal
  }

  /** Calls back after each change of the metadata. Returns how to stop that. */
  onMetadata(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Adds a topic to those that are kept up to date. Nothing is asked yet. */
  watchTopic(topic: string): void {
    this.#topics?.set(topic, performance.now())
  }

  /** Replaces what is kept up to date; null: all topics of the cluster (for patterns). */
  watchOnly(topics: Iterable<string> | null): void {
    const nowMs = performance.now()
    this.#topics = topics === null ? null : new Map([...topics].map(name => [name, nowMs]))
  }

  unwatchTopic(topic: string): void {
    this.#topics?.delete(topic)
    this.metadata.forgetTopic(topic)
  }

  /**
   * Fetches the metadata of the watched topics once, from any broker that answers. Calls at the same time share
   * one request. Rejects with the failure of the last broker that was tried.
   */
  refresh(): Promise<void> {
    return (this.#refreshing ??= this.#refresh().finally(() => (this.#refreshing = null)))
  }

  /** Refreshes in the background; failures are left to whoever needs the data. */
  refreshSoon(): void {
    this.refresh().catch(() => {})
  }

  /**
   * The topic, asked for until it is there. Rejects with UNKNOWN_TOPIC_OR_PARTITION's timeout, or at once with what
   * no waiting can mend (INVALID_TOPIC_EXCEPTION, TOPIC_AUTHORIZATION_FAILED).
   */
  async topic(name: string, options: CallOptions = {}): Promise<TopicMetadata> {
    const known = this.metadata.topic(name)
    if (known !== undefined) return known
    this.watchTopic(name)
    return this.retrying(`Finding topic "${name}"`, () => this.#askForTopic(name), options)
  }

  /** The partition's leader, looked up if unknown. Rejects with LEADER_NOT_AVAILABLE and the like. */
  async leader(topic: string, partition: number, options: CallOptions = {}): Promise<BrokerNode> {
    return this.retrying(
      `Finding the leader of ${topic}-${partition}`,
      async () => {
        await this.topic(topic, options)
        return this.leaderNow(topic, partition)
      },
      options,
    )
  }

  /** The leader as known; throws retriable errors where it is not. */
  leaderNow(topic: string, partition: number): BrokerNode {
    const known: PartitionMetadata | undefined = this.metadata.partition(topic, partition)
    if (known === undefined) {
      throw brokerError(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, `${topic}-${partition}`)
    }
    const node = this.metadata.broker(known.leader)
    if (node === undefined) {
      throw brokerError(ErrorCode.LEADER_NOT_AVAILABLE, `${topic}-${partition}`)
    }
    return node
  }

  /** The broker that coordinates a group or transactional id; asks once if unknown, without retry. */
  async coordinator(type: CoordinatorType, key: string): Promise<BrokerNode> {
    const known = this.#coordinators.known(type, key)
    if (known !== undefined) return known
    return this.#coordinators.find(await this.any(), type, key)
  }

  forgetCoordinator(type: CoordinatorType, key: string): void {
    this.#coordinators.forget(type, key)
  }

  /** The controller's node, by the newest metadata. Rejects with NOT_CONTROLLER (retriable) if none is known. */
  async controller(): Promise<BrokerNode> {
    if (this.metadata.version === 0) await this.refresh()
    const node = this.metadata.broker(this.metadata.controllerId)
    if (node === undefined) throw brokerError(ErrorCode.NOT_CONTROLLER, 'The cluster')
    return node
  }

  /** A broker by its id; rejects with BROKER_NOT_AVAILABLE if the cluster has none such. */
  async node(nodeId: number): Promise<BrokerNode> {
    if (this.metadata.broker(nodeId) === undefined) await this.refresh()
    const node = this.metadata.broker(nodeId)
    if (node === undefined) throw brokerError(ErrorCode.BROKER_NOT_AVAILABLE, `Broker ${nodeId}`)
    return node
  }

  connection(node: Address, purpose: Purpose = 'general'): Promise<Connection> {
    return this.#connections.get(node, purpose)
  }

  /** As connection, if it is open now. */
  openConnection(node: Address, purpose: Purpose = 'general'): Connection | undefined {
    return this.#connections.opened(node, purpose)
  }

  /** A connection to any broker: an open one first, then known ones, then the bootstrap list. */
  async any(): Promise<Connection> {
    const nodes: Address[] = [...this.metadata.brokers, ...this.#bootstrap]
    for (const node of nodes) {
      const open = this.#connections.opened(node, 'general')
      if (open !== undefined) return open
    }
    let failure: unknown
    for (const node of nodes) {
      try {
        return await this.#connections.get(node, 'general')
      } catch (error) {
        if (!isRetriableError(error)) throw error
        failure = error
      }
    }
    throw failure
  }

  /** One request to one broker, once. Failures as Connection.request. */
  async request<Q extends RequestSchema, S extends ResponseSchema>(
    node: Address,
    api: ApiPair<Q, S>,
    body: RequestBody<Q>,
    { timeoutMs, purpose, versionMax }: RequestOptions = {},
  ): Promise<Infer<S>> {
    const connection = await this.connection(node, purpose)
    return connection.request(api, body, timeoutMs, versionMax)
  }

  /** One request to the coordinator of a group, once; forgets the coordinator where the error says so. */
  async requestCoordinator<Q extends RequestSchema, S extends ResponseSchema>(
    group: string,
    api: ApiPair<Q, S>,
    body: RequestBody<Q>,
    options: RequestOptions = {},
  ): Promise<Infer<S>> {
    const node = await this.coordinator('group', group)
    try {
      return await this.request(node, api, body, { purpose: 'coordinator', ...options })
    } catch (error) {
      this.noteGroupError(group, error)
      throw error
    }
  }

  /** To be called with errors found inside answers of a group's coordinator. */
  noteGroupError(group: string, error: unknown): void {
    if (STALE_COORDINATOR.has(errorCodeOf(error))) this.forgetCoordinator('group', group)
  }

  /** Tries again by Kafka's rules; refreshes metadata where the error says that it is old. */
  retrying<T>(
    what: string,
    call: (attempt: number) => Promise<T>,
    { timeoutMs = this.options.defaultApiTimeoutMs, signal = this.signal }: CallOptions = {},
    onRetry?: RetryOptions['onRetry'],
  ): Promise<T> {
    return retrying(what, call, {
      deadlineMs: performance.now() + timeoutMs,
      backoff: this.backoff,
      signal,
      onRetry: async (error, attempt) => {
        if (STALE_METADATA.has(errorCodeOf(error))) await this.refresh().catch(() => {})
        await onRetry?.(error, attempt)
      },
    })
  }

  /** Closes all connections; what is in flight rejects. */
  close(): void {
    clearTimeout(this.#timer)
    this.#closing.abort(closedError('client'))
    this.#connections.close()
  }

  async #refresh(): Promise<void> {
    this.signal.throwIfAborted()
    const names = this.#topics === null ? null : [...this.#topics.keys()]
    await this.#fetchMetadata(names)
    this.#refreshedAtMs = performance.now()
    this.#planRefresh()
    for (const listener of this.#listeners) listener()
  }

  async #fetchMetadata(names: readonly string[] | null): Promise<Infer<typeof MetadataResponse>> {
    const connection = await this.any()
    const answer = await connection.request(METADATA, version => ({
      // Version 0 asks for all topics with an empty list.
      topics: names === null ? (version === 0 ? [] : null) : names.map(name => ({ name })),
      ...(version >= 4 ? { allowAutoTopicCreation: this.#allowsAutoCreation } : {}),
    }))
    if (answer.errorCode !== ErrorCode.NONE) throw brokerError(answer.errorCode, 'The metadata')
    this.metadata.update(answer, names === null)
    return answer
  }

  async #askForTopic(name: string): Promise<TopicMetadata> {
    const answer = await this.#fetchMetadata([name])
    for (const listener of this.#listeners) listener()
    const found = this.metadata.topic(name)
    if (found !== undefined) return found
    const errorCode = answer.topics[0]?.errorCode ?? ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    throw new KafkaError(
      errorCode === ErrorCode.NONE ? ErrorCode.LEADER_NOT_AVAILABLE : errorCode,
      brokerError(errorCode, `Topic "${name}"`).message,
    )
  }

  #planRefresh(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.refreshSoon(), this.options.metadataMaxAgeMs)
    unref(this.#timer)
  }

  /** Milliseconds since the last refresh. */
  get metadataAgeMs(): number {
    return performance.now() - this.#refreshedAtMs
  }
}
