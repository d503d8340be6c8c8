/** A shard's context for tests: simulated time, topics as told, settings over Kafka's defaults. */
import { type Uuid, ZERO_UUID } from '../../../../src/base/uuid.js'
import type { BrokerConfig } from '../../../../src/config/broker-config.js'
import { loadBrokerConfig } from '../../../../src/config/load-broker-config.js'
import type {
  GroupContext,
  TopicImage,
  TopicsImage,
} from '../../../../src/coordinator/group/group-context.js'
import type { GroupRecord } from '../../../../src/coordinator/group/records/group-record.js'
import { ScheduledTimers, type Timers } from '../../../../src/coordinator/runtime/timers.js'
import { SimulatedTime } from '../simulated-time.js'

/** The broker's settings with some of them set. */
export function settingsOf(settings: Record<string, string>): BrokerConfig {
  return loadBrokerConfig({ properties: settings })
}

/** Topics by name with their numbers of partitions; their ids are their names in base64. */
export class FakeTopics implements TopicsImage {
  version = 0
  readonly #topics = new Map<string, TopicImage>()

  put(name: string, numPartitions: number): this {
    this.version++
    const topicId = Buffer.from(name.padEnd(16, '.').slice(0, 16)).toString('base64url') as Uuid
    this.#topics.set(name, { name, topicId, numPartitions, racks: () => [] })
    return this
  }

  delete(name: string): void {
    this.version++
    this.#topics.delete(name)
  }

  topic(name: string): TopicImage | undefined {
    return this.#topics.get(name)
  }

  topicById(topicId: Uuid): TopicImage | undefined {
    if (topicId === ZERO_UUID) return undefined
    return [...this.#topics.values()].find(topic => topic.topicId === topicId)
  }

  names(): Iterable<string> {
    return this.#topics.keys()
  }
}

export function contextOf(
  config: BrokerConfig,
  parts: { time?: SimulatedTime; timers?: Timers<GroupRecord>; topics?: TopicsImage } = {},
): GroupContext {
  const time = parts.time ?? new SimulatedTime()
  let uuids = 0
  return {
    clock: time,
    timers: parts.timers ?? new ScheduledTimers<GroupRecord>(time, () => undefined),
    topics: parts.topics ?? new FakeTopics(),
    config,
    newUuid: () => Buffer.from(`uuid${++uuids}`.padStart(16, '.')).toString('base64url') as Uuid,
    groupOverrides: () => new Map(),
    trace: () => undefined,
  }
}
