/** Finds where to begin: the committed offset, or the reset policy, or what a seek asked for. Runs beside the polls. */
import type { GroupOffsets } from '../admin/group-offsets.js'
import type { OffsetSpec, RecordAdmin } from '../admin/record-admin.js'
import { asError, configError, isRetriableError } from '../errors.js'
import type { ResolvedConsumerOptions } from './consumer-options.js'
import type { PartitionState, ResetTo, SubscriptionState } from './subscription-state.js'
import { nameOf } from './topic-partition.js'

export interface PositionFinderParts {
  readonly subscription: SubscriptionState
  readonly options: ResolvedConsumerOptions
  readonly records: RecordAdmin
  readonly offsets: GroupOffsets
  notify(): void
}

export class PositionFinder {
  readonly #parts: PositionFinderParts
  #isWorking = false
  #failure: Error | undefined

  constructor(parts: PositionFinderParts) {
    this.#parts = parts
  }

  /** Begins to look for what is missing. Throws what no retry mends, such as a missing offset without a policy. */
  update(): void {
    const failure = this.#failure
    this.#failure = undefined
    if (failure !== undefined) throw failure
    if (this.#isWorking) return
    const missing = [...this.#parts.subscription.states()].filter(state => state.position === null)
    if (missing.length === 0) return
    this.#isWorking = true
    void this.#find(missing)
      .catch((error: unknown) => {
        if (!isRetriableError(error)) this.#failure = asError(error)
      })
      .finally(() => {
        this.#isWorking = false
        this.#parts.notify()
      })
  }

  async #find(missing: readonly PartitionState[]): Promise<void> {
    const seeks = new Map(missing.map(state => [state, state.seeks]))
    const { options } = this.#parts
    const fresh = missing.filter(state => state.resetTo === null)
    if (options.groupId !== null && fresh.length > 0) await this.#fromCommitted(fresh, seeks)
    const left = missing.filter(
      state => state.position === null && state.seeks === seeks.get(state),
    )
    for (const state of left) state.resetTo ??= this.#policy(state)
    await this.#fromLog(left, seeks)
  }

  async #fromCommitted(
    states: readonly PartitionState[],
    seeks: ReadonlyMap<PartitionState, number>,
  ): Promise<void> {
    const { offsets, options } = this.#parts
    const found = await offsets.listOffsets(
      options.groupId!,
      states.map(({ partition }) => partition),
      { requireStable: true },
    )
    const byName = new Map(found.map(offset => [nameOf(offset), offset]))
    for (const state of states) {
      const committed = byName.get(nameOf(state.partition))
      if (committed === undefined || state.seeks !== seeks.get(state)) continue
      state.position = { offset: committed.offset, leaderEpoch: committed.leaderEpoch }
    }
  }

  async #fromLog(
    states: readonly PartitionState[],
    seeks: ReadonlyMap<PartitionState, number>,
  ): Promise<void> {
    if (states.length === 0) return
    const { options, records } = this.#parts
    const isolationLevel =
      options.isolationLevel === 'read_committed' ? 'readCommitted' : 'readUncommitted'
    const found = await records.listOffsets(
      states.map(state => ({ ...state.partition, at: specOf(state.resetTo!) })),
      { isolationLevel },
    )
    for (const state of states) {
      const listed = found.get(nameOf(state.partition))
      if (listed === undefined || state.seeks !== seeks.get(state)) continue
      if (listed.offset < 0n) {
        state.resetTo = 'latest' // No record is as young as that: the next one will be.
        continue
      }
      state.position = { offset: listed.offset, leaderEpoch: -1 }
      state.resetTo = null
    }
  }

  #policy({ partition }: PartitionState): ResetTo {
    const { autoOffsetReset } = this.#parts.options
    if (autoOffsetReset !== 'none') return autoOffsetReset
    throw configError(
      `${nameOf(partition)} has no committed offset, and autoOffsetReset is none. Seek to an offset, or set ` +
        'autoOffsetReset to earliest or latest.',
    )
  }
}

function specOf(resetTo: ResetTo): OffsetSpec {
  return typeof resetTo === 'string' ? resetTo : resetTo.timestamp
}
