/**
 * A coordinator's own topic as the log that it writes and reads (coordinator/log-port.ts): appends go straight to the
 * data plane, and its word of what was synced settles who waits. One a topic.
 */
import { BrokerError, codeOf, messageOf } from '../base/errors.js'
import { NativeErrorCode } from '../binding/errors.js'
import type { DataPlaneHandle, NativeAddon } from '../binding/native-addon.js'

interface Waiter {
  readonly lastOffset: bigint
  readonly resolve: () => void
  readonly reject: (error: BrokerError) => void
}

export class CoordinatorLog {
  readonly #addon: NativeAddon
  readonly #dataPlane: DataPlaneHandle
  readonly #topic: string
  /** By partition, in the order of their offsets. */
  readonly #waiters = new Map<number, Waiter[]>()
  /** Everything below is durable, by partition, as far as this has heard. */
  readonly #flushed = new Map<number, bigint>()

  constructor(addon: NativeAddon, dataPlane: DataPlaneHandle, topic: string) {
    this.#addon = addon
    this.#dataPlane = dataPlane
    this.#topic = topic
  }

  append(partition: number, batch: Buffer): { baseOffset: bigint; lastOffset: bigint } {
    try {
      const appended = this.#addon.appendBatch(this.#dataPlane, this.#topic, partition, batch)
      if (appended.durable) this.#flushed.set(partition, appended.lastOffset + 1n)
      return appended
    } catch (error) {
      throw portError(error)
    }
  }

  whenDurable(partition: number, lastOffset: bigint): Promise<void> {
    if ((this.#flushed.get(partition) ?? 0n) > lastOffset) return Promise.resolve()
    return new Promise((resolve, reject) => {
      const waiters = this.#waiters.get(partition)
      const waiter = { lastOffset, resolve, reject }
      if (waiters === undefined) this.#waiters.set(partition, [waiter])
      else waiters.push(waiter)
    })
  }

  bounds(partition: number): { startOffset: bigint; endOffset: bigint } | undefined {
    const state = this.#addon.partitionState(this.#dataPlane, this.#topic, partition)
    if (state === undefined) return undefined
    return { startOffset: state.logStartOffset, endOffset: state.logEndOffset }
  }

  async read(partition: number, offset: bigint, bytesMax: number): Promise<Buffer> {
    try {
      const { addon, dataPlane } = { addon: this.#addon, dataPlane: this.#dataPlane }
      return await addon.readBatches(dataPlane, this.#topic, partition, offset, bytesMax)
    } catch (error) {
      throw portError(error)
    }
  }

  /** The data plane synced a partition up to `flushedOffset`, or (`ok` false) never will. */
  onFlushed(partition: number, flushedOffset: bigint, ok: boolean): void {
    const waiters = this.#waiters.get(partition) ?? []
    if (!ok) {
      const error = new BrokerError('ERR_STORAGE', `The log dir of ${this.#topic} failed.`)
      for (const { reject } of waiters.splice(0)) reject(error)
      return
    }
    this.#flushed.set(partition, flushedOffset)
    const waiting = waiters.findIndex(({ lastOffset }) => lastOffset >= flushedOffset)
    const done = waiters.splice(0, waiting === -1 ? waiters.length : waiting)
    for (const { resolve } of done) resolve()
  }

  /** The partition left this broker: who waits is told. */
  forget(partition: number): void {
    this.#flushed.delete(partition)
    const error = new BrokerError('ERR_NOT_LEADER', `${this.#topic} is gone from this broker.`)
    for (const { reject } of this.#waiters.get(partition)?.splice(0) ?? []) reject(error)
  }
}

const CODES: Readonly<Record<string, string>> = {
  [NativeErrorCode.notFound]: 'ERR_NOT_LEADER',
  [NativeErrorCode.closed]: 'ERR_NOT_LEADER',
  [NativeErrorCode.invalidArgument]: 'ERR_TOO_LARGE',
}

function portError(error: unknown): BrokerError {
  return new BrokerError(CODES[codeOf(error) ?? ''] ?? 'ERR_STORAGE', messageOf(error))
}
