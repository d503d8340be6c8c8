/**
 * The partitions this broker leads, over the data plane: opens and removes their logs, and answers what handlers
 * ask about offsets and epochs. It decides nothing about topics; topic-lifecycle.ts and the broker's start do.
 */
import { codeOf } from '../base/errors.js'
import { NativeErrorCode } from '../binding/errors.js'
import type {
  ActiveProducer,
  DataPlaneHandle,
  EpochEndOffset,
  LogSettings,
  NativeAddon,
  OpenFailure,
  PartitionSpec,
  PartitionState,
  SegmentInfo,
} from '../binding/native-addon.js'
import { ErrorCode } from '../protocol/error-codes.js'

/** Logs opened by one call: enough for its threads, few enough to let control requests in between. */
const OPEN_BATCH = 256

/** Offsets a timestamp lookup looks at. */
export interface TimestampRange {
  readonly timestamp: bigint
  readonly from: bigint
  /** Exclusive. */
  readonly below: bigint
}

/** A partition that could not be opened. */
export interface FailedPartition {
  readonly topic: string
  readonly partition: number
  readonly code: string
  readonly message: string
}

export class ReplicaManager {
  readonly #addon: NativeAddon
  readonly #dataPlane: DataPlaneHandle
  /** Partitions that exist and are not served, by `topic-partition`; those of a failed log dir are among them. */
  readonly #failed = new Map<string, FailedPartition>()
  /** Partitions that are open in the data plane although their log dir failed, by `topic-partition`. */
  readonly #offline = new Map<string, { readonly topic: string; readonly partition: number }>()
  /** Log dir of each served partition, by topic. */
  readonly #served = new Map<string, Map<number, string>>()

  constructor(addon: NativeAddon, dataPlane: DataPlaneHandle) {
    this.#addon = addon
    this.#dataPlane = dataPlane
  }

  /** Opens partitions and puts them into service; resolves with those that failed. */
  async open(specs: readonly PartitionSpec[]): Promise<FailedPartition[]> {
    const failures: FailedPartition[] = []
    for (let start = 0; start < specs.length; start += OPEN_BATCH) {
      const batch = specs.slice(start, start + OPEN_BATCH)
      const results = await this.#addon.openPartitions(this.#dataPlane, batch)
      batch.forEach((spec, index) => {
        const failure = this.#settle(spec, results[index] ?? null)
        if (failure !== null) failures.push(failure)
      })
    }
    return failures
  }

