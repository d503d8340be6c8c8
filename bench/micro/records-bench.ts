/** Question: what does a record cost where TypeScript handles it (tools, clients, coordinators)? */
import type { Bench } from 'tinybench'
import { crc32c } from '../../src/records/crc32c.js'
import { RecordBatchBuilder } from '../../src/records/record-batch-builder.js'
import { RecordBatch } from '../../src/records/record-batch.js'

const RECORDS = 100
const TIMESTAMP = 1_700_000_000_000n

function buildBatch(value: Buffer): Promise<Buffer> {
  const builder = new RecordBatchBuilder()
  for (let at = 0; at < RECORDS; at++) builder.append({ timestamp: TIMESTAMP, value })
  return builder.build()
}

export async function addRecordsBenches(bench: Bench): Promise<void> {
  const value = Buffer.alloc(100, 7)
  const batch = await buildBatch(value)
  bench.add('record batch, 100 x 100 B: build', async () => {
    await buildBatch(value)
  })
  bench.add('record batch, 100 x 100 B: check', () => {
    if (!new RecordBatch(batch).isValid) throw new Error('The batch should be valid.')
  })
  const block = Buffer.alloc(64 * 1024, 7)
  bench.add('CRC-32C of 64 KiB', () => {
    crc32c(block)
  })
}
