/**
 * Dumps a `.timeindex` file and checks each entry against the largest timestamp of the batch it
 * names.
 */
import { resolve } from 'node:path'
import { legacyRecords } from '../../records/legacy-message-set.js'
import { NO_TIMESTAMP } from '../../records/record.js'
import { readRecords } from '../../records/record-reader.js'
import type { DumpContext } from './dump-data-log.js'
import {
  checkPosition,
  OFFSET_INDEX_ENTRY_SIZE,
  OFFSET_INDEX_OFFSET_AT,
  OFFSET_INDEX_POSITION_AT,
} from './dump-offset-index.js'
import { fileBatches } from './file-batch.js'
import type { FileBatch } from './file-batch.js'
import { siblingOf } from './file-name.js'
import { corruptIndex, IndexFile } from './index-file.js'
import { WindowedFile } from './windowed-file.js'

const ENTRY_SIZE = 12
const TIMESTAMP_AT = 0
const OFFSET_AT = 8
/** The tail of an offset index that the broker keeps in memory: 8192 bytes. */
const WARM_ENTRIES = 8192 / OFFSET_INDEX_ENTRY_SIZE

interface SegmentFiles {
  log: WindowedFile
  index: IndexFile
  timeIndex: IndexFile
}

/** Needs the `.log` and the `.index` beside it; rejects if one of the three cannot be read. */
export async function dumpTimeIndex(path: string, context: DumpContext): Promise<void> {
  const log = await WindowedFile.open(siblingOf(path, '.log'))
  try {
    const index = await IndexFile.open(siblingOf(path, '.index'), OFFSET_INDEX_ENTRY_SIZE)
    try {
      const timeIndex = await IndexFile.open(path, ENTRY_SIZE)
      try {
        await dumpFiles(path, { log, index, timeIndex }, context)
      } finally {
        await timeIndex.close()
      }
    } finally {
      await index.close()
    }
  } finally {
    await log.close()
  }
}

async function dumpFiles(path: string, files: SegmentFiles, context: DumpContext): Promise<void> {
  const { options, out } = context
  if (options.indexSanityCheck) {
    await checkTimeIndex(path, files.timeIndex)
    return out.println(`${path} passed sanity check.`)
  }
  const usedIndexEntries = await countUsed(files.index)
  let previous = NO_TIMESTAMP
  for (let slot = 0; slot < files.timeIndex.entries; slot++) {
    if (await files.timeIndex.isUnused(slot, OFFSET_AT)) return
    const offset = await files.timeIndex.offset(slot, OFFSET_AT)
    const timestamp = (await files.timeIndex.entry(slot)).readBigInt64BE(TIMESTAMP_AT)
    const start = await positionFor(files.index, usedIndexEntries, offset)
    await checkEntry(resolve(path), files.log, start, { offset, timestamp, previous }, context)
    if (!options.verifyIndexOnly) out.println(`timestamp: ${timestamp} offset: ${offset}`)
    previous = timestamp
    await out.pace()
  }
}

async function checkTimeIndex(path: string, timeIndex: IndexFile): Promise<void> {
  if (timeIndex.entries > 0) {
    const first = (await timeIndex.entry(0)).readBigInt64BE(TIMESTAMP_AT)
    const last = (await timeIndex.entry(timeIndex.entries - 1)).readBigInt64BE(TIMESTAMP_AT)
    const lastOffset = await timeIndex.offset(timeIndex.entries - 1, OFFSET_AT)
    const prefix = `Corrupt time index found, time index file (${resolve(path)}) has non-zero size`
    if (last < first) {
      throw corruptIndex(
        `${prefix} but the last timestamp is ${last} which is less than ` +
          `the first timestamp ${first}`,
      )
    }
    if (lastOffset < timeIndex.baseOffset) {
      throw corruptIndex(
        `${prefix} but the last offset is ${lastOffset} which is less than ` +
          `the first offset ${timeIndex.baseOffset}`,
      )
    }
  }
  timeIndex.checkLength('Time index')
}

interface TimeIndexEntry {
  offset: bigint
  timestamp: bigint
  previous: bigint
}

async function checkEntry(
  file: string,
  log: WindowedFile,
  start: number,
  { offset, timestamp, previous }: TimeIndexEntry,
  { findings }: DumpContext,
): Promise<void> {
  checkPosition(log, start)
  for await (const batch of fileBatches(log, start, log.size)) {
    const lastOffset = await batch.lastOffset()
    if (lastOffset < offset) continue
    if (lastOffset > offset) return findings.offsetNotFound(file, offset, lastOffset)
    const logTimestamp = await maxTimestampOf(batch)
    if (logTimestamp !== timestamp) findings.timestampMismatch(file, timestamp, logTimestamp)
    if (previous >= timestamp) findings.outOfOrderTimestamp(file, timestamp, previous)
    return
  }
  findings.offsetNotFound(file, offset, -1n)
}

async function maxTimestampOf(batch: FileBatch): Promise<bigint> {
  const records = batch.isLegacy
    ? await legacyRecords(await batch.message())
    : await readRecords(await batch.batch())
  let max = NO_TIMESTAMP
  for (const { timestamp } of records) if (timestamp > max) max = timestamp
  return max
}

/**
 * The number of entries before the zeros that an unclean shutdown leaves; entries rise, zeros
 * follow.
 */
async function countUsed(index: IndexFile): Promise<number> {
  let low = 0
  let high = index.entries
  while (low < high) {
    const middle = (low + high) >>> 1
    if (await index.isUnused(middle, OFFSET_INDEX_OFFSET_AT)) high = middle
    else low = middle + 1
  }
  return low
}

/**
 * Where a batch with `offset` may begin at the earliest: the position of the greatest entry that is
 * not beyond it. Searches the last entries first, as the broker does, which shows in damaged
 * indexes only.
 */
async function positionFor(index: IndexFile, used: number, offset: bigint): Promise<number> {
  if (used === 0) return 0
  const firstWarm = Math.max(0, used - 1 - WARM_ENTRIES)
  const isWarm = (await index.offset(firstWarm, OFFSET_INDEX_OFFSET_AT)) < offset
  if (!isWarm && (await index.offset(0, OFFSET_INDEX_OFFSET_AT)) > offset) return 0
  let low = isWarm ? firstWarm : 0
  let high = isWarm ? used - 1 : firstWarm
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    const found = await index.offset(middle, OFFSET_INDEX_OFFSET_AT)
    if (found <= offset) low = middle
    else high = middle - 1
    if (found === offset) high = middle
  }
  return (await index.entry(low)).readInt32BE(OFFSET_INDEX_POSITION_AT)
}
