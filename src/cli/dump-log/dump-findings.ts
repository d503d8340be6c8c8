/**
 * What the dump of a run found wrong across its files, printed at the end on standard error in the
 * words of Kafka's tool. All of it are hints for people: none changes the exit code.
 */
import type { DumpOutput } from './dump-output.js'
import { inJavaHashOrder } from './java-hash-order.js'

type Pair = readonly [bigint, bigint]

/**
 * Collected by absolute file name, and printed in the order in which Kafka's tool happens to walk
 * them.
 */
export class DumpFindings {
  readonly #indexMismatches = new Map<string, Map<bigint, bigint>>()
  readonly #timestampMismatches = new Map<string, Pair[]>()
  readonly #outOfOrderTimestamps = new Map<string, Pair[]>()
  readonly #offsetsNotFound = new Map<string, Pair[]>()
  readonly #nonConsecutiveOffsets = new Map<string, Map<bigint, bigint>>()

  indexMismatch(file: string, indexOffset: bigint, logOffset: bigint): void {
    entryOf(this.#indexMismatches, file, () => new Map<bigint, bigint>()).set(
      indexOffset,
      logOffset,
    )
  }

  timestampMismatch(file: string, indexTimestamp: bigint, logTimestamp: bigint): void {
    entryOf(this.#timestampMismatches, file, () => []).push([indexTimestamp, logTimestamp])
  }

  outOfOrderTimestamp(file: string, timestamp: bigint, previous: bigint): void {
    entryOf(this.#outOfOrderTimestamps, file, () => []).push([timestamp, previous])
  }

  /** `logOffset` is -1 if the log has no batch that far. */
  offsetNotFound(file: string, indexOffset: bigint, logOffset: bigint): void {
    entryOf(this.#offsetsNotFound, file, () => []).push([indexOffset, logOffset])
  }

  nonConsecutiveOffsets(file: string, previous: bigint, next: bigint): void {
    entryOf(this.#nonConsecutiveOffsets, file, () => new Map<bigint, bigint>()).set(previous, next)
  }

  async print(out: DumpOutput): Promise<void> {
    for (const [file, pairs] of inJavaHashOrder(this.#indexMismatches)) {
      await out.error(`Mismatches in :${file}`)
      for (const [index, log] of sortedByKey(pairs).reverse()) {
        await out.error(`  Index offset: ${index}, log offset: ${log}`)
      }
    }
    await this.#printTimeIndexFindings(out)
    for (const [file, pairs] of inJavaHashOrder(this.#nonConsecutiveOffsets)) {
      await out.error(`Non-consecutive offsets in ${file}`)
      for (const [previous, next] of sortedByKey(pairs)) {
        await out.error(`  ${previous} is followed by ${next}`)
      }
    }
  }

  async #printTimeIndexFindings(out: DumpOutput): Promise<void> {
    for (const [file, pairs] of inJavaHashOrder(this.#timestampMismatches)) {
      await out.error(`Found timestamp mismatch in :${file}`)
      for (const [index, log] of pairs) {
        await out.error(`  Index timestamp: ${index}, log timestamp: ${log}`)
      }
    }
    for (const [file, pairs] of inJavaHashOrder(this.#outOfOrderTimestamps)) {
      await out.error(`Found out of order timestamp in :${file}`)
      for (const [timestamp, previous] of pairs) {
        await out.error(
          `  Index timestamp: ${timestamp}, Previously indexed timestamp: ${previous}`,
        )
      }
    }
    for (const [file, pairs] of inJavaHashOrder(this.#offsetsNotFound)) {
      await out.error(`The following indexed offsets are not found in :${file}`)
      for (const [index, log] of pairs) {
        await out.error(`Indexed offset: ${index}, found log offset: ${log}`)
      }
    }
  }
}

function entryOf<V>(map: Map<string, V>, key: string, create: () => V): V {
  const present = map.get(key)
  if (present !== undefined) return present
  const created = create()
  map.set(key, created)
  return created
}

function sortedByKey(pairs: Map<bigint, bigint>): Pair[] {
  return [...pairs].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
}
