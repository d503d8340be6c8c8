/** gzip through the streams that browsers have. */
import { messageOf } from '../../base/errors.js'
import { corruptRecord } from '../record.js'
import { decompressedTooLarge } from './codec.js'
import type { Codec } from './codec.js'

export const gzip: Codec = {
  compress: bytes => collect(bytes, new CompressionStream('gzip'), Infinity),

  async decompress(bytes, maxBytes) {
    try {
      return await collect(bytes, new DecompressionStream('gzip'), maxBytes)
    } catch (error) {
      if (error instanceof RangeError) throw decompressedTooLarge('gzip', maxBytes)
      throw corruptRecord(`The gzip data of a batch is damaged: ${messageOf(error)}.`)
    }
  },
}

/** All that the stream makes of `bytes`; throws RangeError once that is more than `maxBytes`. */
async function collect(
  bytes: Uint8Array,
  stream: CompressionStream | DecompressionStream,
  maxBytes: number,
): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  const source = new Blob([bytes]).stream() as unknown as ReadableStream<Uint8Array>
  const reader = (source.pipeThrough(stream) as ReadableStream<Uint8Array>).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return Buffer.concat(chunks)
    chunks.push(value)
    size += value.length
    if (size <= maxBytes) continue
    await reader.cancel()
    throw new RangeError()
  }
}
