/** XXH32 with seed 0 over fewer than 16 bytes: all that an LZ4 frame's header checksum needs. */

const PRIME_1 = 0x9e3779b1
const PRIME_2 = 0x85ebca77
const PRIME_3 = 0xc2b2ae3d
const PRIME_4 = 0x27d4eb2f
const PRIME_5 = 0x165667b1
const INPUT_BYTES_MAX = 15

/**
 * The unsigned hash. Throws RangeError for 16 bytes and more, whose striped part is not
 * implemented.
 */
export function xxh32(bytes: Buffer): number {
  if (bytes.length > INPUT_BYTES_MAX) {
    throw new RangeError(`xxh32 hashes up to ${INPUT_BYTES_MAX} bytes; got ${bytes.length}.`)
  }
  let hash = (PRIME_5 + bytes.length) | 0
  let position = 0
  for (; position + 4 <= bytes.length; position += 4) {
    hash = (hash + Math.imul(bytes.readUInt32LE(position), PRIME_3)) | 0
    hash = Math.imul(rotateLeft(hash, 17), PRIME_4)
  }
  for (; position < bytes.length; position++) {
    hash = (hash + Math.imul(bytes[position]!, PRIME_5)) | 0
    hash = Math.imul(rotateLeft(hash, 11), PRIME_1)
  }
  hash = Math.imul(hash ^ (hash >>> 15), PRIME_2)
  hash = Math.imul(hash ^ (hash >>> 13), PRIME_3)
  return (hash ^ (hash >>> 16)) >>> 0
}

function rotateLeft(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits))
}
