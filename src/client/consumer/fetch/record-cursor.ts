/**
 * Walks the record bytes of one batch and makes the objects that applications get. It is the consumer's inner loop:
 * nothing is copied, and records without headers share one empty list.
 */
import { type RecordHeader, corruptRecord } from '../../../records/record.js'
import type { RecordBatchHeader } from '../../../records/record-batch-header.js'
import { VarintReader } from '../../../records/varint.js'
import type { ConsumerRecord } from '../consumer-record.js'
import type { TopicPartition } from '../topic-partition.js'

const NO_HEADERS: readonly RecordHeader[] = Object.freeze([])
const HEADER_BYTES_MIN = 2

export class RecordCursor {
  readonly #topic: string
  readonly #partition: number
  readonly #reader: VarintReader
  readonly #baseOffset: bigint
  readonly #baseTimestamp: bigint
  readonly #logAppendTime: bigint | null
  readonly #leaderEpoch: number
  #left: number

  /** @param bytes the records, decompressed; they must not change while a record is in use */
  constructor({ topic, partition }: TopicPartition, batch: RecordBatchHeader, bytes: Buffer) {
    this.#topic = topic
    this.#partition = partition
    this.#reader = new VarintReader(bytes)
    this.#baseOffset = batch.baseOffset
    this.#baseTimestamp = batch.baseTimestamp
    this.#logAppendTime = batch.timestampType === 'LogAppendTime' ? batch.maxTimestamp : null
    this.#leaderEpoch = batch.partitionLeaderEpoch
    this.#left = batch.recordsCount
    if (this.#left < 0) {
      throw corruptRecord(
        `The batch at offset ${batch.baseOffset} says it has ${this.#left} records.`,
      )
    }
  }

  get done(): boolean {
    return this.#left === 0
  }

  /** Appends at most `count` records from `from` on to `into`. Throws ERR_RECORD_CORRUPT. */
  take(count: number, from: bigint, into: ConsumerRecord[]): void {
    const end = into.length + count
    while (this.#left > 0 && into.length < end) {
      const record = this.#next()
      if (record.offset >= from) into.push(record)
    }
  }

  #next(): ConsumerRecord {
    this.#left--
    const reader = this.#reader
    const length = reader.readVarint()
    const end = reader.position + length
    if (length < 0 || end > reader.end) {
      throw corruptRecord(`A record of ${length} bytes does not fit at byte ${reader.position}.`)
    }
    reader.readByte() // Record attributes: none is defined.
    const timestampDelta = reader.readVarlong()
    const offsetDelta = reader.readVarint()
    const key = reader.readNullableBytes()
    const value = reader.readNullableBytes()
    const headers = this.#headers(reader.readVarint(), end)
    if (reader.position !== end) {
      throw corruptRecord(
        `A record says it ends at byte ${end}, but its fields at ${reader.position}.`,
      )
    }
    return {
      topic: this.#topic,
      partition: this.#partition,
      offset: this.#baseOffset + BigInt(offsetDelta),
      timestamp: this.#logAppendTime ?? this.#baseTimestamp + timestampDelta,
      timestampType: this.#logAppendTime === null ? 'CreateTime' : 'LogAppendTime',
      key,
      value,
      headers,
      leaderEpoch: this.#leaderEpoch,
    }
  }

  #headers(count: number, end: number): readonly RecordHeader[] {
    if (count === 0) return NO_HEADERS
    const reader = this.#reader
    if (count < 0 || count * HEADER_BYTES_MIN > end - reader.position) {
      throw corruptRecord(`A record says it has ${count} headers, more than its bytes can hold.`)
    }
    const headers: RecordHeader[] = []
    for (let i = 0; i < count; i++) {
      const keyLength = reader.readVarint()
      if (keyLength < 0) throw corruptRecord('A record has a header without a key.')
      const key = reader.readBytes(keyLength).toString('utf8')
      headers.push({ key, value: reader.readNullableBytes() })
    }
    return headers
  }
}
