/** One partition of a topic, by name. */
export interface TopicPartition {
  readonly topic: string
  readonly partition: number
}

/** A key for maps: topic names hold no colon. */
export function keyOf({ topic, partition }: TopicPartition): string {
  return `${topic}:${partition}`
}

/** `orders-3`, as Kafka's tools print it. */
export function nameOf({ topic, partition }: TopicPartition): string {
  return `${topic}-${partition}`
}

export interface TopicPartitions {
  topic: string
  partitions: number[]
}

/** As requests list them: each topic once, in the order of its first partition. */
export function byTopic(partitions: Iterable<TopicPartition>): TopicPartitions[] {
  const topics = new Map<string, TopicPartitions>()
  for (const { topic, partition } of partitions) {
    const known = topics.get(topic)
    if (known === undefined) topics.set(topic, { topic, partitions: [partition] })
    else known.partitions.push(partition)
  }
  return [...topics.values()]
}

export function fromTopics(topics: Iterable<TopicPartitions>): TopicPartition[] {
  return [...topics].flatMap(({ topic, partitions }) =>
    partitions.map(partition => ({ topic, partition })),
  )
}
