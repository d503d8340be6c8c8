/**
 * The outside of an LZ4 frame, walked without unpacking it: where it ends and how many bytes it
 * holds. The LZ4 package bounds neither its output nor notices every damage, so this is checked
 * first.
 *
 *   magic u32le | FLG | BD | [content size u64] | [dictionary id u32] | header checksum
 *   then blocks: size u32le (top bit: stored as is) | data | [checksum u32]; size 0 ends the frame
 */
import { corruptRecord } from '../record.js'
import { xxh32 } from './xxh32.js'

const FRAME_MAGIC = 0x184d2204
const VERSION_MASK = 0xc0
const VERSION_1 = 0x40
const BLOCK_CHECKSUM_FLAG = 0x10
const CONTENT_SIZE_FLAG = 0x08
const CONTENT_CHECKSUM_FLAG = 0x04
const DICTIONARY_FLAG = 0x01
const DESCRIPTOR_POSITION = 4
const MIN_MATCH = 4
/** A length of 15 in a token's half byte continues in the following bytes. */
const LENGTH_CONTINUES = 15

export interface Lz4FrameInfo {
  /** Where the header checksum stands. */
  headerChecksumPosition: number
  /** First byte behind the frame. */
  end: number
  /** What the frame unpacks to. */
  unpackedBytes: number
}

/** Throws ERR_RECORD_CORRUPT if no whole, well-formed frame begins at byte 0. */
export function inspectLz4Frame(bytes: Buffer): Lz4FrameInfo {
  if (bytes.length < 7 || bytes.readUInt32LE(0) !== FRAME_MAGIC) throw damaged('it has no header')
  const flags = bytes[DESCRIPTOR_POSITION]!
  if ((flags & VERSION_MASK) !== VERSION_1) throw damaged('its version is not 1')
  let headerChecksumPosition = DESCRIPTOR_POSITION + 2
  if ((flags & CONTENT_SIZE_FLAG) !== 0) headerChecksumPosition += 8
  if ((flags & DICTIONARY_FLAG) !== 0) headerChecksumPosition += 4
  const checksumBytes = (flags & BLOCK_CHECKSUM_FLAG) === 0 ? 0 : 4

  let position = headerChecksumPosition + 1
  let unpackedBytes = 0
  for (;;) {
    if (bytes.length - position < 4) throw damaged('its end mark is missing')
    const word = bytes.readUInt32LE(position)
    position += 4
    if (word === 0) break
    const size = word & 0x7fffffff
    if (size + checksumBytes > bytes.length - position) throw damaged('a block is cut off')
    const isStored = word >>> 31 === 1
    unpackedBytes += isStored ? size : blockUnpackedBytes(bytes, position, position + size)
    position += size + checksumBytes
  }
  if ((flags & CONTENT_CHECKSUM_FLAG) !== 0) position += 4
  if (position > bytes.length) throw damaged('its content checksum is missing')
  return { headerChecksumPosition, end: position, unpackedBytes }
}

/** The header checksum the frame's descriptor should carry. */
export function lz4HeaderChecksum(bytes: Buffer, headerChecksumPosition: number): number {
  return (xxh32(bytes.subarray(DESCRIPTOR_POSITION, headerChecksumPosition)) >>> 8) & 0xff
}

/**
 * Adds up the lengths that a block's sequences name: literals, then a match, until the block ends.
 */
function blockUnpackedBytes(bytes: Buffer, start: number, end: number): number {
  let position = start
  let unpacked = 0

  const readLength = (halfByte: number): number => {
    let length = halfByte
    if (halfByte < LENGTH_CONTINUES) return length
    for (;;) {
      if (position >= end) throw damaged('a length in a block is cut off')
      const byte = bytes[position++]!
      length += byte
      if (byte !== 0xff) return length
    }
  }

  while (position < end) {
    const token = bytes[position++]!
    const literals = readLength(token >>> 4)
    if (literals > end - position) throw damaged('literals in a block are cut off')
    position += literals
    unpacked += literals
    if (position === end) break
    position += 2 // The match's distance.
    unpacked += MIN_MATCH + readLength(token & 0x0f)
  }
  if (position !== end) throw damaged('a match in a block is cut off')
  return unpacked
}

function damaged(what: string): Error {
  return corruptRecord(`The lz4 frame of a batch is damaged: ${what}.`)
}
