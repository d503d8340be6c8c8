/**
 * Batches written by the builder read back as they were, and damaged ones are refused, never
 * trusted.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CODEC_NAMES } from '../../../src/records/compression/codec.js'
import type { Record } from '../../../src/records/record.js'
import { RecordBatch, recordBatches } from '../../../src/records/record-batch.js'
import { RecordBatchBuilder } from '../../../src/records/record-batch-builder.js'
import type { NewRecord } from '../../../src/records/record-batch-builder.js'
import { readRecords } from '../../../src/records/record-reader.js'

const bytes = fc.option(fc.uint8Array({ maxLength: 200 }).map(array => Buffer.from(array)))
const header = fc.record({ key: fc.string({ unit: 'grapheme', maxLength: 10 }), value: bytes })
const newRecord = fc.record({
  timestamp: fc.bigInt({ min: -1n, max: 2n ** 62n }),
  key: bytes,
  value: bytes,
  headers: fc.array(header, { maxLength: 3 }),
})

async function build(records: NewRecord[], options = {}): Promise<Buffer> {
  const builder = new RecordBatchBuilder(options)
  for (const record of records) builder.append(record)
  return builder.build()
}

async function read(batchBytes: Buffer): Promise<Record[]> {
  return [...(await readRecords(new RecordBatch(batchBytes)))]
}

describe('round trip', () => {
  it.each(CODEC_NAMES)('keeps every field with codec %s', async codec => {
    await fc.assert(
      fc.asyncProperty(fc.array(newRecord, { minLength: 1, maxLength: 20 }), async records => {
        const batch = new RecordBatch(await build(records, { codec, baseOffset: 100n }))
        expect(batch.isValid).toBe(true)
        expect(batch.codec).toBe(codec)
        expect(batch.recordsCount).toBe(records.length)
        expect(batch.lastOffset).toBe(99n + BigInt(records.length))
        const expected = records.map((record, index) => ({
          ...record,
          offset: 100n + BigInt(index),
          sequence: -1,
        }))
        expect([...(await readRecords(batch))]).toEqual(expected)
      }),
      { numRuns: 30 },
    )
  })

  it('fills the header', async () => {
    const options = {
      baseOffset: 7n,
      partitionLeaderEpoch: 3,
      producerId: 9n,
      producerEpoch: 2,
      baseSequence: 2 ** 31 - 1,
      isTransactional: true,
    }
    const batch = new RecordBatch(await build([{ timestamp: 50n }, { timestamp: 40n }], options))
    expect(batch).toMatchObject(options)
    expect(batch).toMatchObject({ magic: 2, lastOffsetDelta: 1, baseTimestamp: 50n })
    expect(batch).toMatchObject({ maxTimestamp: 50n, isControl: false, deleteHorizonMs: null })
    // Sequences wrap to 0, never to a negative number.
    expect(batch.lastSequence).toBe(0)
    expect((await read(batch.bytes)).map(record => record.sequence)).toEqual([2 ** 31 - 1, 0])
  })

  it('gives all records the time of the broker with LogAppendTime', async () => {
    const options = { timestampType: 'LogAppendTime', logAppendTime: 99n } as const
    const records = await read(await build([{ timestamp: 1n }, { timestamp: 2n }], options))
    expect(records.map(record => record.timestamp)).toEqual([99n, 99n])
  })

  it('reads the empty batch that compaction leaves', async () => {
    const empty = await build([], { codec: 'gzip' })
    expect(empty.length).toBe(61)
    expect(await read(empty)).toEqual([])
  })
})

describe('damage', () => {
  const corrupt = expect.objectContaining({ code: 'ERR_RECORD_CORRUPT' }) as Error

  it('refuses every truncation of a batch', async () => {
    const batch = await build([{ key: Buffer.from('k'), value: Buffer.from('v') }])
    for (let length = 0; length < batch.length; length++) {
      expect(() => new RecordBatch(batch.subarray(0, length)), `length ${length}`).toThrow(corrupt)
    }
  })

  it('shows any flipped bit from the attributes on in the checksum', async () => {
    const batch = await build([{ timestamp: 5n, value: Buffer.from('value') }])
    for (let bit = 21 * 8; bit < batch.length * 8; bit++) {
      const flipped = Buffer.from(batch)
      flipped[bit >> 3]! ^= 1 << (bit & 7)
      expect(new RecordBatch(flipped).isValid, `bit ${bit}`).toBe(false)
    }
  })

  it('ends with an error or with records for any bytes behind the header', async () => {
    const start = await build([{ value: Buffer.alloc(60) }])
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 61, maxLength: 61 }), async noise => {
        const batch = Buffer.from(start)
        batch.set(noise.subarray(0, batch.length - 61), 61)
        await read(batch).catch((error: unknown) => expect(error).toEqual(corrupt))
      }),
    )
  })

  it.each([
    ['a negative record count', 57, -1],
    ['more records than bytes', 57, 2 ** 31 - 1],
    ['fewer records than bytes', 57, 1],
  ])('refuses %s', async (_name, at, value) => {
    const batch = await build([{ value: Buffer.from('a') }, { value: Buffer.from('b') }])
    batch.writeInt32BE(value, at)
    await expect(read(batch)).rejects.toThrow(corrupt)
  })

  it('leaves out a cut-off batch at the end of a fetch response', async () => {
    const batch = await build([{ value: Buffer.from('a') }])
    const response = Buffer.concat([batch, batch, batch.subarray(0, 30)])
    expect([...recordBatches(response)]).toHaveLength(2)
  })
})
