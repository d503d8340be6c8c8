/**
 * Dumps a `.log` or a KRaft `.checkpoint` file: a line for each batch, and on request for each
 * record.
 */
import { basename, resolve } from 'node:path'
import type { LegacyRecord } from '../../records/legacy-message-set.js'
import { legacyRecords } from '../../records/legacy-message-set.js'
import type { Record } from '../../records/record.js'
import { readRecords } from '../../records/record-reader.js'
import { controlRecordText } from './control-record-text.js'
import type { DumpFindings } from './dump-findings.js'
import type { DumpOptions } from './dump-options.js'
import { INT32_MAX } from './dump-options.js'
import type { DumpOutput } from './dump-output.js'
import { fileBatches } from './file-batch.js'
import type { FileBatch } from './file-batch.js'
import { baseOffsetOf, invalidFileName } from './file-name.js'
import { javaString } from './java-string.js'
import { WindowedFile } from './windowed-file.js'

const RECORD_INDENT = '|'
const BOOTSTRAP_CHECKPOINT = 'bootstrap.checkpoint'

export interface DumpContext {
  options: DumpOptions
  out: DumpOutput
  findings: DumpFindings
}

/**
 * Needs memory for one batch at a time, unpacked. Rejects with the first error that ends the
 * reading.
 */
export async function dumpDataLog(path: string, context: DumpContext): Promise<void> {
  const { options, out } = context
  out.println(titleOf(path))
  const file = await WindowedFile.open(path)
  try {
    const end = Math.min(file.size, options.maxBytes)
    const records = new RecordDump(resolve(path), context)
    let validBytes = 0
    for await (const batch of fileBatches(file, 0, end)) {
      if (batch.isLegacy) await printMessageLine(batch, out)
      else await printBatchLine(batch, out)
      if (options.deepIteration) await records.dump(batch)
      validBytes += batch.sizeInBytes
      await out.pace()
    }
    if (end > validBytes && options.maxBytes === INT32_MAX) {
      out.println(`Found ${end - validBytes} invalid bytes at the end of ${basename(path)}`)
    }
  } finally {
    await file.close()
  }
}

function titleOf(path: string): string {
  const name = basename(path)
  if (name.endsWith('.log')) return `Log starting offset: ${baseOffsetOf(path)}`
  if (name === BOOTSTRAP_CHECKPOINT) return 'KRaft bootstrap snapshot'
  const match = /^(\d{20})-(\d{10})\.checkpoint$/.exec(name)
  if (match === null) throw invalidFileName(path, '<20 digits>-<10 digits>.checkpoint')
  return `Snapshot end offset: ${BigInt(match[1]!)}, epoch: ${Number(match[2]!)}`
}

async function printBatchLine(batch: FileBatch, out: DumpOutput): Promise<void> {
  const header = await batch.header()
  const horizon = header.deleteHorizonMs
  out.print(
    `baseOffset: ${header.baseOffset} lastOffset: ${header.lastOffset}` +
      ` count: ${header.recordsCount} baseSequence: ${header.baseSequence}` +
      ` lastSequence: ${header.lastSequence} producerId: ${header.producerId}` +
      ` producerEpoch: ${header.producerEpoch}` +
      ` partitionLeaderEpoch: ${header.partitionLeaderEpoch}` +
      ` isTransactional: ${header.isTransactional} isControl: ${header.isControl}` +
      ` deleteHorizonMs: ${horizon === null ? 'OptionalLong.empty' : `OptionalLong[${horizon}]`}`,
  )
  const isValid = await batch.isValid()
  out.println(
    ` position: ${batch.position} ${header.timestampType}: ${header.maxTimestamp}` +
      ` size: ${batch.sizeInBytes} magic: ${batch.magic} compresscodec: ${header.codec}` +
      ` crc: ${header.crc} isvalid: ${isValid}`,
  )
}

async function printMessageLine(batch: FileBatch, out: DumpOutput): Promise<void> {
  const message = await batch.message()
  out.print(`offset: ${message.offset}`)
  out.println(
    ` position: ${batch.position} ${message.timestampType}: ${message.timestamp}` +
      ` size: ${batch.sizeInBytes} magic: ${batch.magic} compresscodec: ${message.codec}` +
      ` crc: ${message.crc} isvalid: ${message.isValid}`,
  )
}

/** Prints the records of one file and watches that their offsets have no gaps. */
class RecordDump {
  readonly #file: string
  readonly #context: DumpContext
  #lastOffset = -1n

  constructor(file: string, context: DumpContext) {
    this.#file = file
    this.#context = context
  }

  async dump(batch: FileBatch): Promise<void> {
    const { options, out } = this.#context
    if (batch.isLegacy) {
      for (const record of await legacyRecords(await batch.message())) {
        this.#follow(record.offset)
        if (!options.skipRecordMetadata) out.print(legacyMetadata(record))
        this.#printContents(record.message.key, record.message.value)
        out.println()
        await out.pace()
      }
      return
    }
    const loaded = await batch.batch()
    const { isControl, timestampType } = loaded
    for (const record of await readRecords(loaded)) {
      this.#follow(record.offset)
      if (!options.skipRecordMetadata) {
        out.print(recordMetadata(record, timestampType))
        if (isControl) out.print(controlRecordText(record))
      }
      if (!isControl) this.#printContents(record.key, record.value)
      out.println()
      await out.pace()
    }
  }

  #follow(offset: bigint): void {
    if (offset !== this.#lastOffset + 1n) {
      this.#context.findings.nonConsecutiveOffsets(this.#file, this.#lastOffset, offset)
    }
    this.#lastOffset = offset
  }

  #printContents(key: Buffer | null, value: Buffer | null): void {
    const { options, out } = this.#context
    if (!options.printDataLog) return
    let prefix = options.skipRecordMetadata ? `${RECORD_INDENT} ` : ' '
    if (key !== null) {
      out.print(`${prefix}key: ${javaString(key)}`)
      prefix = ' '
    }
    if (value !== null) out.print(`${prefix}payload: ${javaString(value)}`)
  }
}

function sizeOf(bytes: Buffer | null): number {
  return bytes === null ? -1 : bytes.length
}

function recordMetadata(record: Record, timestampType: string): string {
  const headerKeys = record.headers.map(header => header.key).join(',')
  return (
    `${RECORD_INDENT} offset: ${record.offset} ${timestampType}: ${record.timestamp}` +
    ` keySize: ${sizeOf(record.key)} valueSize: ${sizeOf(record.value)}` +
    ` sequence: ${record.sequence} headerKeys: [${headerKeys}]`
  )
}

function legacyMetadata({ offset, timestamp, message }: LegacyRecord): string {
  return (
    `${RECORD_INDENT} offset: ${offset} ${message.timestampType}: ${timestamp}` +
    ` keySize: ${sizeOf(message.key)} valueSize: ${sizeOf(message.value)}` +
    ` isValid: ${message.isValid} crc: ${message.crc}`
  )
}
