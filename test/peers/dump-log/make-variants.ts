/**
 * Writes log files that no healthy broker has: damaged copies of a real partition, and batches of
 * our own builder. Arguments: the folder of a partition with several segments, one with
 * transactions, the target.
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import snappy from 'snappy'
import { CODEC_NAMES } from '../../../src/records/compression/codec.js'
import { RecordBatchBuilder } from '../../../src/records/record-batch-builder.js'
import type { NewRecord } from '../../../src/records/record-batch-builder.js'
import { crc32c } from '../../../src/records/crc32c.js'

const [source = '', transactional = '', target = ''] = process.argv.slice(2)
const FIRST = '00000000000000000000'
const BATCH_OVERHEAD = 61

/** A copy of a partition in which `change` alters the bytes of one file of its first segment. */
function damaged(name: string, suffix: string, change: (bytes: Buffer) => Buffer | void): void {
  const folder = join(target, `${name}-0`)
  cpSync(source, folder, { recursive: true })
  const file = join(folder, FIRST + suffix)
  const bytes = readFileSync(file)
  writeFileSync(file, change(bytes) ?? bytes)
}

function write(name: string, ...batches: Buffer[]): void {
  const folder = join(target, `${name}-0`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${FIRST}.log`), Buffer.concat(batches))
}

function resum(batch: Buffer): Buffer {
  batch.writeUInt32BE(crc32c(batch.subarray(21)), 17)
  return batch
}

damaged('flipped', '.log', log => void (log[BATCH_OVERHEAD + 30]! ^= 1))
damaged('cut', '.log', log => log.subarray(0, -10))
damaged('zero-tail', '.log', log => Buffer.concat([log, Buffer.alloc(4096)]))
damaged('short-tail', '.log', log => Buffer.concat([log, Buffer.alloc(17, 1)]))
damaged('unknown-codec', '.log', log => void (log[22] = (log[22]! & ~7) | 6))
damaged('magic-3', '.log', log => void (log[16] = 3))
damaged('too-many-records', '.log', log => void log.writeInt32BE(1000, 57))
damaged('too-few-records', '.log', log => void log.writeInt32BE(2, 57))
damaged('index-offset', '.index', index => void index.writeInt32BE(index.readInt32BE(8) + 1, 8))
damaged('index-position', '.index', index => void index.writeInt32BE(2 ** 30, 12))
damaged('index-length', '.index', index => Buffer.concat([index, Buffer.alloc(3)]))
damaged('index-negative', '.index', index => void index.writeInt32BE(-5, index.length - 8))
damaged('index-zero-tail', '.index', index => Buffer.concat([index, Buffer.alloc(800)]))
damaged('index-empty', '.index', () => Buffer.alloc(0))
damaged('time-later', '.timeindex', index => void (index[19]! += 1))
damaged('time-offset', '.timeindex', index => void (index[23]! -= 1))
damaged('time-beyond', '.timeindex', index => void index.writeInt32BE(99_999, 20))
damaged('time-length', '.timeindex', index => Buffer.concat([index, Buffer.alloc(5)]))
damaged('time-zero-tail', '.timeindex', index => Buffer.concat([index, Buffer.alloc(1200)]))
damaged('time-swapped', '.timeindex', index =>
  Buffer.concat([index.subarray(12, 24), index.subarray(0, 12), index.subarray(24)]),
)

cpSync(transactional, join(target, 'snapshots-0'), { recursive: true })
const snapshot = readdirSync(transactional).find(name => name.endsWith('.snapshot'))
if (snapshot === undefined) throw new Error(`${transactional} has no .snapshot file`)
const state = readFileSync(join(transactional, snapshot))
const bad = Buffer.from(state)
bad[20]! ^= 1
writeFileSync(join(target, 'snapshots-0', `${FIRST.slice(1)}1.snapshot`), bad)
bad.writeInt16BE(7, 0)
writeFileSync(join(target, 'snapshots-0', `${FIRST.slice(1)}2.snapshot`), bad)
truncateSync(join(target, 'snapshots-0', `${FIRST}.txnindex`), 60)

const records: NewRecord[] = Array.from({ length: 300 }, (_, index) => ({
  timestamp: 1_700_000_000_000n + BigInt((index * 7919) % 300) - 150n,
  key: index % 3 === 0 ? null : Buffer.from(`key ${index}`),
  value: index % 5 === 0 ? null : Buffer.from('value '.repeat(index)),
  headers:
    index % 4 === 0
      ? [
          { key: `h${index}`, value: null },
          { key: '', value: Buffer.from('x') },
        ]
      : [],
}))
for (const codec of CODEC_NAMES) {
  const builder = new RecordBatchBuilder({
    codec,
    baseSequence: 2 ** 31 - 100,
    producerId: 5n,
    producerEpoch: 1,
  })
  for (const record of records) builder.append(record)
  write(
    `own-${codec}`,
    await builder.build(),
    await new RecordBatchBuilder({ baseOffset: 300n }).build(),
  )
}

const plain = await new RecordBatchBuilder()
  .append({ value: Buffer.from('raw '.repeat(500)) })
  .build()
const raw = Buffer.concat([
  plain.subarray(0, BATCH_OVERHEAD),
  await snappy.compress(plain.subarray(BATCH_OVERHEAD)),
])
raw.writeInt32BE(raw.length - 12, 8)
raw[22] = 2
write('raw-snappy', resum(raw))

const surrogates = Buffer.from('a\xed\xa0\x80b\xed\xa0c\xed\xa0', 'latin1')
write(
  'surrogates',
  await new RecordBatchBuilder().append({ key: surrogates, value: surrogates }).build(),
)

const horizon = await new RecordBatchBuilder().append({ timestamp: 9n, key: surrogates }).build()
horizon[22]! |= 0x40
write('horizon', resum(horizon))

async function control(type: number, value: string): Promise<Buffer> {
  const key = Buffer.from([0, 0, 0, type])
  return new RecordBatchBuilder({ isControl: true })
    .append({ key, value: Buffer.from(value, 'hex') })
    .build()
}

write('control-99', await control(99, '00'))
