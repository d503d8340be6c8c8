/**
 * snappy in the two framings that producers use: Java's xerial stream (a 16-byte header, then
 * chunks of i32 length and raw snappy) and one raw snappy block. Written is the xerial stream,
 * which all readers know.
 */
import { compress, uncompress } from 'snappy'
import { messageOf } from '../../base/errors.js'
import { corruptRecord } from '../record.js'
import { decompressedTooLarge } from './codec.js'
import type { Codec } from './codec.js'

const XERIAL_MAGIC = Buffer.from('\x82SNAPPY\0', 'latin1')
const XERIAL_HEADER_BYTES = 16
const XERIAL_VERSION = 1
/** How much Java's writer puts into one chunk. */
const XERIAL_CHUNK_BYTES = 32 * 1024
const LENGTH_BYTES_MAX = 5

export const snappy: Codec = {
  async compress(bytes) {
    const parts = [xerialHeader()]
    for (let start = 0; start < bytes.length; start += XERIAL_CHUNK_BYTES) {
      const chunk = await compress(bytes.subarray(start, start + XERIAL_CHUNK_BYTES))
      const length = Buffer.alloc(4)
      length.writeInt32BE(chunk.length)
      parts.push(length, chunk)
    }
    return Buffer.concat(parts)
  },

  async decompress(bytes, maxBytes) {
    const isXerial = bytes.subarray(0, XERIAL_MAGIC.length).equals(XERIAL_MAGIC)
    const chunks = isXerial ? [...xerialChunks(bytes)] : [bytes]
    let total = 0
    for (const chunk of chunks) total += unpackedLength(chunk)
    if (total > maxBytes) throw decompressedTooLarge('snappy', maxBytes)
    const unpacked: Buffer[] = []
    for (const chunk of chunks) unpacked.push(await uncompressRaw(chunk))
    return unpacked.length === 1 ? unpacked[0]! : Buffer.concat(unpacked)
  },
}

function xerialHeader(): Buffer {
  const header = Buffer.alloc(XERIAL_HEADER_BYTES)
  XERIAL_MAGIC.copy(header)
  header.writeInt32BE(XERIAL_VERSION, 8)
  header.writeInt32BE(XERIAL_VERSION, 12)
  return header
}

function* xerialChunks(bytes: Buffer): Generator<Buffer> {
  if (bytes.length < XERIAL_HEADER_BYTES) {
    throw corruptRecord('The snappy data of a batch ends inside its 16-byte header.')
  }
  let position = XERIAL_HEADER_BYTES
  while (position < bytes.length) {
    const present = bytes.length - position - 4
    const length = present < 0 ? -1 : bytes.readInt32BE(position)
    if (length < 0 || length > present) {
      throw corruptRecord(`The snappy data of a batch has a cut-off chunk at byte ${position}.`)
    }
    yield bytes.subarray(position + 4, position + 4 + length)
    position += 4 + length
  }
}

/** A raw block begins with its unpacked length as an unsigned base-128 integer. */
function unpackedLength(block: Buffer): number {
  let length = 0
  for (let index = 0; index < LENGTH_BYTES_MAX; index++) {
    const byte = block[index]
    if (byte === undefined) break
    length += (byte & 0x7f) * 2 ** (7 * index)
    if (byte < 0x80) return length
  }
  throw corruptRecord('The snappy data of a batch has no valid length.')
}

async function uncompressRaw(block: Buffer): Promise<Buffer> {
  try {
    return (await uncompress(block, { asBuffer: true })) as Buffer
  } catch (error) {
    throw corruptRecord(`The snappy data of a batch is damaged: ${messageOf(error)}.`)
  }
}
