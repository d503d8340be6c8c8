/**
 * Frames on a byte stream: a 4-byte big-endian size, which does not count itself, then that many
 * bytes. The data plane frames in C++; this is for clients, tools and tests.
 */
import { ProtocolError } from './schema/protocol-error.js'

export const SIZE_PREFIX_BYTES = 4
/** Kafka's default of `socket.request.max.bytes`. */
export const FRAME_BYTES_MAX_DEFAULT = 104_857_600

/**
 * Writes the size into the first four bytes, which the encoder was asked to reserve. Returns the
 * frame.
 */
export function sealFrame(frame: Buffer): Buffer {
  frame.writeInt32BE(frame.length - SIZE_PREFIX_BYTES, 0)
  return frame
}

/**
 * Cuts a stream into frames. Memory grows with the bytes that arrived, not with the size announced.
 */
export class FrameDecoder {
  readonly #frameBytesMax: number
  #pieces: Buffer[] = []
  #buffered = 0

  constructor(frameBytesMax = FRAME_BYTES_MAX_DEFAULT) {
    this.#frameBytesMax = frameBytesMax
  }

  /** Bytes that wait for the rest of their frame. */
  get bufferedBytes(): number {
    return this.#buffered
  }

  /**
   * Takes the next bytes and returns the frames they complete, without their sizes. A size that is
   * negative or above the limit throws ERR_PROTOCOL_LENGTH; the stream cannot be followed further
   * then.
   */
  push(bytes: Buffer): Buffer[] {
    if (bytes.length > 0) this.#pieces.push(bytes)
    this.#buffered += bytes.length
    const frames: Buffer[] = []
    for (;;) {
      const size = this.#nextSize()
      if (size === null || this.#buffered < SIZE_PREFIX_BYTES + size) return frames
      const all = this.#join()
      const end = SIZE_PREFIX_BYTES + size
      frames.push(all.subarray(SIZE_PREFIX_BYTES, end))
      this.#pieces = end < all.length ? [all.subarray(end)] : []
      this.#buffered -= end
    }
  }

  #nextSize(): number | null {
    if (this.#buffered < SIZE_PREFIX_BYTES) return null
    if (this.#pieces[0]!.length < SIZE_PREFIX_BYTES) this.#join()
    const size = this.#pieces[0]!.readInt32BE(0)
    if (size >= 0 && size <= this.#frameBytesMax) return size
    throw new ProtocolError(
      'ERR_PROTOCOL_LENGTH',
      `The peer announced a frame of ${size} bytes; 0 to ${this.#frameBytesMax} are allowed.`,
    )
  }

  #join(): Buffer {
    if (this.#pieces.length > 1) this.#pieces = [Buffer.concat(this.#pieces)]
    return this.#pieces[0]!
  }
}
