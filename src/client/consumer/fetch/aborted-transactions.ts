/** Leaves out what aborted transactions wrote, for `isolationLevel: 'read_committed'` (KIP-98). */
import { controlRecordTypeId } from '../../../records/control-record.js'
import type { RecordBatch } from '../../../records/record-batch.js'
import { decodeRecords } from '../../../records/record-reader.js'

const ABORT = 0

export interface AbortedTransaction {
  readonly producerId: bigint
  readonly firstOffset: bigint
}

/** Of one fetched piece of a log; its batches must be asked about in order. */
export class AbortedTransactions {
  /** Those that begin later, the next one last. */
  readonly #ahead: AbortedTransaction[]
  readonly #aborting = new Set<bigint>()

  constructor(transactions: readonly AbortedTransaction[]) {
    this.#ahead = [...transactions].sort((a, b) => Number(b.firstOffset - a.firstOffset))
  }

  /** Whether a batch was written by a transaction that was aborted. */
  covers(batch: RecordBatch): boolean {
    if (batch.producerId < 0n) return false
    while (this.#ahead.length > 0 && this.#ahead.at(-1)!.firstOffset <= batch.lastOffset) {
      this.#aborting.add(this.#ahead.pop()!.producerId)
    }
    if (batch.isControl) {
      if (isAbortMarker(batch)) this.#aborting.delete(batch.producerId)
      return false
    }
    return batch.isTransactional && this.#aborting.has(batch.producerId)
  }
}

function isAbortMarker(batch: RecordBatch): boolean {
  for (const record of decodeRecords(batch, batch.recordBytes)) {
    return controlRecordTypeId(record.key) === ABORT
  }
  return false
}
