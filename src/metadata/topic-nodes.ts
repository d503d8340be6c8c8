/**
 * Where topics stand in the metadata store, and the JSON of their nodes, of settings, ids and features: the znode
 * layout of Apache Kafka 3.9, so that a ZooKeeper driver, Kafka's tools and Kafka's brokers understand the same bytes.
 * Readers take keys in any order and ignore unknown ones.
 */
import { BrokerError, messageOf } from '../base/errors.js'
import { isUuid, type Uuid } from '../base/uuid.js'

export const CLUSTER_ID_PATH = '/cluster/id'
export const CONTROLLER_EPOCH_PATH = '/controller_epoch'
export const TOPICS_PATH = '/brokers/topics'
export const TOPIC_CONFIGS_PATH = '/config/topics'
export const DELETE_TOPICS_PATH = '/admin/delete_topics'
export const PRODUCER_ID_BLOCK_PATH = '/latest_producer_id_block'

export const topicPath = (topic: string) => `${TOPICS_PATH}/${topic}`
export const partitionsPath = (topic: string) => `${TOPICS_PATH}/${topic}/partitions`
export const partitionPath = (topic: string, partition: number) =>
  `${partitionsPath(topic)}/${partition}`
export const partitionStatePath = (topic: string, partition: number) =>
  `${partitionPath(topic, partition)}/state`
export const topicConfigPath = (topic: string) => `${TOPIC_CONFIGS_PATH}/${topic}`
export const deleteTopicPath = (topic: string) => `${DELETE_TOPICS_PATH}/${topic}`

export interface TopicNode {
  readonly topicId: Uuid
  /** The replicas of partition 0, 1, ...; the first one is preferred to lead. */
  readonly assignments: readonly (readonly number[])[]
}

export interface PartitionStateNode {
  readonly controllerEpoch: number
  readonly leader: number
  readonly leaderEpoch: number
  readonly isr: readonly number[]
}

export interface ProducerIdBlock {
  readonly broker: number
  readonly start: bigint
  /** Inclusive. */
  readonly end: bigint
}

export function encodeTopicNode({ topicId, assignments }: TopicNode): Buffer {
  return json({
    version: 3,
    topic_id: topicId,
    partitions: Object.fromEntries(assignments.entries()),
    adding_replicas: {},
    removing_replicas: {},
  })
}

export function decodeTopicNode(data: Buffer | null, path: string): TopicNode {
  const node = parse(data, path)
  const topicId = node['topic_id']
  const partitions = node['partitions']
  const isTopic = typeof topicId === 'string' && isUuid(topicId) && isRecord(partitions)
  if (!isTopic) throw malformed(path, 'topic_id or partitions is missing')
  const count = Object.keys(partitions).length
  const assignments = Array.from({ length: count }, (_, partition) =>
    numbers(partitions[String(partition)], path),
  )
  return { topicId, assignments }
}

export function encodePartitionState(state: PartitionStateNode): Buffer {
  return json({
    controller_epoch: state.controllerEpoch,
    leader: state.leader,
    version: 1,
    leader_epoch: state.leaderEpoch,
    isr: state.isr,
  })
}

export function decodePartitionState(data: Buffer | null, path: string): PartitionStateNode {
  const node = parse(data, path)
  return {
    controllerEpoch: number(node['controller_epoch'], path),
    leader: number(node['leader'], path),
    leaderEpoch: number(node['leader_epoch'], path),
    isr: numbers(node['isr'], path),
  }
}

export function encodeConfig(config: Iterable<readonly [string, string]>): Buffer {
  return json({ version: 1, config: Object.fromEntries(config) })
}

export function decodeConfig(data: Buffer | null, path: string): Map<string, string> {
  const config = parse(data, path)['config']
  if (!isRecord(config)) throw malformed(path, 'config is missing')
  return new Map(Object.entries(config).map(([key, value]) => [key, String(value)]))
}

export function encodeClusterId(id: string): Buffer {
  return json({ version: '1', id })
}

export function decodeClusterId(data: Buffer | null, path: string): string {
  const id = parse(data, path)['id']
  if (typeof id !== 'string' || id === '') throw malformed(path, 'id is missing')
  return id
}

export function encodeProducerIdBlock(block: ProducerIdBlock): Buffer {
  return json({
    version: 1,
    broker: block.broker,
    block_start: String(block.start),
    block_end: String(block.end),
  })
}

export function decodeProducerIdBlock(data: Buffer | null, path: string): ProducerIdBlock {
  const node = parse(data, path)
  const bounds = [node['block_start'], node['block_end']].map(String)
  if (!bounds.every(bound => /^[0-9]+$/.test(bound))) throw malformed(path, 'a bound is missing')
  const [start = 0n, end = 0n] = bounds.map(BigInt)
  return { broker: number(node['broker'], path), start, end }
}

export function encodeFeatures(levels: Iterable<readonly [string, number]>): Buffer {
  return json({ version: 2, status: 1, features: Object.fromEntries(levels) })
}

export function decodeFeatures(data: Buffer | null, path: string): Map<string, number> {
  const features = parse(data, path)['features']
  if (!isRecord(features)) throw malformed(path, 'features is missing')
  return new Map(Object.entries(features).map(([name, level]) => [name, number(level, path)]))
}

function json(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value))
}

type Json = Readonly<Record<string, unknown>>

function parse(data: Buffer | null, path: string): Json {
  try {
    const value: unknown = JSON.parse(data?.toString() ?? '')
    if (isRecord(value)) return value
  } catch (error) {
    throw malformed(path, messageOf(error))
  }
  throw malformed(path, 'it is not a JSON object')
}

function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function number(value: unknown, path: string): number {
  if (typeof value !== 'number' || !Number.isInteger(value)) throw malformed(path, 'no number')
  return value
}

function numbers(value: unknown, path: string): number[] {
  if (!Array.isArray(value)) throw malformed(path, 'no list of broker ids')
  return value.map(item => number(item, path))
}

function malformed(path: string, why: string): BrokerError {
  return new BrokerError(
    'ERR_METADATA_MALFORMED',
    `Metadata node ${path} cannot be read: ${why}. Restore the metadata folder from a backup.`,
  )
}
