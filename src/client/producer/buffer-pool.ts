/**
 * The memory that waiting records take: `bufferMemory` bytes, lent as buffers of one batch each. Buffers of the usual
 * size are used again. Whoever finds none waits in line.
 */
import { timeoutError } from '../errors.js'
import type { ResolvedProducerOptions } from './producer-options.js'

/** How many idle buffers are kept, at most, in bytes. */
const IDLE_BYTES_MAX = 4 * 1024 * 1024

interface Waiting {
  resolve(): void
  reject(error: unknown): void
}

export class BufferPool {
  readonly #options: ResolvedProducerOptions
  readonly #idle: Buffer[] = []
  readonly #waiting = new Set<Waiting>()
  #usedBytes = 0

  constructor(options: ResolvedProducerOptions) {
    this.#options = options
  }

  get usedBytes(): number {
    return this.#usedBytes
  }

  /** True while someone waits for memory: batches are sent without lingering then. */
  get isExhausted(): boolean {
    return this.#waiting.size > 0
  }

  /** A buffer of at least `bytes`, or null if that would exceed bufferMemory. Its content is arbitrary. */
  take(bytes: number): Buffer | null {
    const { bufferMemory, batchSize } = this.#options
    const size = Math.max(bytes, batchSize)
    // A batch of the usual size always fits, however small bufferMemory is set.
    if (this.#usedBytes > 0 && this.#usedBytes + size > bufferMemory) return null
    this.#usedBytes += size
    const reused = size === batchSize ? this.#idle.pop() : undefined
    return reused ?? Buffer.allocUnsafeSlow(size)
  }

  /** Takes a buffer back; nobody may use it afterwards. */
  give(buffer: Buffer): void {
    const { batchSize } = this.#options
    this.#usedBytes -= buffer.length
    if (buffer.length === batchSize && (this.#idle.length + 1) * batchSize <= IDLE_BYTES_MAX) {
      this.#idle.push(buffer)
    }
    for (const waiting of this.#waiting) {
      this.#waiting.delete(waiting)
      waiting.resolve()
    }
  }

  /** Resolves when memory was given back, which may be gone again. Rejects at the deadline (performance.now()). */
  wait(deadlineMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted()
      const end = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', abort)
        this.#waiting.delete(waiting)
      }
      const waiting = {
        resolve: () => (end(), resolve()),
        reject: (error: Error) => (end(), reject(error)),
      }
      const abort = () => waiting.reject(signal.reason as Error)
      const timer = setTimeout(() => {
        const { bufferMemory, maxBlockMs } = this.#options
        waiting.reject(
          timeoutError(
            `No memory was free within maxBlockMs = ${maxBlockMs} ms: ${this.#usedBytes} of ` +
              `${bufferMemory} bytes (bufferMemory) hold records that no broker has acknowledged yet. ` +
              'Send slower, or await what send returns.',
          ),
        )
      }, deadlineMs - performance.now())
      signal.addEventListener('abort', abort, { once: true })
      this.#waiting.add(waiting)
    })
  }
}
