/** The rows in the order in which they run: what wants a broker at rest comes first. */
import { endToEndLatency } from './latency.js'
import { idleProcessor, residentMemory, startTime } from './rest.js'
import type { Row } from './row.js'
import { fetchBytes, produceBytes, produceRecords, produceRequests } from './throughput.js'

export const ROWS: readonly Row[] = [
  startTime,
  idleProcessor,
  endToEndLatency,
  produceBytes,
  produceRecords,
  produceRequests,
  fetchBytes,
  residentMemory,
]

/** The rows with these ids; all of them when undefined. Throws on an id that is not there. */
export function rowsOf(ids: readonly string[] | undefined): readonly Row[] {
  const unknown = ids?.filter(id => !ROWS.some(row => row.id === id)) ?? []
  if (unknown.length > 0) {
    const known = ROWS.map(row => row.id).join(', ')
    throw new Error(`There is no row ${unknown.join(', ')}; the rows are ${known}.`)
  }
  return ids === undefined ? ROWS : ROWS.filter(row => ids.includes(row.id))
}
