/**
 * Sets of legacy messages: a plain sequence, where a compressed message wraps another sequence.
 * Only read, never written: for dump-log and for disks that an old broker filled.
 */
import { decompress, MAX_DECOMPRESSED_BYTES } from './compression/codec.js'
import { corruptRecord } from './record.js'
import { LegacyMessage } from './legacy-message.js'

/** A message as the application saw it: the wrapper's offset and timestamp rules are applied. */
export interface LegacyRecord {
  offset: bigint
  timestamp: bigint
  message: LegacyMessage
}

/**
 * The records of one message of a log: itself, or what it wraps.
 * Rejects with ERR_RECORD_CORRUPT and as `decompress` does.
 */
export async function legacyRecords(
  wrapper: LegacyMessage,
  maxDecompressedBytes: number = MAX_DECOMPRESSED_BYTES,
): Promise<LegacyRecord[]> {
  if (wrapper.codec === 'none') {
    return [{ offset: wrapper.offset, timestamp: wrapper.timestamp, message: wrapper }]
  }
  const inner = innerMessages(wrapper, await unpack(wrapper, maxDecompressedBytes))
  // In magic 1 the inner offsets are relative, and the wrapper carries the last one in full.
  const base = wrapper.magic === 0 ? 0n : wrapper.offset - inner[inner.length - 1]!.offset
  const isLogAppendTime = wrapper.timestampType === 'LogAppendTime'
  return inner.map(message => ({
    offset: base + message.offset,
    timestamp: isLogAppendTime ? wrapper.timestamp : message.timestamp,
    message,
  }))
}

async function unpack(wrapper: LegacyMessage, maxBytes: number): Promise<Buffer> {
  const { codec, value } = wrapper
  if (value === null) {
    throw corruptRecord(`The compressed message at offset ${wrapper.offset} has no value.`)
  }
  if (codec === 'zstd') {
    throw corruptRecord(`The message at offset ${wrapper.offset} has zstd, which needs magic 2.`)
  }
  if (codec !== 'lz4' || wrapper.magic > 0) return decompress(codec, value, maxBytes)
  const { withStandardHeaderChecksum } = await import('./compression/lz4.js')
  return decompress(codec, withStandardHeaderChecksum(value), maxBytes)
}

function innerMessages(wrapper: LegacyMessage, bytes: Buffer): LegacyMessage[] {
  const messages: LegacyMessage[] = []
  for (let position = 0; position < bytes.length;) {
    const message = new LegacyMessage(bytes, position)
    if (message.codec !== 'none' || message.magic !== wrapper.magic) {
      throw corruptRecord(
        `The message at offset ${wrapper.offset} wraps a compressed one or one of other magic.`,
      )
    }
    messages.push(message)
    position += message.sizeInBytes
  }
  if (messages.length === 0) {
    throw corruptRecord(`The compressed message at offset ${wrapper.offset} wraps nothing.`)
  }
  return messages
}
