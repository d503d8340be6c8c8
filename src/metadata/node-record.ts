/**
 * One node as the drivers keep it, and its bytes in LMDB:
 *
 *   format u8 | flags u8 | version i32 | childrenVersion i32 | childCount i32 |
 *   createdTxid i64 | modifiedTxid i64 | data
 *
 * All big-endian. Flag 1: ephemeral; flag 2: the node has data (which may be empty).
 */
import { BrokerError } from '../base/errors.js'
import type { NodeStat, StoredNode } from './metadata-store.js'

export interface NodeRecord extends NodeStat {
  readonly data: Buffer | null
}

const FORMAT = 1
const HEADER_BYTES = 30
const FLAG_EPHEMERAL = 1
const FLAG_HAS_DATA = 2

export function encodeNodeRecord(record: NodeRecord): Buffer {
  const data = record.data
  const bytes = Buffer.allocUnsafe(HEADER_BYTES + (data?.length ?? 0))
  bytes.writeUInt8(FORMAT, 0)
  bytes.writeUInt8(
    (record.isEphemeral ? FLAG_EPHEMERAL : 0) | (data === null ? 0 : FLAG_HAS_DATA),
    1,
  )
  bytes.writeInt32BE(record.version, 2)
  bytes.writeInt32BE(record.childrenVersion, 6)
  bytes.writeInt32BE(record.childCount, 10)
  bytes.writeBigInt64BE(record.createdTxid, 14)
  bytes.writeBigInt64BE(record.modifiedTxid, 22)
  data?.copy(bytes, HEADER_BYTES)
  return bytes
}

/** Throws ERR_STORE_CORRUPT when the bytes were not written by `encodeNodeRecord`. */
export function decodeNodeRecord(bytes: Buffer, path: string): NodeRecord {
  if (bytes.length < HEADER_BYTES || bytes.readUInt8(0) !== FORMAT) {
    throw new BrokerError(
      'ERR_STORE_CORRUPT',
      `Metadata node ${path} has an unknown format. It was written by another version, or the ` +
        'metadata folder is damaged: restore it from a backup.',
    )
  }
  const flags = bytes.readUInt8(1)
  return {
    version: bytes.readInt32BE(2),
    childrenVersion: bytes.readInt32BE(6),
    childCount: bytes.readInt32BE(10),
    createdTxid: bytes.readBigInt64BE(14),
    modifiedTxid: bytes.readBigInt64BE(22),
    isEphemeral: (flags & FLAG_EPHEMERAL) !== 0,
    data: (flags & FLAG_HAS_DATA) === 0 ? null : Buffer.from(bytes.subarray(HEADER_BYTES)),
  }
}

/** What callers of the store get; they own the data. */
export function storedNodeOf(record: NodeRecord): StoredNode {
  const { data, ...stat } = record
  return { data: data === null ? null : Buffer.from(data), stat }
}
