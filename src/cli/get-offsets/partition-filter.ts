/** Which partitions get-offsets is about, by --topic-partitions or by --topic and --partitions. */
import { BrokerError } from '../../base/errors.js'
import { UsageError } from '../failure.js'
import { matcherOf } from '../topics/topic-names.js'

export type PartitionFilter = (topic: string, partition: number) => boolean

export interface FilterOptions {
  readonly topic?: string
  readonly partitions?: string
  readonly topicPartitions?: string
}

/** `topic`, `topic:5`, `topic:2-4` (exclusive), `topic:2-`, `topic:-4`; the topic is a pattern or empty. */
const RULE = /^([^:,]*)(?::(?:([0-9]*)|(?:([0-9]*)-([0-9]*))))?$/

export function partitionFilterOf(options: FilterOptions): PartitionFilter {
  const { topic, partitions, topicPartitions } = options
  if (topicPartitions !== undefined) {
    if (topic !== undefined || partitions !== undefined) {
      throw new UsageError('--topic-partitions cannot be used with --topic or --partitions')
    }
    const rules = topicPartitions.split(',').map(ruleOf)
    return (name, partition) => rules.some(rule => rule(name, partition))
  }
  const isTopic = matcherOf(topic)
  const wanted = partitions === undefined ? null : new Set(partitionIds(partitions))
  return (name, partition) => isTopic(name) && (wanted === null || wanted.has(partition))
}

function ruleOf(text: string): PartitionFilter {
  const match = RULE.exec(text)
  if (match === null) {
    throw new BrokerError('ERR_PARTITION_RULE', `Invalid rule specification: ${text}`)
  }
  const [, topic, one, from, below] = match
  const isTopic = matcherOf(topic === '' ? undefined : topic)
  const isPartition = (partition: number) => {
    if (one !== undefined && one !== '') return partition === Number(one)
    const isFrom = from === undefined || from === '' || partition >= Number(from)
    return isFrom && (below === undefined || below === '' || partition < Number(below))
  }
  return (name, partition) => isTopic(name) && isPartition(partition)
}

function partitionIds(text: string): number[] {
  const ids = text.split(',').filter(item => item !== '')
  return ids.map(item => {
    if (/^[+-]?\d+$/.test(item)) return Number(item)
    throw new UsageError(
      `--partitions expects a comma separated list of numeric partition ids, but received: ${text}`,
    )
  })
}
