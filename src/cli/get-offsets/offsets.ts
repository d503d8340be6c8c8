/** Looks offsets up and prints them in the lines of kafka-get-offsets: sorted, only what was found. */
import { BrokerError } from '../../base/errors.js'
import { Admin } from '../../client/admin/admin.js'
import { PartialFailureError } from '../../client/admin/per-item.js'
import type { OffsetQuery } from '../../client/admin/record-admin.js'
import type { PartitionFilter } from './partition-filter.js'

export interface OffsetsWanted {
  readonly bootstrapServers: string
  readonly isWanted: PartitionFilter
  /** As in ListOffsets: milliseconds, or one of its negative numbers. */
  readonly timestamp: bigint
  readonly excludeInternal: boolean
}

export async function printOffsets(wanted: OffsetsWanted): Promise<void> {
  const { bootstrapServers } = wanted
  const admin = new Admin({ bootstrapServers, clientId: 'millrace-get-offsets' })
  try {
    const queries = await queriesOf(admin, wanted)
    const { offsets, failures } = await lookUp(admin, queries)
    for (const [partition, why] of failures) {
      console.error(`Skip getting offsets for topic-partition ${partition} due to error: ${why}`)
    }
    for (const { topic, partition } of queries) {
      const offset = offsets.get(`${topic}-${partition}`)
      if (offset !== undefined && offset >= 0n) console.log(`${topic}:${partition}:${offset}`)
    }
  } finally {
    await admin.close()
  }
}

/** Partitions without a leader are named and left out. */
async function queriesOf(
  admin: Admin,
  { isWanted, timestamp, excludeInternal }: OffsetsWanted,
): Promise<OffsetQuery[]> {
  const names = await admin.topics.list({ internal: !excludeInternal })
  const topics = names.length === 0 ? [] : [...(await admin.topics.describe(names)).values()]
  const found = topics
    .toSorted((left, right) => (left.name < right.name ? -1 : 1))
    .flatMap(({ name, partitions }) =>
      partitions
        .filter(({ partition }) => isWanted(name, partition))
        .toSorted((left, right) => left.partition - right.partition)
        .map(({ partition, leader }) => ({ topic: name, partition, leader, at: timestamp })),
    )
  if (found.length === 0) {
    throw new BrokerError(
      'ERR_TOPIC_UNKNOWN',
      'Error occurred: Could not match any topic-partitions with the specified filters',
    )
  }
  return found.filter(({ topic, partition, leader }) => {
    if (leader >= 0) return true
    console.error(
      `Error: topic-partition ${topic}-${partition} does not have a leader. Skip getting offsets`,
    )
    return false
  })
}

async function lookUp(
  admin: Admin,
  queries: readonly OffsetQuery[],
  failures: ReadonlyMap<string, string> = new Map(),
): Promise<{ offsets: Map<string, bigint>; failures: ReadonlyMap<string, string> }> {
  try {
    const listed = await admin.records.listOffsets(queries)
    return { offsets: new Map([...listed].map(([name, { offset }]) => [name, offset])), failures }
  } catch (error) {
    if (!(error instanceof PartialFailureError)) throw error
    // The answers of the others are in no error: they are asked for again.
    const failed = new Map([...error.failures].map(([name, { message }]) => [name, message]))
    const left = queries.filter(({ topic, partition }) => !failed.has(`${topic}-${partition}`))
    return lookUp(admin, left, new Map([...failures, ...failed]))
  }
}
