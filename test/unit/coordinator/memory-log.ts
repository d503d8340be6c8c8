/** A coordinator's log in memory, for tests: batches as they were appended; the disk is as slow or broken as told. */
import { BrokerError } from '../../../src/base/errors.js'
import type { AppendedBatch, LogBounds, LogPort } from '../../../src/coordinator/log-port.js'
import { RecordBatch } from '../../../src/records/record-batch.js'

export class MemoryLog implements LogPort {
  readonly #partitions = new Map<number, Buffer[]>()
  /** Appends fail with this code while it is set. */
  failWith: string | null = null
  /** While it is set nothing becomes durable. */
  isDiskHeld = false
  #waiting: { resolve: () => void; reject: (error: Error) => void }[] = []

  append(partition: number, batch: Buffer): AppendedBatch {
    if (this.failWith !== null) throw new BrokerError(this.failWith, 'The append failed.')
    const batches = this.batches(partition)
    const baseOffset = this.bounds(partition).endOffset
    const stored = Buffer.from(batch)
    stored.writeBigInt64BE(baseOffset)
    batches.push(stored)
    return { baseOffset, lastOffset: new RecordBatch(stored).lastOffset }
  }

  whenDurable(): Promise<void> {
    if (!this.isDiskHeld) return Promise.resolve()
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }))
  }

  /** Lets everything become durable, or fail. */
  releaseDisk(error?: Error): void {
    this.isDiskHeld = false
    for (const { resolve, reject } of this.#waiting.splice(0)) {
      if (error === undefined) resolve()
      else reject(error)
    }
  }

  bounds(partition: number): LogBounds {
    const last = this.batches(partition).at(-1)
    const endOffset = last === undefined ? 0n : new RecordBatch(last).lastOffset + 1n
    return { startOffset: 0n, endOffset }
  }

  read(partition: number, offset: bigint): Promise<Buffer> {
    const wanted = this.batches(partition).filter(
      batch => new RecordBatch(batch).lastOffset >= offset,
    )
    return Promise.resolve(Buffer.concat(wanted.slice(0, 3)))
  }

  batches(partition: number): Buffer[] {
    const batches = this.#partitions.get(partition) ?? []
    this.#partitions.set(partition, batches)
    return batches
  }
}
