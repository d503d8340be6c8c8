/** The file of --path-to-json-file: `{"partitions":[{"topic":"a","partition":1}]}`. */
import { readFileSync } from 'node:fs'
import { messageOf } from '../../base/errors.js'
import { UsageError } from '../failure.js'
import type { TopicPartition } from './leader-election.js'

export function readPartitions(file: string): TopicPartition[] {
  const { partitions } = parsed(file)
  if (!Array.isArray(partitions)) throw new UsageError(`${file} has no list "partitions".`)
  if (partitions.length === 0) throw new UsageError(`${file} names no partition.`)
  const seen = new Set<string>()
  return partitions.map((each: unknown) => {
    const { topic, partition } = Object(each) as Record<string, unknown>
    if (typeof topic !== 'string' || !Number.isInteger(partition)) {
      throw new UsageError(`${file}: each partition needs "topic" and "partition".`)
    }
    const name = `${topic}-${String(partition)}`
    if (seen.has(name))
      throw new UsageError(`Replica election data contains duplicate partitions: ${name}`)
    seen.add(name)
    return { topic, partition: partition as number }
  })
}

function parsed(file: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(readFileSync(file, 'utf8'))) as Record<string, unknown>
  } catch (error) {
    throw new UsageError(`Cannot read the partitions from ${file}: ${messageOf(error)}`)
  }
}
