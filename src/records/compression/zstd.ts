/**
 * zstd: Node's own where it has one (22.15 and newer), else the npm package. The frames are walked
 * first (zstd-frame.ts), since the package does not bound its output.
 */
import * as zlib from 'node:zlib'
import { promisify } from 'node:util'
import { messageOf } from '../../base/errors.js'
import { corruptRecord } from '../record.js'
import { decompressedTooLarge } from './codec.js'
import type { Codec } from './codec.js'
import { ZSTD_BOUND_SLACK, zstdUnpackedBound } from './zstd-frame.js'

const LEVEL = 3

type Transform = (bytes: Buffer) => Promise<Buffer>

interface ZstdEngine {
  compress: Transform
  decompress: Transform
}

type CallbackTransform = (
  bytes: Buffer,
  done: (error: Error | null, result: Buffer) => void,
) => void

/** The functions that Node's zlib has in newer versions than the types describe. */
interface ZlibWithZstd {
  zstdCompress?: CallbackTransform
  zstdDecompress?: CallbackTransform
}

let engine: Promise<ZstdEngine> | undefined

export const zstd: Codec = {
  async compress(bytes) {
    return (await loadEngine()).compress(bytes)
  },

  async decompress(bytes, maxBytes) {
    if (zstdUnpackedBound(bytes) > maxBytes + ZSTD_BOUND_SLACK) {
      throw decompressedTooLarge('zstd', maxBytes)
    }
    const { decompress } = await loadEngine()
    try {
      return await decompress(bytes)
    } catch (error) {
      throw corruptRecord(`The zstd data of a batch is damaged: ${messageOf(error)}.`)
    }
  },
}

function loadEngine(): Promise<ZstdEngine> {
  engine ??= chooseEngine()
  return engine
}

async function chooseEngine(): Promise<ZstdEngine> {
  const { zstdCompress, zstdDecompress } = zlib as ZlibWithZstd
  if (zstdCompress !== undefined && zstdDecompress !== undefined) {
    return { compress: promisify(zstdCompress), decompress: promisify(zstdDecompress) }
  }
  const { Encoder, Decoder } = await import('@toondepauw/node-zstd')
  return {
    compress: bytes => new Encoder(LEVEL).encode(bytes),
    decompress: bytes => new Decoder().decode(bytes),
  }
}
