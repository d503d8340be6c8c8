/** Replays a partition of a coordinator's topic, batch by batch, with pauses for other work. */
import { readRecords } from '../../records/record-reader.js'
import { recordBatches, type RecordBatch } from '../../records/record-batch.js'
import { controlRecordType, controlRecordTypeId } from '../../records/control-record.js'
import type { LogPort } from '../log-port.js'
import type { RecordSerde, ReplicatedState } from './operation.js'

export interface LoadSource {
  readonly log: LogPort
  readonly partition: number
  readonly bufferBytes: number
}

export interface LoadPacing {
  pause(): Promise<void>
  /** False: give up. */
  isWanted(): boolean
}

/** From the start of the log to its end as it is now. Rejects as LogPort.read does, or with ERR_RECORD_CORRUPT. */
export async function loadRecords<Rec>(
  { log, partition, bufferBytes }: LoadSource,
  serde: RecordSerde<Rec>,
  state: ReplicatedState<Rec>,
  { pause, isWanted }: LoadPacing,
): Promise<void> {
  const bounds = log.bounds(partition)
  let offset = bounds?.startOffset ?? 0n
  const endOffset = bounds?.endOffset ?? 0n
  while (offset < endOffset && isWanted()) {
    const bytes = await log.read(partition, offset, bufferBytes)
    let next = offset
    for (const batch of recordBatches(bytes)) {
      if (batch.lastOffset < offset) continue
      await replayBatch(batch, serde, state)
      next = batch.lastOffset + 1n
    }
    // A compacted log may end in offsets that no batch holds any more.
    if (next === offset) return
    offset = next
    await pause()
  }
}

async function replayBatch<Rec>(
  batch: RecordBatch,
  serde: RecordSerde<Rec>,
  state: ReplicatedState<Rec>,
): Promise<void> {
  const records = await readRecords(batch)
  if (batch.isControl) {
    for (const record of records) {
      const type = controlRecordType(controlRecordTypeId(record.key))
      if (type === 'COMMIT' || type === 'ABORT')
        state.endTransaction(batch.producerId, type === 'COMMIT')
    }
    return
  }
  const producerId = batch.isTransactional ? batch.producerId : -1n
  for (const { offset, key, value } of records) {
    if (key === null) continue
    const record = serde.deserialize(key, value)
    if (record !== undefined) state.replay(record, { offset, producerId })
  }
}
