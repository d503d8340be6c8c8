/** The file of --offset-json-file: which records of which partitions are to go. */
import { BrokerError } from '../../base/errors.js'
import type { DeleteRecordsBefore } from '../../client/admin/record-admin.js'

const VERSION = 1

/** Throws ERR_OFFSET_FILE, in Kafka's words where it has some. A partition may stand in it once. */
export function parseOffsetFile(text: string): DeleteRecordsBefore[] {
  const file = objectOf(parsed(text), 'The offset json file')
  const version = file['version'] ?? VERSION
  if (version !== VERSION) throw wrong(`Not supported version field value ${String(version)}`)
  const partitions = file['partitions']
  if (!Array.isArray(partitions)) throw wrong('Missing partitions field')
  const ranges = partitions.map(rangeOf)
  const names = ranges.map(({ topic, partition }) => `${topic}-${partition}`)
  const repeated = names.filter((name, index) => names.indexOf(name) !== index)
  if (repeated.length === 0) return ranges
  const distinct = [...new Set(repeated)].join(',')
  throw wrong(`Offset json file contains duplicate topic partitions: ${distinct}`)
}

function rangeOf(value: unknown): DeleteRecordsBefore {
  const entry = objectOf(value, 'An entry of partitions')
  const { topic, partition, offset } = entry
  if (typeof topic !== 'string') throw wrong('topic must be a string in each entry of partitions')
  return {
    topic,
    partition: integer(partition, 'partition'),
    beforeOffset: BigInt(integer(offset, 'offset')),
  }
}

function integer(value: unknown, name: string): number {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value
  throw wrong(`${name} must be an integer in each entry of partitions`)
}

function objectOf(value: unknown, what: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>
  }
  throw wrong(`${what} is not a JSON object`)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new BrokerError('ERR_OFFSET_FILE', 'The input string is not a valid JSON', {
      cause: error,
    })
  }
}

function wrong(message: string): BrokerError {
  return new BrokerError('ERR_OFFSET_FILE', message)
}
