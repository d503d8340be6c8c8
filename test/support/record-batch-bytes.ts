/** Record batches (magic 2) made and looked at byte by byte, for tests that may not use the broker's own code. */
import { gzipSync } from 'node:zlib'

export interface TestRecord {
  key?: string | null
  value?: string | null
  timestamp?: number
}

export interface BatchOptions {
  gzip?: boolean
  attributes?: number
  producerId?: bigint
  producerEpoch?: number
  baseSequence?: number
  /** Instead of the first record's time and the largest one. */
  baseTimestamp?: bigint
  maxTimestamp?: bigint
}

export interface BatchHeader {
  baseOffset: bigint
  size: number
  leaderEpoch: number
  lastOffsetDelta: number
  attributes: number
  recordsCount: number
}

const HEADER_BYTES = 61
const CRC_AT = 17
const CRC_COVERS_FROM = 21
/** Fixed, so that batches of one content have the same bytes. */
export const NOW = Date.now()

export function recordBatch(records: readonly TestRecord[], options: BatchOptions = {}): Buffer {
  const times = records.map(record => BigInt(record.timestamp ?? NOW))
  const base = options.baseTimestamp ?? times[0] ?? 0n
  const largest = times.reduce((a, b) => (a > b ? a : b), times[0] ?? 0n)
  const plain = Buffer.concat(records.map((record, i) => encodeRecord(record, i, times[i]! - base)))
  const content = options.gzip ? gzipSync(plain) : plain
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeInt32BE(HEADER_BYTES - 12 + content.length, 8)
  header.writeInt32BE(-1, 12)
  header.writeInt8(2, 16)
  header.writeInt16BE((options.attributes ?? 0) | (options.gzip ? 1 : 0), 21)
  header.writeInt32BE(records.length - 1, 23)
  header.writeBigInt64BE(base, 27)
  header.writeBigInt64BE(options.maxTimestamp ?? largest, 35)
  header.writeBigInt64BE(options.producerId ?? -1n, 43)
  header.writeInt16BE(options.producerEpoch ?? -1, 51)
  header.writeInt32BE(options.baseSequence ?? -1, 53)
  header.writeInt32BE(records.length, 57)
  const batch = Buffer.concat([header, content])
  batch.writeUInt32BE(crc32c(batch.subarray(CRC_COVERS_FROM)), CRC_AT)
  return batch
}

/** `count` records `0`, `1`, …, or with values of about `bytes` bytes. */
export function recordsOf(count: number, bytes = 1): TestRecord[] {
  return Array.from({ length: count }, (_, i) => ({ value: String(i).padEnd(bytes, '.') }))
}

/** The headers of the whole batches in what a Fetch returned; a cut one at the end is left out. */
export function batchesOf(records: Buffer): BatchHeader[] {
  const headers: BatchHeader[] = []
  for (let at = 0; at + HEADER_BYTES <= records.length;) {
    const size = records.readInt32BE(at + 8) + 12
    if (at + size > records.length) break
    headers.push({
      baseOffset: records.readBigInt64BE(at),
      size,
      leaderEpoch: records.readInt32BE(at + 12),
      lastOffsetDelta: records.readInt32BE(at + 23),
      attributes: records.readInt16BE(at + 21),
      recordsCount: records.readInt32BE(at + 57),
    })
    at += size
  }
  return headers
}

function encodeRecord(record: TestRecord, offsetDelta: number, timestampDelta: bigint): Buffer {
  const body = Buffer.concat([
    Buffer.from([0]),
    varint(timestampDelta),
    varint(BigInt(offsetDelta)),
    nullable(record.key ?? null),
    nullable(record.value ?? null),
    Buffer.from([0]),
  ])
  return Buffer.concat([varint(BigInt(body.length)), body])
}

function nullable(text: string | null): Buffer {
  if (text === null) return varint(-1n)
  const bytes = Buffer.from(text)
  return Buffer.concat([varint(BigInt(bytes.length)), bytes])
}

function varint(value: bigint): Buffer {
  const bytes: number[] = []
  let rest = BigInt.asUintN(64, (value << 1n) ^ (value >> 63n))
  for (; rest >= 0x80n; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80)
  return Buffer.from([...bytes, Number(rest)])
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1
  return crc
})

function crc32c(bytes: Buffer): number {
  let crc = 0xffffffff
  for (const byte of bytes) crc = CRC_TABLE[(crc ^ byte) & 0xff]! ^ (crc >>> 8)
  return (crc ^ 0xffffffff) >>> 0
}
