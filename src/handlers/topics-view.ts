/** Topics as clients see them: those of the registry, each partition led by its leader once its log serves. */
import type { Uuid } from '../base/uuid.js'
import type { TopicRegistry } from '../metadata/topic-registry.js'
import type { Topic } from '../metadata/topic.js'
import type { TopicView, TopicsView } from './services.js'

/** `isServed` tells whether this broker serves the partition. */
export function topicsViewOf(
  registry: TopicRegistry,
  isServed: (topic: string, partition: number) => boolean,
): TopicsView {
  const viewOf = (topic: Topic | undefined): TopicView | undefined =>
    topic === undefined ? undefined : describe(topic, isServed)
  return {
    topic: (name: string) => viewOf(registry.getByName(name)),
    topicById: (topicId: Uuid) => viewOf(registry.getById(topicId)),
    topicNames: () => Array.from(registry.list(), ({ name }) => name).sort(),
  }
}

function describe(
  { name, topicId, isInternal, partitions }: Topic,
  isServed: (topic: string, partition: number) => boolean,
): TopicView {
  return {
    name,
    topicId,
    isInternal,
    partitions: partitions.map(({ partition, replicas, leader, leaderEpoch, isr }) => {
      const view = { partitionIndex: partition, leaderEpoch, replicas, isr }
      return isServed(name, partition)
        ? { ...view, leaderId: leader, offlineReplicas: [] }
        : { ...view, leaderId: -1, offlineReplicas: replicas }
    }),
  }
}
