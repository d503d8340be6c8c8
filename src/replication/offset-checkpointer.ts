/**
 * Writes Kafka's three offset checkpoint files of each log dir: high watermarks every 5 s, recovery points and log
 * start offsets every minute, all of them at a clean stop. A file is written only when one of its offsets changed,
 * and offsets are looked at only when the data plane received anything since, so that an idle broker does nothing.
 */
import { messageOf } from '../base/errors.js'
import type { PartitionState } from '../binding/native-addon.js'
import type { CheckpointEntry, CheckpointName } from '../log/checkpoint-file.js'

export interface OffsetCheckpointerParts {
  /** Every served partition and its log dir. */
  served(): Iterable<{ topic: string; partition: number; logDir: string }>
  offsets(topic: string, partition: number): PartitionState | undefined
  /** A number that differs from the last one when the data plane received anything. */
  activity(): number
  /** Replaces a checkpoint file durably. */
  write(logDir: string, file: CheckpointName, entries: readonly CheckpointEntry[]): Promise<void>
  onFailure(logDir: string, why: string): void
  /** The log dirs that have not failed. */
  logDirs(): readonly string[]
  readonly highWatermarkIntervalMs: number
  readonly recoveryPointIntervalMs: number
}

/** Partitions looked at in one turn of the event loop. */
const TURN_MAX = 1000

const OFFSET_OF: Readonly<Record<CheckpointName, (state: PartitionState) => bigint | null>> = {
  highWatermark: state => state.highWatermark,
  recoveryPoint: state => state.flushedOffset,
  logStart: state => (state.logStartOffset > 0n ? state.logStartOffset : null),
}

const FREQUENT: readonly CheckpointName[] = ['highWatermark']
const RARE: readonly CheckpointName[] = ['recoveryPoint', 'logStart']

export class OffsetCheckpointer {
  readonly #parts: OffsetCheckpointerParts
  /** What each file holds, by log dir and name. */
  readonly #written = new Map<string, readonly CheckpointEntry[]>()
  readonly #timers: NodeJS.Timeout[] = []
  #work: Promise<void> = Promise.resolve()

  constructor(parts: OffsetCheckpointerParts) {
    this.#parts = parts
  }

  /** Starts the timers, which do not keep the process alive, after a first pass that drops lines of an earlier run. */
  start(): void {
    this.#schedule([...FREQUENT, ...RARE])
    this.#every(this.#parts.highWatermarkIntervalMs, FREQUENT)
    this.#every(this.#parts.recoveryPointIntervalMs, RARE)
  }

  /** Stops the timers; resolves when the pass in work is done. */
  async stop(): Promise<void> {
    for (const timer of this.#timers.splice(0)) clearInterval(timer)
    await this.#work
  }

  /**
   * Takes the lines of a topic that is being deleted out of the files that a start goes by: a log that is made anew
   * under the same name must not be measured by the recovery point of the old one. Resolves when they are gone.
   */
  async forget(topic: string): Promise<void> {
    const forgotten = this.#work.then(() => this.#forget(topic))
    this.#work = forgotten.catch(() => undefined)
    await forgotten
  }

  /** Writes all files now. Rejects with the first that cannot be written, after trying the others. */
  async writeAll(): Promise<void> {
    const failures: unknown[] = []
    await this.#pass([...FREQUENT, ...RARE], (_logDir, error) => failures.push(error))
    if (failures.length > 0) throw failures[0]
  }

  #every(intervalMs: number, files: readonly CheckpointName[]): void {
    // A pass may find offsets that still move without new requests: one more pass follows it.
    let seen = -1
    let isSettled = false
    const timer = setInterval(() => {
      const activity = this.#parts.activity()
      if (activity === seen && isSettled) return
      isSettled = activity === seen
      seen = activity
      this.#schedule(files)
    }, intervalMs)
    this.#timers.push(timer.unref())
  }

  #schedule(files: readonly CheckpointName[]): void {
    this.#work = this.#work.then(() =>
      this.#pass(files, (logDir, error) => this.#parts.onFailure(logDir, messageOf(error))),
    )
  }

  async #forget(topic: string): Promise<void> {
    for (const logDir of this.#parts.logDirs()) {
      for (const file of RARE) {
        const lines = this.#written.get(`${logDir}/${file}`) ?? []
        const left = lines.filter(line => line.topic !== topic)
        if (left.length < lines.length) await this.#write(logDir, file, left)
      }
    }
  }

  async #pass(
    files: readonly CheckpointName[],
    onFailure: (logDir: string, error: unknown) => void,
  ): Promise<void> {
    const found = await this.#collect(files)
    for (const [logDir, byFile] of found) {
      for (const [file, entries] of byFile) {
        if (isSame(this.#written.get(`${logDir}/${file}`), entries)) continue
        try {
          await this.#write(logDir, file, entries)
        } catch (error) {
          onFailure(logDir, error)
        }
      }
    }
  }

  async #collect(files: readonly CheckpointName[]) {
    const found = new Map(
      this.#parts
        .logDirs()
        .map(logDir => [logDir, new Map(files.map(file => [file, [] as CheckpointEntry[]]))]),
    )
    let left = TURN_MAX
    for (const { topic, partition, logDir } of this.#parts.served()) {
      if (left-- === 0) {
        await new Promise(resolve => setImmediate(resolve))
        left = TURN_MAX
      }
      const state = this.#parts.offsets(topic, partition)
      if (state === undefined) continue
      for (const [file, entries] of found.get(logDir) ?? []) {
        const offset = OFFSET_OF[file](state)
        if (offset !== null) entries.push({ topic, partition, offset })
      }
    }
    return found
  }

  async #write(
    logDir: string,
    file: CheckpointName,
    entries: readonly CheckpointEntry[],
  ): Promise<void> {
    await this.#parts.write(logDir, file, entries)
    this.#written.set(`${logDir}/${file}`, entries)
  }
}

/** Both come in the order of the served partitions, which a partition keeps while it is served. */
function isSame(
  before: readonly CheckpointEntry[] | undefined,
  now: readonly CheckpointEntry[],
): boolean {
  if (before === undefined || before.length !== now.length) return false
  return now.every(({ topic, partition, offset }, i) => {
    const line = before[i]!
    return line.topic === topic && line.partition === partition && line.offset === offset
  })
}
