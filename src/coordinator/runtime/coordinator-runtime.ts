/**
 * All partitions of a coordinator's topic that this broker leads: which partition a key belongs to, loading in the
 * background, and operations by partition. Kafka's CoordinatorRuntime without its threads: everything runs on the
 * control plane's one.
 */
import { BrokerError } from '../../base/errors.js'
import { messageOf } from '../../base/errors.js'
import type { Outcome, ReplicatedState } from './operation.js'
import { CoordinatorErrorCode, PartitionRuntime, type RuntimeParts } from './partition-runtime.js'

export class CoordinatorRuntime<Rec, S extends ReplicatedState<Rec>> {
  readonly #parts: RuntimeParts<Rec, S>
  readonly #partitions = new Map<number, PartitionRuntime<Rec, S>>()
  /** Loads go one after the other: together they would only take turns. */
  #loads: Promise<void> = Promise.resolve()

  constructor(parts: RuntimeParts<Rec, S>) {
    this.#parts = parts
  }

  /** This broker leads the partition now: loads it in the background. Resolves when it serves. */
  open(partition: number): Promise<void> {
    if (this.#partitions.has(partition)) return this.#loads
    const runtime = new PartitionRuntime(partition, this.#parts)
    this.#partitions.set(partition, runtime)
    this.#loads = this.#loads.then(async () => {
      try {
        await runtime.load()
      } catch (error) {
        this.#parts.onProblem(
          `Coordinator partition ${partition} could not be loaded, its keys have no coordinator: ${messageOf(error)}`,
        )
        runtime.close()
      }
    })
    return this.#loads
  }

  /** This broker no longer leads the partition. */
  close(partition: number): void {
    this.#partitions.get(partition)?.close()
    this.#partitions.delete(partition)
  }

  closeAll(): void {
    for (const partition of [...this.#partitions.keys()]) this.close(partition)
  }

  /** Settles when all partitions opened so far were loaded. */
  whenLoaded(): Promise<void> {
    return this.#loads
  }

  /** The partitions that are open, loaded or not. */
  partitions(): readonly number[] {
    return [...this.#partitions.keys()]
  }

  /** See PartitionRuntime.write. */
  write<R>(partition: number, operation: (state: S, nowMs: number) => Outcome<Rec, R>): Promise<R> {
    const runtime = this.#partitions.get(partition)
    return runtime === undefined ? Promise.reject(notCoordinator()) : runtime.write(operation)
  }

  /** See PartitionRuntime.read. */
  read<R>(partition: number, look: (state: S, nowMs: number) => R): Promise<R> {
    const runtime = this.#partitions.get(partition)
    return runtime === undefined ? Promise.reject(notCoordinator()) : runtime.read(look)
  }

  /** Runs an operation on every partition that is loaded; failures are only told. */
  async writeEverywhere(operation: (state: S, nowMs: number) => Outcome<Rec, void>): Promise<void> {
    for (const runtime of this.#partitions.values()) {
      if (!runtime.isActive) continue
      try {
        await runtime.write(operation)
      } catch (error) {
        this.#parts.onProblem(
          `Housekeeping of coordinator partition ${runtime.partition} failed: ${messageOf(error)}`,
        )
      }
    }
  }
}

function notCoordinator(): BrokerError {
  return new BrokerError(CoordinatorErrorCode.notCoordinator, 'This broker does not coordinate it.')
}
