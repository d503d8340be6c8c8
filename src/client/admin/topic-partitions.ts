/** Lists of partitions as callers write them, and as requests group them. */
import type { Address } from '../bootstrap-servers.js'
import type { Cluster } from '../cluster/cluster.js'
import type { TopicPartition } from '../consumer/topic-partition.js'

/** The partitions under their topics, in order of first mention. */
export function byTopic<T extends TopicPartition>(items: readonly T[]): Map<string, T[]> {
  const topics = new Map<string, T[]>()
  for (const item of items) {
    const known = topics.get(item.topic)
    if (known === undefined) topics.set(item.topic, [item])
    else known.push(item)
  }
  return topics
}

/** The partitions under the brokers that lead them. Rejects if a leader is not to be had in time. */
export async function byLeader<T extends TopicPartition>(
  cluster: Cluster,
  items: readonly T[],
): Promise<Map<Address, T[]>> {
  const nodes = new Map<number, { node: Address; items: T[] }>()
  for (const item of items) {
    const node = await cluster.leader(item.topic, item.partition)
    const known = nodes.get(node.nodeId)
    if (known === undefined) nodes.set(node.nodeId, { node, items: [item] })
    else known.items.push(item)
  }
  return new Map([...nodes.values()].map(({ node, items: led }) => [node, led]))
}
