/** Splitting a batch that the broker found too large (KIP-126): the same records in batches of half the size. */
import { RecordBatch } from '../../records/record-batch.js'
import { decodeRecords } from '../../records/record-reader.js'
import { ProducerBatch } from './producer-batch.js'
import type { HeaderList } from './record-encoder.js'

/**
 * Two or more batches with the records of `batch`, in order, and whoever waits for them. The buffers are new ones,
 * outside of the pool, each of at most half the size where the records allow it.
 */
export function splitBatch(batch: ProducerBatch): ProducerBatch[] {
  const parts: ProducerBatch[] = []
  const waiters = new Map(batch.waiters().map(waiter => [waiter.index, waiter]))
  const half = Math.ceil(batch.recordCount / 2)
  let current: ProducerBatch | undefined
  let index = 0
  const plain = new RecordBatch(batch.plainBytes())
  for (const { timestamp, key, value, headers } of decodeRecords(plain, plain.recordBytes)) {
    if (index % half === 0) {
      current?.close()
      // Offsets and timestamps are counted anew, in no more bytes than before.
      const buffer = Buffer.allocUnsafeSlow(batch.sizeBytes)
      current = new ProducerBatch(buffer, batch.codec, batch.createdMs, batch.order, false)
      current.attempts = batch.attempts
      current.firstIndex = batch.firstIndex + index
      parts.push(current)
    }
    const list: HeaderList = headers.map(h => [Buffer.from(h.key, 'utf8'), h.value] as const)
    if (!current!.tryAppend(Number(timestamp), key, value, list)) {
      throw new RangeError(`Record ${index} of a batch does not fit a batch of the same size.`)
    }
    const waiter = waiters.get(index)
    if (waiter !== undefined) current!.adopt(waiter)
    index++
  }
  current?.close()
  return parts
}
