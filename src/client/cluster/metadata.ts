/** What a client knows of the cluster: brokers, topics, leaders. A plain cache; cluster.ts fills it. */
import { ZERO_UUID, type Uuid } from '../../base/uuid.js'
import { ErrorCode } from '../../protocol/error-codes.js'
import type { MetadataResponse } from '../../protocol/messages/metadata.js'
import type { Address } from '../bootstrap-servers.js'

/** One broker of the cluster. */
export interface BrokerNode extends Address {
  readonly nodeId: number
  readonly rack: string | null
}

/** One partition as Metadata describes it; broker ids, -1 for no leader. */
export interface PartitionMetadata {
  readonly partition: number
  readonly errorCode: number
  readonly leader: number
  readonly leaderEpoch: number
  readonly replicas: readonly number[]
  readonly isr: readonly number[]
  readonly offlineReplicas: readonly number[]
}

/** One topic; `partitions` in order of their numbers. */
export interface TopicMetadata {
  readonly name: string
  /** All zero where the broker is too old to tell. */
  readonly topicId: Uuid
  readonly isInternal: boolean
  readonly errorCode: number
  readonly partitions: readonly PartitionMetadata[]
}

export class Metadata {
  readonly #brokers = new Map<number, BrokerNode>()
  readonly #topics = new Map<string, TopicMetadata>()
  readonly #namesById = new Map<Uuid, string>()
  clusterId: string | null = null
  controllerId = -1
  /** Counts updates; lets others see cheaply that something may have changed. */
  version = 0

  get brokers(): readonly BrokerNode[] {
    return [...this.#brokers.values()]
  }

  broker(nodeId: number): BrokerNode | undefined {
    return this.#brokers.get(nodeId)
  }

  /** A topic that exists, as far as was asked; undefined otherwise. */
  topic(name: string): TopicMetadata | undefined {
    return this.#topics.get(name)
  }

  topicNames(): string[] {
    return [...this.#topics.keys()]
  }

  nameOf(topicId: Uuid): string | undefined {
    return this.#namesById.get(topicId)
  }

  partition(topic: string, partition: number): PartitionMetadata | undefined {
    return this.#topics.get(topic)?.partitions[partition]
  }

  /** Takes over an answer; topics that were not asked for stay, unless `all` were asked for. */
  update(answer: MetadataResponse, all: boolean): void {
    this.#brokers.clear()
    for (const { nodeId, host, port, rack } of answer.brokers) {
      this.#brokers.set(nodeId, { nodeId, host, port, rack })
    }
    this.clusterId = answer.clusterId
    this.controllerId = answer.controllerId
    if (all) {
      this.#topics.clear()
      this.#namesById.clear()
    }
    for (const topic of answer.topics) this.#updateTopic(topic)
    this.version++
  }

  /** KIP-951: a leader that an error answer named. Ignored if older than what is known. */
  updateLeader(topic: string, partition: number, leader: number, leaderEpoch: number): boolean {
    const known = this.#topics.get(topic)
    const old = known?.partitions[partition]
    if (known === undefined || old === undefined || leaderEpoch <= old.leaderEpoch) return false
    if (!this.#brokers.has(leader)) return false
    const partitions = known.partitions.with(partition, { ...old, leader, leaderEpoch })
    this.#topics.set(topic, { ...known, partitions })
    this.version++
    return true
  }

  /** KIP-951: addresses that came with such leaders. */
  addBrokers(nodes: readonly BrokerNode[]): void {
    for (const node of nodes) this.#brokers.set(node.nodeId, node)
  }

  forgetTopic(name: string): void {
    const known = this.#topics.get(name)
    if (known === undefined) return
    this.#namesById.delete(known.topicId)
    this.#topics.delete(name)
    this.version++
  }

  #updateTopic(topic: MetadataResponse['topics'][number]): void {
    if (topic.name === null) return
    if (topic.errorCode === ErrorCode.LEADER_NOT_AVAILABLE && topic.partitions.length === 0) return
    if (topic.errorCode !== ErrorCode.NONE && topic.partitions.length === 0) {
      this.forgetTopic(topic.name)
      return
    }
    const before = this.#topics.get(topic.name)
    // A broker that lags behind may name an older leader; a new topic of the same name begins afresh.
    const isSame = before?.topicId === topic.topicId
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
      .map(p => {
        const old = isSame ? before.partitions[p.partition] : undefined
        return old !== undefined && old.leaderEpoch > p.leaderEpoch && p.leaderEpoch >= 0 ? old : p
      })
    if (before !== undefined) this.#namesById.delete(before.topicId)
    if (topic.topicId !== ZERO_UUID) this.#namesById.set(topic.topicId, topic.name)
    const { name, topicId, isInternal, errorCode } = topic
    this.#topics.set(name, { name, topicId, isInternal, errorCode, partitions })
  }
}