  /** Takes a partition out of service; its folder may be renamed afterwards. Quiet if it is not served. */
  async remove(topic: string, partition: number): Promise<void> {
    this.#failed.delete(keyOf(topic, partition))
    const isOffline = this.#offline.delete(keyOf(topic, partition))
    if (this.#leave(topic, partition) || isOffline) await this.#close(topic, partition)
  }

  /** Closes the logs of failed log dirs, which cannot be flushed, before a stop flushes the others. */
  async closeOffline(): Promise<void> {
    const open = [...this.#offline.values()]
    this.#offline.clear()
    for (const { topic, partition } of open) await this.#close(topic, partition)
  }

  /**
   * Takes the partitions of a log dir that failed offline. Their logs stay open, so that the data plane goes on to
   * answer clients with the storage error.
   */
  failLogDir(logDir: string): void {
    const message = `its log dir ${logDir} failed`
    for (const { topic, partition, logDir: own } of [...this.served()]) {
      if (own !== logDir) continue
      this.#leave(topic, partition)
      this.#offline.set(keyOf(topic, partition), { topic, partition })
      this.fail({ topic, partition, code: NativeErrorCode.io, message })
    }
  }

  /** Notes a partition that exists and cannot be served. */
  fail(failed: FailedPartition): void {
    this.#failed.set(keyOf(failed.topic, failed.partition), failed)
  }

  /** Gives a topic's logs new settings. */
  updateSettings(topic: string, settings: LogSettings): void {
    if (this.#served.has(topic)) this.#addon.updateSettings(this.#dataPlane, topic, settings)
  }

  /** Every served partition and its log dir. */
  *served(): Generator<{ topic: string; partition: number; logDir: string }> {
    for (const [topic, partitions] of this.#served) {
      for (const [partition, logDir] of partitions) yield { topic, partition, logDir }
    }
  }

  isServed(topic: string, partition: number): boolean {
    return this.#served.get(topic)?.has(partition) === true
  }

  /** Undefined: not served here. */
  offsets(topic: string, partition: number): PartitionState | undefined {
    return this.isServed(topic, partition)
      ? this.#addon.partitionState(this.#dataPlane, topic, partition)
      : undefined
  }

  /** The error for a partition that is not served: its log failed to open, or there is none. */
  absence(topic: string, partition: number): number {
    return this.#failed.has(keyOf(topic, partition))
      ? ErrorCode.KAFKA_STORAGE_ERROR
      : ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
  }

  endOffsetForEpoch(topic: string, partition: number, epoch: number): EpochEndOffset | undefined {
    return this.#addon.endOffsetForEpoch(this.#dataPlane, topic, partition, epoch)
  }

  /** The epoch that wrote an offset; -1: unknown. */
  epochForOffset(topic: string, partition: number, offset: bigint): number {
    return this.#addon.epochForOffset(this.#dataPlane, topic, partition, offset) ?? -1
  }

  /** What the segments of a log hold. Rejects ERR_NOT_FOUND and the like. */
  segments(topic: string, partition: number): Promise<SegmentInfo[]> {
    return this.#addon.segments(this.#dataPlane, topic, partition)
  }

  /** Moves the log start; a negative offset stands for the high watermark. Resolves with the log start. */
  deleteRecords(topic: string, partition: number, offset: bigint): Promise<bigint> {
    return this.#addon.deleteRecords(this.#dataPlane, topic, partition, offset)
  }

  /** As deleteRecords, the active segment included. */
  deleteSegments(topic: string, partition: number, offset: bigint, nowMs: number): Promise<bigint> {
    return this.#addon.deleteSegments(this.#dataPlane, topic, partition, offset, nowMs)
  }

  /** Undefined: not served here. */
  activeProducers(topic: string, partition: number): ActiveProducer[] | undefined {
    return this.#addon.activeProducers(this.#dataPlane, topic, partition)
  }

  /** The first batch in the range with a timestamp of at least `timestamp`; null: none, or no such partition. */
  batchByTimestamp(
    topic: string,
    partition: number,
    { timestamp, from, below }: TimestampRange,
  ): Promise<Buffer | null> {
    return nullIfGone(
      this.#addon.batchByTimestamp(this.#dataPlane, topic, partition, timestamp, from, below),
    )
  }

  /** The first batch that holds the largest timestamp; null: an empty log, or no such partition. */
  batchWithMaxTimestamp(topic: string, partition: number): Promise<Buffer | null> {
    return nullIfGone(this.#addon.batchWithMaxTimestamp(this.#dataPlane, topic, partition))
  }

  async #close(topic: string, partition: number): Promise<void> {
    try {
      await this.#addon.removePartition(this.#dataPlane, topic, partition)
    } catch (error) {
      if (codeOf(error) !== NativeErrorCode.notFound) throw error
    }
  }

  /** False: it was not served. */
  #leave(topic: string, partition: number): boolean {
    const partitions = this.#served.get(topic)
    if (partitions?.delete(partition) !== true) return false
    if (partitions.size === 0) this.#served.delete(topic)
    return true
  }

  #settle(spec: PartitionSpec, failure: OpenFailure): FailedPartition | null {
    const { topic, partition, logDir } = spec
    if (failure !== null) {
      const failed = { topic, partition, ...failure }
      this.fail(failed)
      return failed
    }
    const partitions = this.#served.get(topic) ?? new Map<number, string>()
    this.#served.set(topic, partitions.set(partition, logDir))
    this.#failed.delete(keyOf(topic, partition))
    return null
  }
}

/** A partition may be deleted while a lookup runs; then nothing is found. */
async function nullIfGone(lookup: Promise<Buffer | null>): Promise<Buffer | null> {
  try {
    return await lookup
  } catch (error) {
    if (codeOf(error) === NativeErrorCode.notFound) return null
    throw error
  }
}

function keyOf(topic: string, partition: number): string {
  return `${topic}-${partition}`
}
