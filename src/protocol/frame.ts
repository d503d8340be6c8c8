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
  /** Size of the frame that is arriving, once its prefix was read. */
  #size: number | null = null

  constructor(frameBytesMax = FRAME_BYTES_MAX_DEFAULT) {
    this.#frameBytesMax = frameBytesMax
  }

  /** Bytes that wait for the rest of their frame. */
  get bufferedBytes(): number {
    return this.#buffered
  }

  /**
   * Takes the next bytes and returns the frames they complete, without their sizes; a frame that
   * came in one piece is a view into `bytes`. A size that is negative or above the limit throws
   * ERR_PROTOCOL_LENGTH; the stream cannot be followed further then.
   */
  push(bytes: Buffer): Buffer[] {
    if (bytes.length > 0) this.#pieces.push(bytes)
    this.#buffered += bytes.length
    const frames: Buffer[] = []
    for (;;) {
      if (this.#size === null && this.#buffered >= SIZE_PREFIX_BYTES) this.#size = this.#readSize()
      if (this.#size === null || this.#buffered < this.#size) return frames
      frames.push(this.#take(this.#size))
      this.#size = null
    }
  }

  #readSize(): number {
    const size = this.#take(SIZE_PREFIX_BYTES).readInt32BE(0)
    if (size >= 0 && size <= this.#frameBytesMax) return size
    throw new ProtocolError(
      'ERR_PROTOCOL_LENGTH',
      `The peer announced a frame of ${size} bytes; 0 to ${this.#frameBytesMax} are allowed.`,
    )
  }

  /** Removes the first `length` bytes, which must have arrived. */
  #take(length: number): Buffer {
    this.#buffered -= length
    const first = this.#pieces[0] ?? Buffer.alloc(0)
    if (first.length > length) {
      this.#pieces[0] = first.subarray(length)
      return first.subarray(0, length)
    }
    const taken = Buffer.allocUnsafe(length)
    let filled = 0
    let used = 0
    while (filled < length) {
      const piece = this.#pieces[used]!
      const copied = piece.copy(taken, filled, 0, length - filled)
      filled += copied
      if (copied < piece.length) this.#pieces[used] = piece.subarray(copied)
      else used++
    }
    this.#pieces.splice(0, used)
    return taken
  }
}
