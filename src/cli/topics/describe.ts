/** `millrace topics --describe`, in the columns of kafka-topics. Neighbour: topic-descriptions.ts fetches. */
import type { AdminClient } from '../../client/admin-client.js'
import { type TopicDescription, describeAll } from './topic-descriptions.js'
import { matchingTopics, requireTopics } from './topic-names.js'
import type { TopicsOptions } from './topics.js'

type Partition = TopicDescription['partitions'][number]

export async function describeTopics(client: AdminClient, options: TopicsOptions): Promise<void> {
  const names = await matchingTopics(client, options)
  requireTopics(names, options)
  if (names.length === 0) return
  const topics = await describeAll(client, names, options.partitionSizeLimitPerResponse)
  if (options.json === true) {
    console.log(JSON.stringify(topics, null, 2))
    return
  }
  for (const topic of topics) for (const line of linesOf(topic, options)) console.log(line)
}

/** Exported for its test. */
export function linesOf(topic: TopicDescription, options: Partial<TopicsOptions>): string[] {
  const onlyPartitions = options.unavailablePartitions ?? options.underReplicatedPartitions ?? false
  const hasOverrides = topic.configs.length > 0
  if (options.topicsWithOverrides === true) return hasOverrides ? [topicLine(topic)] : []
  const partitions = topic.partitions
    .filter(({ leader }) => options.unavailablePartitions !== true || leader === null)
    .filter(partition => options.underReplicatedPartitions !== true || isShort(partition))
    .map(partition => partitionLine(topic.topic, partition))
  return onlyPartitions ? partitions : [topicLine(topic), ...partitions]
}

function isShort({ replicas, isr }: Partition): boolean {
  return isr.length < replicas.length
}

function topicLine(topic: TopicDescription): string {
  const configs = topic.configs.map(({ name, value }) => `${name}=${value ?? 'null'}`).join(',')
  return [
    `Topic: ${topic.topic}`,
    `TopicId: ${topic.topicId}`,
    `PartitionCount: ${topic.partitions.length}`,
    `ReplicationFactor: ${topic.partitions[0]?.replicas.length ?? 0}`,
    `Configs: ${configs}`,
  ].join('\t')
}

function partitionLine(topic: string, partition: Partition): string {
  return [
    '',
    `Topic: ${topic}`,
    `Partition: ${partition.partition}`,
    `Leader: ${partition.leader ?? 'none'}`,
    `Replicas: ${partition.replicas.join(',')}`,
    `Isr: ${partition.isr.join(',')}`,
    `Elr: ${partition.elr?.join(',') ?? 'N/A'}`,
    `LastKnownElr: ${partition.lastKnownElr?.join(',') ?? 'N/A'}`,
  ].join('\t')
}
