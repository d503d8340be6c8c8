/** Dumps a `.txnindex` file: the aborted transactions whose marker lies in the segment. */
import { BrokerError, codeOf } from '../../base/errors.js'
import type { DumpContext } from './dump-data-log.js'
import { baseOffsetOf } from './file-name.js'
import { WindowedFile } from './windowed-file.js'

const ENTRY_SIZE = 34
const CURRENT_VERSION = 0

/** A missing file counts as empty, for a segment without aborted transactions has none. */
export async function dumpTxnIndex(path: string, { out }: DumpContext): Promise<void> {
  baseOffsetOf(path)
  const file = await openIfPresent(path)
  if (file === null) return
  try {
    for (let position = 0; file.size - position >= ENTRY_SIZE; position += ENTRY_SIZE) {
      const entry = await file.read(position, ENTRY_SIZE)
      const version = entry.readInt16BE(0)
      if (version > CURRENT_VERSION) {
        throw new BrokerError(
          'ERR_INDEX_CORRUPT',
          `Unexpected aborted transaction version ${version} in transaction index ${path}, ` +
            `current version is ${CURRENT_VERSION}`,
        )
      }
      out.println(
        `version: ${version} producerId: ${entry.readBigInt64BE(2)}` +
          ` firstOffset: ${entry.readBigInt64BE(10)} lastOffset: ${entry.readBigInt64BE(18)}` +
          ` lastStableOffset: ${entry.readBigInt64BE(26)}`,
      )
      await out.pace()
    }
  } finally {
    await file.close()
  }
}

async function openIfPresent(path: string): Promise<WindowedFile | null> {
  try {
    return await WindowedFile.open(path)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}
