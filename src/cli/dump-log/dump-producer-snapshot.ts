/**
 * Dumps a `.snapshot` file, the state of the producers at an offset:
 *
 *   version i16 | crc u32 (CRC-32C of all that follows) | count i32 | entries of 46 bytes:
 *   0 producerId i64 | 8 epoch i16 | 10 lastSequence i32 | 14 lastOffset i64 | 22 offsetDelta i32
 *  26 timestamp i64 | 34 coordinatorEpoch i32 | 38 currentTxnFirstOffset i64
 */
import { readFile } from 'node:fs/promises'
import { crc32c } from '../../records/crc32c.js'
import type { DumpContext } from './dump-data-log.js'

const VERSION = 1
const ENTRIES_AT = 6
const FIRST_ENTRY_AT = 10
const ENTRY_SIZE = 46
const SCHEMA_FAILURE = 'Snapshot failed schema validation'
const INT32_MAX = 2 ** 31 - 1

/** A damaged snapshot is reported on standard error and does not fail the run, as with Kafka. */
export async function dumpProducerSnapshot(path: string, { out }: DumpContext): Promise<void> {
  const bytes = await readFile(path)
  const damage = damageOf(bytes)
  if (damage !== null) return out.error(damage)
  const count = bytes.readInt32BE(ENTRIES_AT)
  for (let index = 0; index < count; index++) {
    out.println(entryText(bytes.subarray(FIRST_ENTRY_AT + index * ENTRY_SIZE)))
    await out.pace()
  }
}

function damageOf(bytes: Buffer): string | null {
  if (bytes.length < FIRST_ENTRY_AT) {
    return `${SCHEMA_FAILURE}: it has ${bytes.length} bytes, fewer than its header`
  }
  const count = bytes.readInt32BE(ENTRIES_AT)
  if (count < 0 || count * ENTRY_SIZE > bytes.length - FIRST_ENTRY_AT) {
    return `${SCHEMA_FAILURE}: it has no room for its ${count} entries`
  }
  const version = bytes.readInt16BE(0)
  if (version !== VERSION) {
    return `${SCHEMA_FAILURE}: Snapshot contained an unknown file version ${version}`
  }
  const stored = bytes.readUInt32BE(2)
  const computed = crc32c(bytes.subarray(ENTRIES_AT))
  if (stored === computed) return null
  return (
    `Snapshot is corrupt (CRC is no longer valid). Stored crc: ${stored}. ` +
    `Computed crc: ${computed}`
  )
}

function entryText(entry: Buffer): string {
  const lastSequence = entry.readInt32BE(10)
  const lastOffset = entry.readBigInt64BE(14)
  const offsetDelta = entry.readInt32BE(22)
  const timestamp = entry.readBigInt64BE(26)
  const txnFirstOffset = entry.readBigInt64BE(38)
  const producer =
    `producerId: ${entry.readBigInt64BE(0)} producerEpoch: ${entry.readInt16BE(8)}` +
    ` coordinatorEpoch: ${entry.readInt32BE(34)} currentTxnFirstOffset: ` +
    (txnFirstOffset < 0n ? 'OptionalLong.empty' : `OptionalLong[${txnFirstOffset}]`) +
    ` lastTimestamp: ${timestamp}`
  if (lastOffset < 0n) return producer
  return (
    `${producer} firstSequence: ${firstSequence(lastSequence, offsetDelta)}` +
    ` lastSequence: ${lastSequence} lastOffset: ${lastOffset}` +
    ` offsetDelta: ${offsetDelta} timestamp: ${timestamp}`
  )
}

/** The sequence `offsetDelta` before the last one; sequences wrap from 2147483647 to 0. */
function firstSequence(lastSequence: number, offsetDelta: number): number {
  if (lastSequence >= offsetDelta) return lastSequence - offsetDelta
  return INT32_MAX - (offsetDelta - lastSequence) + 1
}
