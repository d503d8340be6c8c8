/**
 * An `.index` or `.timeindex` file as a list of entries of fixed size, with the checks both share.
 */
import { resolve } from 'node:path'
import { BrokerError } from '../../base/errors.js'
import { baseOffsetOf } from './file-name.js'
import { WindowedFile } from './windowed-file.js'

/** Owned by its creator, who must `close` it. */
export class IndexFile {
  readonly baseOffset: bigint
  readonly entries: number
  readonly #file: WindowedFile
  readonly #entrySize: number

  private constructor(file: WindowedFile, baseOffset: bigint, entrySize: number) {
    this.#file = file
    this.baseOffset = baseOffset
    this.#entrySize = entrySize
    this.entries = Math.floor(file.size / entrySize)
  }

  static async open(path: string, entrySize: number): Promise<IndexFile> {
    const baseOffset = baseOffsetOf(path)
    return new IndexFile(await WindowedFile.open(path), baseOffset, entrySize)
  }

  /** The bytes of one entry, valid until the next call. */
  entry(slot: number): Promise<Buffer> {
    return this.#file.read(slot * this.#entrySize, this.#entrySize)
  }

  /** The offset that an entry holds relative to the base offset at `at`. */
  async offset(slot: number, at: number): Promise<bigint> {
    return this.baseOffset + BigInt((await this.entry(slot)).readInt32BE(at))
  }

  /**
   * An index keeps its preallocated zeros after a crash: the first entry behind slot 0 that holds
   * the base offset begins them. `at` is where an entry keeps its relative offset.
   */
  async isUnused(slot: number, at: number): Promise<boolean> {
    return slot > 0 && (await this.offset(slot, at)) === this.baseOffset
  }

  /** Throws ERR_INDEX_CORRUPT unless the file consists of whole entries. */
  checkLength(kind: 'Index' | 'Time index'): void {
    if (this.#file.size % this.#entrySize === 0) return
    throw corruptIndex(
      `${kind} file ${resolve(this.#file.path)} is corrupt, found ${this.#file.size} ` +
        `bytes which is neither positive nor a multiple of ${this.#entrySize}`,
    )
  }

  close(): Promise<void> {
    return this.#file.close()
  }
}

export function corruptIndex(message: string): BrokerError {
  return new BrokerError('ERR_INDEX_CORRUPT', message)
}
