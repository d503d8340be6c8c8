/** The records that generated Produce requests carry: batches as producers send them, and broken ones. */
import { type BatchOptions, recordBatch, recordsOf } from '../../support/record-batch-bytes.js'

const AT = 1_750_000_000_000
const RECORDS = recordsOf(3).map((record, i) => ({ ...record, key: `k${i}`, timestamp: AT + i }))

const plain = (options: BatchOptions = {}) => recordBatch(RECORDS, options)

function changed(at: number, value: number): Buffer {
  const batch = Buffer.from(plain())
  batch[at] = value
  return batch
}

const SETS: readonly (Buffer | null)[] = [
  plain(),
  plain(),
  plain({ gzip: true }),
  recordBatch(RECORDS.map(record => ({ ...record, key: null }))),
  changed(65, 0x7f),
  changed(16, 1),
  changed(16, 3),
  plain().subarray(0, 40),
  plain().subarray(0, 70),
  Buffer.concat([plain(), plain()]),
  Buffer.alloc(0),
  plain({ attributes: 0x20 }),
  plain({ attributes: 0x05 }),
  plain({ producerId: 7_000_000n, producerEpoch: 0, baseSequence: 5 }),
  plain({ producerId: 7_000_000n, producerEpoch: -1, baseSequence: 0 }),
]

/** Those that a producer of this version of Produce can send. */
export function recordSets(version: number): readonly (Buffer | null)[] {
  return version < 7 ? SETS.filter(set => set !== null) : SETS
}
