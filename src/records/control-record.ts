/**
 * Control records: what the broker itself writes into a log. Their key is i16 version, i16 type.
 * Readers must pass over types they do not know and never show any to applications.
 */
import { corruptRecord } from './record.js'

export const CONTROL_RECORD_TYPES = [
  'ABORT',
  'COMMIT',
  'LEADER_CHANGE',
  'SNAPSHOT_HEADER',
  'SNAPSHOT_FOOTER',
  'KRAFT_VERSION',
  'KRAFT_VOTERS',
] as const

export type ControlRecordType = (typeof CONTROL_RECORD_TYPES)[number] | 'UNKNOWN'

const KEY_BYTES = 4
const END_TXN_MARKER_BYTES = 6
const CURRENT_KEY_VERSION = 0
const CURRENT_MARKER_VERSION = 0

/** The type number in a control record's key. Throws ERR_RECORD_CORRUPT for a key that is none. */
export function controlRecordTypeId(key: Buffer | null): number {
  if (key === null || key.length < KEY_BYTES) {
    throw corruptRecord(
      `A control record needs a key of ${KEY_BYTES} bytes; this one has ${key?.length ?? 'none'}.`,
    )
  }
  const version = key.readInt16BE(0)
  if (version < 0) throw corruptRecord(`A control record has the key version ${version}.`)
  return key.readInt16BE(2)
}

export function controlRecordType(typeId: number): ControlRecordType {
  return CONTROL_RECORD_TYPES[typeId] ?? 'UNKNOWN'
}

/** The value of an ABORT or COMMIT record. Throws ERR_RECORD_CORRUPT if it is none. */
export function endTxnMarkerCoordinatorEpoch(value: Buffer | null): number {
  if (value === null || value.length < END_TXN_MARKER_BYTES) {
    throw corruptRecord(
      `A transaction marker needs a value of ${END_TXN_MARKER_BYTES} bytes; ` +
        `this one has ${value?.length ?? 'none'}.`,
    )
  }
  const version = value.readInt16BE(0)
  if (version < 0) throw corruptRecord(`A transaction marker has the version ${version}.`)
  return value.readInt32BE(2)
}

/** Key and value of the record that ends a transaction on a partition. */
export function endTxnMarker(
  type: 'ABORT' | 'COMMIT',
  coordinatorEpoch: number,
): { key: Buffer; value: Buffer } {
  const key = Buffer.alloc(KEY_BYTES)
  key.writeInt16BE(CURRENT_KEY_VERSION, 0)
  key.writeInt16BE(CONTROL_RECORD_TYPES.indexOf(type), 2)
  const value = Buffer.alloc(END_TXN_MARKER_BYTES)
  value.writeInt16BE(CURRENT_MARKER_VERSION, 0)
  value.writeInt32BE(coordinatorEpoch, 2)
  return { key, value }
}
