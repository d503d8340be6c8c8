/** Reads all topics from the store at start, and raises the epochs that a start must raise. */
import type { MetadataStore, StoreOperation } from './metadata-store.js'
import { isInternalTopic } from './topic-name.js'
import {
  CONTROLLER_EPOCH_PATH,
  decodeConfig,
  decodePartitionState,
  decodeTopicNode,
  encodePartitionState,
  partitionStatePath,
  topicConfigPath,
  topicPath,
  TOPICS_PATH,
} from './topic-nodes.js'
import type { PartitionState, Topic } from './topic.js'

/** All topics as stored. */
export async function loadTopics(store: MetadataStore): Promise<Topic[]> {
  const names = await store.children(TOPICS_PATH)
  return Promise.all(names.map(name => loadTopic(store, name)))
}

async function loadTopic(store: MetadataStore, name: string): Promise<Topic> {
  const path = topicPath(name)
  const [topicNode, configNode] = await Promise.all([
    store.get(path),
    store.find(topicConfigPath(name)),
  ])
  const { topicId, assignments } = decodeTopicNode(topicNode.data, path)
  const partitions = await Promise.all(
    assignments.map((replicas, partition) => loadPartition(store, name, partition, replicas)),
  )
  const configs =
    configNode === undefined
      ? new Map<string, string>()
      : decodeConfig(configNode.data, topicConfigPath(name))
  return { name, topicId, isInternal: isInternalTopic(name), partitions, configs }
}

async function loadPartition(
  store: MetadataStore,
  topic: string,
  partition: number,
  replicas: readonly number[],
): Promise<PartitionState> {
  const path = partitionStatePath(topic, partition)
  const { data, stat } = await store.get(path)
  const { leader, leaderEpoch, isr } = decodePartitionState(data, path)
  return { partition, replicas, leader, leaderEpoch, isr, partitionEpoch: stat.version }
}

/** Adds one to the controller epoch, as a newly elected controller does; the first is 1. */
export async function raiseControllerEpoch(store: MetadataStore): Promise<number> {
  const node = await store.find(CONTROLLER_EPOCH_PATH)
  if (node === undefined) {
    await store.create(CONTROLLER_EPOCH_PATH, Buffer.from('1'))
    return 1
  }
  const epoch = Number(node.data?.toString() ?? '0') + 1
  await store.set(CONTROLLER_EPOCH_PATH, Buffer.from(String(epoch)), node.stat.version)
  return epoch
}

/**
 * A new leader epoch for every partition that `brokerId` leads, in one durable write: what the
 * broker appends from now on can be told from what a recovery cut away.
 */
export async function raiseLeaderEpochs(
  store: MetadataStore,
  topics: readonly Topic[],
  by: { readonly brokerId: number; readonly controllerEpoch: number },
): Promise<Topic[]> {
  const operations: StoreOperation[] = []
  const raise = (topic: string, state: PartitionState): PartitionState => {
    if (state.leader !== by.brokerId) return state
    const leaderEpoch = state.leaderEpoch + 1
    const { controllerEpoch } = by
    operations.push({
      type: 'set',
      path: partitionStatePath(topic, state.partition),
      data: encodePartitionState({ ...state, leaderEpoch, controllerEpoch }),
      version: state.partitionEpoch,
    })
    return { ...state, leaderEpoch, partitionEpoch: state.partitionEpoch + 1 }
  }
  const raised = topics.map(topic => ({
    ...topic,
    partitions: topic.partitions.map(state => raise(topic.name, state)),
  }))
  if (operations.length > 0) await store.multi(operations)
  return raised
}
