/** Row 13: batches that the producer has compressed, one row a codec. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CodecName } from '../../src/records/compression/codec.js'
import { RecordBatchBuilder } from '../../src/records/record-batch-builder.js'
import { CACHE } from '../root.js'
import { clientPerGigabyte, GB, LARGE_REQUESTS, megabytes, perGigabyte, produce } from './load.js'
import { type Row, amount } from './row.js'

const RECORDS = 1000
const RECORD_BYTES = 1024
const WORDS = ['orders', 'shipped', 'customer', 'invoice', 'pending', 'warehouse', 'returned']

/** Text of fields and numbers, as events are: codecs make a half to a quarter of it. */
function eventValue(sequence: number): Buffer {
  let state = sequence + 1
  const next = (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return (state >>> 8) % below
  }
  let text = `{"sequence":${sequence}`
  while (text.length < RECORD_BYTES) text += `,"${WORDS[next(WORDS.length)]}":${next(1e9)}`
  return Buffer.from(text).subarray(0, RECORD_BYTES)
}

async function batchFile(codec: CodecName): Promise<string> {
  const builder = new RecordBatchBuilder({ codec })
  const timestamp = BigInt(Date.now())
  for (let at = 0; at < RECORDS; at++) builder.append({ timestamp, value: eventValue(at) })
  const path = join(CACHE, `batch-${codec}`)
  writeFileSync(path, await builder.build())
  return path
}

function compressedRow(codec: CodecName): Row {
  const bytes = 0.5 * GB
  return {
    id: `13-${codec}`,
    title: `produce, 1 KiB records in ${codec} batches of 1 MB before compression`,
    bytesPerRound: 1.1 * bytes,
    run: async context =>
      produce(context, `row13-${codec}-${context.round}`, {
        ...LARGE_REQUESTS,
        bytes,
        more: { 'batch-file': await batchFile(codec) },
      }),
    figures: [
      {
        title: 'broker CPU',
        unit: 's/GB compressed',
        of: perGigabyte('brokerCpuSeconds'),
        goal: { timesFloor: 1.25, timesKafka: 0.1 },
      },
      clientPerGigabyte,
      megabytes,
      { title: 'batch', unit: 'KB', of: sample => amount(sample, 'batchBytes') / 1e3 },
    ],
  }
}

const CODECS: readonly CodecName[] = ['lz4', 'zstd', 'snappy', 'gzip']

export const compressedBatches: readonly Row[] = CODECS.map(compressedRow)
