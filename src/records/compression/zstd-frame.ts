/**
 * The outside of zstd frames, walked without unpacking them, for an upper bound of what they hold.
 * Each block says its size; one that is compressed unpacks to at most 128 KiB or the frame's
 * window.
 *
 *   magic u32le | descriptor | [window] | [dictionary id] | [content size] | blocks
 *   | [checksum u32]
 *   block: u24le = isLast bit, type (2 bits), size (21 bits) | data
 */
import { corruptRecord } from '../record.js'

const FRAME_MAGIC = 0xfd2fb528
const SKIPPABLE_MAGIC = 0x184d2a50
const SKIPPABLE_MASK = 0xfffffff0
const BLOCK_BYTES_MAX = 128 * 1024
const CONTENT_SIZE_BYTES = [0, 2, 4, 8] as const
const DICTIONARY_ID_BYTES = [0, 1, 2, 4] as const
const RAW_BLOCK = 0
const RLE_BLOCK = 1
const RESERVED_BLOCK = 3

/** How far the real size may lie below the bound in frames that were written without flushing. */
export const ZSTD_BOUND_SLACK = BLOCK_BYTES_MAX

/**
 * The most bytes that the frames in `bytes` can unpack to. Throws ERR_RECORD_CORRUPT if they are
 * cut off.
 */
export function zstdUnpackedBound(bytes: Buffer): number {
  let position = 0
  let bound = 0
  while (position < bytes.length) {
    need(bytes, position, 4)
    const magic = bytes.readUInt32LE(position)
    if ((magic & SKIPPABLE_MASK) >>> 0 === SKIPPABLE_MAGIC) {
      need(bytes, position, 8)
      position += 8 + bytes.readUInt32LE(position + 4)
      continue
    }
    if (magic !== FRAME_MAGIC) throw damaged('it has no frame header')
    const frame = walkFrame(bytes, position)
    position = frame.end
    bound += frame.bound
  }
  return bound
}

function walkFrame(bytes: Buffer, start: number): { end: number; bound: number } {
  need(bytes, start, 5)
  const descriptor = bytes[start + 4]!
  const isSingleSegment = (descriptor & 0x20) !== 0
  let position = start + 5 + (isSingleSegment ? 0 : 1)
  position += DICTIONARY_ID_BYTES[(descriptor & 3) as 0 | 1 | 2 | 3]
  const sizeCode = (descriptor >>> 6) as 0 | 1 | 2 | 3
  position += sizeCode === 0 && isSingleSegment ? 1 : CONTENT_SIZE_BYTES[sizeCode]

  let bound = 0
  for (let isLast = false; !isLast;) {
    need(bytes, position, 3)
    const header = bytes.readUIntLE(position, 3)
    isLast = (header & 1) === 1
    const type = (header >>> 1) & 3
    const size = header >>> 3
    if (type === RESERVED_BLOCK) throw damaged('a block has a reserved type')
    const stored = type === RLE_BLOCK ? 1 : size
    need(bytes, position + 3, stored)
    position += 3 + stored
    bound += type === RAW_BLOCK || type === RLE_BLOCK ? size : BLOCK_BYTES_MAX
  }
  if ((descriptor & 0x04) !== 0) {
    need(bytes, position, 4)
    position += 4
  }
  return { end: position, bound }
}

function need(bytes: Buffer, position: number, count: number): void {
  if (bytes.length - position < count) throw damaged('it is cut off')
}

function damaged(what: string): Error {
  return corruptRecord(`The zstd data of a batch is damaged: ${what}.`)
}
