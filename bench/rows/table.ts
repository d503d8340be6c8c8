/** The rows in the order in which they run: what leaves many partitions or connections behind comes last. */
import { compressedBatches } from './compressed.js'
import { manyConnections, parkedFetches } from './connections.js'
import { durableGroup, durableProducer } from './durable.js'
import { fanOut, fetchBytes } from './fetch.js'
import { endToEndLatency } from './latency.js'
import { idlePartitions, manyPartitions } from './partitions.js'
import {
  peakRecords,
  produceBytes,
  produceDefaultBatches,
  produceRecords,
  produceRequests,
  produceSmallBatches,
} from './produce.js'
import { idleProcessor, residentMemory, startTime } from './rest.js'
import type { Row } from './row.js'

export const ROWS: readonly Row[] = [
  startTime,
  endToEndLatency,
  produceBytes,
  produceDefaultBatches,
  produceRecords,
  produceSmallBatches,
  peakRecords,
  produceRequests,
  fetchBytes,
  fanOut,
  durableProducer,
  durableGroup,
  ...compressedBatches,
  residentMemory,
  manyConnections,
  parkedFetches,
  idleProcessor,
  manyPartitions,
  idlePartitions,
]

/** The rows with these ids (13 stands for 13-lz4 and so on); all of them when undefined. */
export function rowsOf(ids: readonly string[] | undefined): readonly Row[] {
  const named = (row: Row, id: string) => row.id === id || row.id.startsWith(`${id}-`)
  const unknown = ids?.filter(id => !ROWS.some(row => named(row, id))) ?? []
  if (unknown.length > 0) {
    const known = ROWS.map(row => row.id).join(', ')
    throw new Error(`There is no row ${unknown.join(', ')}; the rows are ${known}.`)
  }
  return ids === undefined ? ROWS : ROWS.filter(row => ids.some(id => named(row, id)))
}
