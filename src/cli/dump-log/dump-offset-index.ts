/** Dumps an `.index` file and checks each entry against the batch in the `.log` file beside it. */
import { resolve } from 'node:path'
import { corruptRecord } from '../../records/record.js'
import type { DumpContext } from './dump-data-log.js'
import { fileBatches } from './file-batch.js'
import { siblingOf } from './file-name.js'
import { corruptIndex, IndexFile } from './index-file.js'
import { WindowedFile } from './windowed-file.js'

export const OFFSET_INDEX_ENTRY_SIZE = 8
export const OFFSET_INDEX_OFFSET_AT = 0
export const OFFSET_INDEX_POSITION_AT = 4

/** Rejects if either file cannot be read or an entry points outside the log. */
export async function dumpOffsetIndex(path: string, context: DumpContext): Promise<void> {
  const log = await WindowedFile.open(siblingOf(path, '.log'))
  try {
    const index = await IndexFile.open(path, OFFSET_INDEX_ENTRY_SIZE)
    try {
      await dumpEntries(path, index, log, context)
    } finally {
      await index.close()
    }
  } finally {
    await log.close()
  }
}

async function dumpEntries(
  path: string,
  index: IndexFile,
  log: WindowedFile,
  { options, out, findings }: DumpContext,
): Promise<void> {
  if (index.entries === 0) return out.println(`${path} is empty.`)
  if (options.indexSanityCheck) {
    await checkOffsetIndex(path, index)
    return out.println(`${path} passed sanity check.`)
  }
  for (let slot = 0; slot < index.entries; slot++) {
    if (await index.isUnused(slot, OFFSET_INDEX_OFFSET_AT)) return
    const offset = await index.offset(slot, OFFSET_INDEX_OFFSET_AT)
    const position = (await index.entry(slot)).readInt32BE(OFFSET_INDEX_POSITION_AT)
    const logOffset = await lastOffsetAt(log, position, options.maxMessageSize)
    if (logOffset !== offset) findings.indexMismatch(resolve(path), offset, logOffset)
    if (!options.verifyIndexOnly) out.println(`offset: ${offset} position: ${position}`)
    await out.pace()
  }
}

async function checkOffsetIndex(path: string, index: IndexFile): Promise<void> {
  const lastOffset = await index.offset(index.entries - 1, OFFSET_INDEX_OFFSET_AT)
  if (lastOffset < index.baseOffset) {
    throw corruptIndex(
      `Corrupt index found, index file ${resolve(path)} has non-zero size but the last offset ` +
        `is ${lastOffset} which is less than the base offset ${index.baseOffset}`,
    )
  }
  index.checkLength('Index')
}

async function lastOffsetAt(
  log: WindowedFile,
  position: number,
  maxMessageSize: number,
): Promise<bigint> {
  checkPosition(log, position)
  const end = Math.min(log.size, position + maxMessageSize)
  for await (const batch of fileBatches(log, position, end)) return batch.lastOffset()
  throw corruptRecord(
    `${log.path} has no whole batch of up to ${maxMessageSize} bytes at byte ${position}; ` +
      'if it is longer, raise --max-message-size.',
  )
}

/** Throws ERR_INDEX_CORRUPT for a position outside the log. */
export function checkPosition(log: WindowedFile, position: number): void {
  if (position >= 0 && position <= log.size) return
  throw corruptIndex(
    `An index entry points to byte ${position} of ${log.path}, which has ${log.size} bytes.`,
  )
}
