/**
 * LZ4 frames. The frame is walked first (lz4-frame.ts), since the package does not bound its
 * output.
 */
import { compressFrame, decompressFrame } from 'lz4-napi'
import { messageOf } from '../../base/errors.js'
import { corruptRecord } from '../record.js'
import { decompressedTooLarge } from './codec.js'
import type { Codec } from './codec.js'
import { inspectLz4Frame, lz4HeaderChecksum } from './lz4-frame.js'

export const lz4: Codec = {
  compress: bytes => compressFrame(bytes),

  async decompress(bytes, maxBytes) {
    const { end, unpackedBytes } = inspectLz4Frame(bytes)
    if (unpackedBytes > maxBytes) throw decompressedTooLarge('lz4', maxBytes)
    const unpacked = await decompressFirstFrame(bytes.subarray(0, end))
    // The package answers some damages with less data instead of an error.
    if (unpacked.length !== unpackedBytes) {
      throw corruptRecord(
        `The lz4 frame of a batch is damaged: it unpacks to ${unpacked.length} bytes ` +
          `instead of ${unpackedBytes}.`,
      )
    }
    return unpacked
  },
}

async function decompressFirstFrame(frame: Buffer): Promise<Buffer> {
  try {
    return await decompressFrame(frame)
  } catch (error) {
    throw corruptRecord(`The lz4 frame of a batch is damaged: ${messageOf(error)}.`)
  }
}

/**
 * A copy of the frame with the header checksum that the LZ4 format asks for. Kafka's producers of
 * message format 0 wrote another one (it covered the magic too), and brokers never check it there.
 */
export function withStandardHeaderChecksum(bytes: Buffer): Buffer {
  const { headerChecksumPosition } = inspectLz4Frame(bytes)
  const frame = Buffer.from(bytes)
  frame[headerChecksumPosition] = lz4HeaderChecksum(frame, headerChecksumPosition)
  return frame
}
