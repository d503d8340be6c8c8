/**
 * A file read at any position through one window, so that neighbouring small reads cost one system
 * call.
 */
import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { BrokerError } from '../../base/errors.js'

const WINDOW_BYTES = 256 * 1024

/** Owned by its creator, who must `close` it. The size is that at opening. */
export class WindowedFile {
  readonly path: string
  readonly size: number
  readonly #handle: FileHandle
  #window = Buffer.alloc(0)
  #windowStart = 0

  private constructor(path: string, size: number, handle: FileHandle) {
    this.path = path
    this.size = size
    this.#handle = handle
  }

  /** Opens `path` for reading; rejects with Node's error if that fails. */
  static async open(path: string): Promise<WindowedFile> {
    const handle = await open(path, 'r')
    try {
      return new WindowedFile(path, (await handle.stat()).size, handle)
    } catch (error) {
      await handle.close()
      throw error
    }
  }

  /**
   * `length` bytes from `position`; later reads leave them as they are. Rejects with
   * ERR_FILE_TOO_SHORT, and allocates nothing, if the file ends before.
   */
  async read(position: number, length: number): Promise<Buffer> {
    const start = position - this.#windowStart
    if (start >= 0 && start + length <= this.#window.length) {
      return this.#window.subarray(start, start + length)
    }
    if (position < 0 || position + length > this.size) throw this.#tooShort(position, length)
    const wanted = Math.min(Math.max(length, WINDOW_BYTES), this.size - position)
    const window = Buffer.allocUnsafe(wanted)
    let filled = 0
    while (filled < wanted) {
      const { bytesRead } = await this.#handle.read(
        window,
        filled,
        wanted - filled,
        position + filled,
      )
      if (bytesRead === 0) break
      filled += bytesRead
    }
    if (filled < length) throw this.#tooShort(position, length)
    this.#window = window.subarray(0, filled)
    this.#windowStart = position
    return this.#window.subarray(0, length)
  }

  close(): Promise<void> {
    return this.#handle.close()
  }

  #tooShort(position: number, length: number): BrokerError {
    return new BrokerError(
      'ERR_FILE_TOO_SHORT',
      `${this.path} has ${this.size} bytes, but ${length} are needed from byte ${position}; ` +
        'it was cut off or is still being written.',
    )
  }
}
