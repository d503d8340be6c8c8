/** ListOffsets by time and by largest time, inside one batch (cases C053 and C057). */
import { describe, expect, it } from 'vitest'
import { CODEC_NAMES } from '../../../src/records/compression/codec.js'
import { RecordBatchBuilder } from '../../../src/records/record-batch-builder.js'
import type { RecordBatchOptions } from '../../../src/records/record-batch-builder.js'
import { firstRecordAtOrAfter, maxTimestampRecord } from '../../../src/records/timestamp-lookup.js'

function batchOf(times: number[], options: RecordBatchOptions = {}): Promise<Buffer> {
  const builder = new RecordBatchBuilder({ baseOffset: 10n, ...options })
  for (const time of times) builder.append({ timestamp: BigInt(time), value: Buffer.from('v') })
  return builder.build()
}

describe.each(CODEC_NAMES)('with codec %s', codec => {
  it('finds the first record in offset order, as a model does, for every target', async () => {
    const times = Array.from({ length: 60 }, (_, index) => (index * 37) % 60)
    const batch = await batchOf(times, { codec })
    for (let target = -1; target <= 60; target++) {
      const index = times.findIndex(time => time >= target)
      const expected =
        index < 0 ? null : { offset: 10n + BigInt(index), timestamp: BigInt(times[index]!) }
      expect(await firstRecordAtOrAfter(batch, BigInt(target)), `target ${target}`).toEqual(
        expected,
      )
    }
  })

  it('names the record with the largest time, not the last of the batch', async () => {
    const batch = await batchOf([5, 9, 7], { codec })
    expect(await maxTimestampRecord(batch)).toEqual({ offset: 11n, timestamp: 9n })
  })
})

describe('special batches', () => {
  it('takes the first of equal times', async () => {
    expect(await maxTimestampRecord(await batchOf([3, 8, 8]))).toEqual({
      offset: 11n,
      timestamp: 8n,
    })
  })

  it('takes the first record with LogAppendTime', async () => {
    const options = { timestampType: 'LogAppendTime', logAppendTime: 77n } as const
    const batch = await batchOf([1, 2, 3], options)
    expect(await maxTimestampRecord(batch)).toEqual({ offset: 10n, timestamp: 77n })
    expect(await firstRecordAtOrAfter(batch, 77n)).toEqual({ offset: 10n, timestamp: 77n })
    expect(await firstRecordAtOrAfter(batch, 78n)).toBeNull()
  })

  it('passes over records below the start offset', async () => {
    const batch = await batchOf([5, 6, 7])
    expect(await firstRecordAtOrAfter(batch, 0n, 12n)).toEqual({ offset: 12n, timestamp: 7n })
    expect(await firstRecordAtOrAfter(batch, 0n, 13n)).toBeNull()
  })

  it('answers null without records or without timestamps', async () => {
    expect(await maxTimestampRecord(await batchOf([]))).toBeNull()
    expect(await maxTimestampRecord(await batchOf([-1, -1]))).toBeNull()
    expect(await firstRecordAtOrAfter(await batchOf([]), 0n)).toBeNull()
  })

  it('answers from the records that compaction left, by what they hold', async () => {
    const batch = await new RecordBatchBuilder({ baseOffset: 10n })
      .append({ timestamp: 4n, offsetDelta: 2 })
      .append({ timestamp: 6n, offsetDelta: 9 })
      .build()
    expect(await firstRecordAtOrAfter(batch, 5n)).toEqual({ offset: 19n, timestamp: 6n })
  })
})
