/**
 * A reflected 32-bit CRC computed eight bytes a step from eight tables ("slicing by 8").
 * Kafka needs two polynomials: Castagnoli for batches (crc32c.ts) and IEEE for old messages
 * (crc32.ts).
 */

/** Checksum of `bytes`; a former result given as `seed` continues over the next bytes. */
export type Crc = (bytes: Uint8Array, seed?: number) => number

const SLICES = 8
const TABLE_SIZE = 256

/** The checksum function of one polynomial, written reflected (lowest bit = highest power). */
export function slicingCrc(polynomial: number): Crc {
  const tables = buildTables(polynomial)
  return (bytes, seed = 0) => update(tables, bytes, seed)
}

function buildTables(polynomial: number): Uint32Array {
  const tables = new Uint32Array(SLICES * TABLE_SIZE)
  for (let byte = 0; byte < TABLE_SIZE; byte++) {
    let crc = byte
    for (let bit = 0; bit < 8; bit++) crc = (crc & 1) === 1 ? (crc >>> 1) ^ polynomial : crc >>> 1
    tables[byte] = crc
  }
  for (let at = TABLE_SIZE; at < tables.length; at++) {
    const previous = tables[at - TABLE_SIZE]!
    tables[at] = (previous >>> 8) ^ tables[previous & 0xff]!
  }
  return tables
}

function update(tables: Uint32Array, bytes: Uint8Array, seed: number): number {
  let crc = ~seed
  let at = 0
  for (const end = bytes.length - (SLICES - 1); at < end; at += SLICES) {
    crc ^= bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)
    crc =
      tables[0x700 + (crc & 0xff)]! ^
      tables[0x600 + ((crc >>> 8) & 0xff)]! ^
      tables[0x500 + ((crc >>> 16) & 0xff)]! ^
      tables[0x400 + (crc >>> 24)]! ^
      tables[0x300 + bytes[at + 4]!]! ^
      tables[0x200 + bytes[at + 5]!]! ^
      tables[0x100 + bytes[at + 6]!]! ^
      tables[bytes[at + 7]!]!
  }
  for (; at < bytes.length; at++) crc = (crc >>> 8) ^ tables[(crc ^ bytes[at]!) & 0xff]!
  return ~crc >>> 0
}
