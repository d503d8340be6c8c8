/**
 * Removes old records (cleanup.policy=delete): by the age of the newest record of a segment, by the size of the log,
 * and below the log start. Looks at all logs every log.retention.check.interval.ms, one after the other. What is to go
 * is decided here; the data plane moves the files (KIP-33 for what counts as age).
 */
import { messageOf } from '../base/errors.js'
import type { Clock } from '../base/clock.js'
import type { PartitionState, SegmentInfo } from '../binding/native-addon.js'

export interface RetentionSettings {
  /** cleanup.policy has `delete`. */
  readonly deletes: boolean
  /** Negative: no limit. */
  readonly retentionMs: number
  readonly retentionBytes: number
}

export interface LogRetentionParts {
  readonly clock: Clock
  readonly intervalMs: number
  served(): Iterable<{ topic: string; partition: number }>
  /** Undefined: the topic is gone. */
  settings(topic: string): RetentionSettings | undefined
  state(topic: string, partition: number): PartitionState | undefined
  segments(topic: string, partition: number): Promise<readonly SegmentInfo[]>
  /** Removes the segments below `offset`. */
  deleteSegments(topic: string, partition: number, offset: bigint): Promise<unknown>
  onInfo(message: string): void
  onProblem(message: string): void
}

/** Kafka's first check comes half a minute after the start. */
const FIRST_CHECK_MS = 30_000

export class LogRetention {
  readonly #parts: LogRetentionParts
  readonly #toldOfFuture = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  #work: Promise<void> = Promise.resolve()
  #stopped = false

  constructor(parts: LogRetentionParts) {
    this.#parts = parts
  }

  /** Starts the timer, which does not keep the process alive. */
  start(): void {
    this.#plan(Math.min(FIRST_CHECK_MS, this.#parts.intervalMs))
  }

  /** Resolves when the check in work is done. */
  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#timer)
    await this.#work
  }

  /** Checks every log once. A log that cannot be looked at is told of and passed over. */
  async check(): Promise<void> {
    for (const { topic, partition } of [...this.#parts.served()]) {
      if (this.#stopped) return
      try {
        await this.#checkOne(topic, partition)
      } catch (error) {
        this.#parts.onProblem(
          `Old records of ${topic}-${partition} could not be removed: ${messageOf(error)}`,
        )
      }
    }
  }

  #plan(delayMs: number): void {
    this.#timer = setTimeout(() => {
      this.#work = this.check().finally(() => {
        if (!this.#stopped) this.#plan(this.#parts.intervalMs)
      })
    }, delayMs).unref()
  }

  async #checkOne(topic: string, partition: number): Promise<void> {
    const settings = this.#parts.settings(topic)
    const state = this.#parts.state(topic, partition)
    // A log that holds nothing is not worth a look; most logs of a large broker are like that.
    if (settings === undefined || state === undefined || state.offline || state.sizeBytes === 0) {
      return
    }
    const segments = await this.#parts.segments(topic, partition)
    const now = this.#parts.clock.nowMs()
    this.#tellOfFuture(topic, partition, segments, now)
    const offset = deletableBelow(segments, state, settings, now)
    if (offset === null) return
    await this.#parts.deleteSegments(topic, partition, offset)
    this.#parts.onInfo(`Removed the segments of ${topic}-${partition} below offset ${offset}.`)
  }

  /** Such a segment outlives its retention; the operator should know, once. */
  #tellOfFuture(
    topic: string,
    partition: number,
    segments: readonly SegmentInfo[],
    now: number,
  ): void {
    const future = segments.find(({ largestTimestampMs }) => largestTimestampMs > now)
    const key = `${topic}-${partition}`
    if (future === undefined) {
      this.#toldOfFuture.delete(key)
      return
    }
    if (this.#toldOfFuture.has(key)) return
    this.#toldOfFuture.add(key)
    this.#parts.onProblem(
      `${key} holds records from the future (${future.largestTimestampMs} ms since 1970): ` +
        'they and what lies behind them are kept until that time and retention.ms have passed. ' +
        'message.timestamp.after.max.ms keeps such records out.',
    )
  }
}

/**
 * The offset below which all segments may go; null: none. In Kafka's order: below the log start, over the size, past
 * their age; never what is above the high watermark, and not an empty active segment.
 */
export function deletableBelow(
  segments: readonly SegmentInfo[],
  { highWatermark, logEndOffset, logStartOffset }: PartitionState,
  { deletes, retentionBytes, retentionMs }: RetentionSettings,
  now: number,
): bigint | null {
  const endOf = (index: number) => segments[index + 1]?.baseOffset ?? logEndOffset
  let count = 0
  const takeWhile = (isDue: (segment: SegmentInfo, index: number) => boolean): void => {
    for (; count < segments.length; count++) {
      const segment = segments[count]!
      const isEmptyActive = count === segments.length - 1 && segment.sizeBytes === 0
      if (isEmptyActive || endOf(count) > highWatermark || !isDue(segment, count)) return
    }
  }
  takeWhile((_segment, index) => index + 1 < segments.length && endOf(index) <= logStartOffset)
  if (deletes && retentionBytes >= 0) {
    const left = segments.slice(count).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
    let over = left - retentionBytes
    takeWhile(({ sizeBytes }) => {
      over -= sizeBytes
      return over >= 0
    })
  }
  if (deletes && retentionMs >= 0) {
    takeWhile(({ largestTimestampMs }) => now - largestTimestampMs > retentionMs)
  }
  return count === 0 ? null : endOf(count - 1)
}
