/** Produce requests: which batches go in one, how they are laid out per version, and whose answer is whose. */
import { ZERO_UUID } from '../../base/uuid.js'
import { ProduceRequest, ProduceResponse } from '../../protocol/messages/produce.js'
import type { InferInput } from '../../protocol/schema/message.js'
import type { Metadata } from '../cluster/metadata.js'
import type { PartitionQueue } from './partition-queue.js'
import type { ProducerBatch } from './producer-batch.js'

export const PRODUCE = { request: ProduceRequest, response: ProduceResponse }

/** From here on topics have ids instead of names (KIP-516). */
const TOPIC_IDS_SINCE = 13
const LAST_WITH_NAMES = 12

/** One batch on its way. */
export interface Shipment {
  readonly queue: PartitionQueue
  readonly batch: ProducerBatch
  readonly bytes: Buffer
}

export type PartitionAnswer = ProduceResponse['responses'][number]['partitionResponses'][number]

/** The newest version that suits the topics: names where the id of one is not known. */
export function versionLimit(shipments: readonly Shipment[], metadata: Metadata): number {
  const hasIds = shipments.every(({ queue }) => topicIdOf(queue, metadata) !== ZERO_UUID)
  return hasIds ? Infinity : LAST_WITH_NAMES
}

/** The body; each partition occurs once in `shipments`. */
export function produceBody(
  shipments: readonly Shipment[],
  metadata: Metadata,
  acks: number,
  timeoutMs: number,
): (version: number) => InferInput<typeof ProduceRequest> {
  return version => {
    const topics = new Map<string, { index: number; records: Buffer }[]>()
    for (const { queue, bytes } of shipments) {
      const partitions = topics.get(queue.topic)
      const entry = { index: queue.partition, records: bytes }
      if (partitions === undefined) topics.set(queue.topic, [entry])
      else partitions.push(entry)
    }
    const topicData = [...topics].map(([name, partitionData]) =>
      version >= TOPIC_IDS_SINCE
        ? { topicId: metadata.topic(name)?.topicId ?? ZERO_UUID, partitionData }
        : { name, partitionData },
    )
    return { transactionalId: null, acks, timeoutMs, topicData }
  }
}

/** Each shipment with its answer; undefined where the broker left one out. */
export function answersOf(
  shipments: readonly Shipment[],
  response: ProduceResponse,
  metadata: Metadata,
): [Shipment, PartitionAnswer | undefined][] {
  const answers = new Map<string, PartitionAnswer>()
  for (const { name, topicId, partitionResponses } of response.responses) {
    const topic = name === '' ? metadata.nameOf(topicId) : name
    for (const answer of partitionResponses) answers.set(`${topic}-${answer.index}`, answer)
  }
  return shipments.map(shipment => {
    const { topic, partition } = shipment.queue
    return [shipment, answers.get(`${topic}-${partition}`)]
  })
}

function topicIdOf({ topic }: PartitionQueue, metadata: Metadata): string {
  return metadata.topic(topic)?.topicId ?? ZERO_UUID
}
