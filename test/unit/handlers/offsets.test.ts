/** Protects ListOffsets and OffsetForLeaderEpoch: special times, record-level lookups, isolation, epochs. */
import { expect, test } from 'vitest'
import { listOffsetsHandler } from '../../../src/handlers/list-offsets.js'
import { offsetForLeaderEpochHandler } from '../../../src/handlers/offset-for-leader-epoch.js'
import type { LogsView } from '../../../src/handlers/services.js'
import type { TimestampRange } from '../../../src/replication/replica-manager.js'
import {
  ListOffsetsRequest,
  ListOffsetsResponse,
} from '../../../src/protocol/messages/list-offsets.js'
import {
  OffsetForLeaderEpochRequest,
  OffsetForLeaderEpochResponse,
} from '../../../src/protocol/messages/offset-for-leader-epoch.js'
import { RecordBatchBuilder } from '../../../src/records/record-batch-builder.js'
import { RecordBatch } from '../../../src/records/record-batch.js'
import { ask } from './fakes.js'

const LIST = [ListOffsetsRequest, ListOffsetsResponse] as const
const EPOCH = [OffsetForLeaderEpochRequest, OffsetForLeaderEpochResponse] as const

/** Three batches: times 5,9,7 at offset 10; 20,20 at 13; 30 at 15. The last is in an open transaction. */
class FakeLogs implements LogsView {
  batches: Buffer[] = []
  async fill(codec: 'none' | 'gzip'): Promise<this> {
    this.batches = await Promise.all([
      batchOf(10n, [5n, 9n, 7n], codec),
      batchOf(13n, [20n, 20n], codec),
      batchOf(15n, [30n], codec),
    ])
    return this
  }
  offsets(topic: string, partition: number) {
    if (topic !== 't' || partition !== 0) return undefined
    return {
      logStartOffset: 10n,
      highWatermark: 16n,
      lastStableOffset: 15n,
      logEndOffset: 16n,
      leaderEpoch: 4,
    }
  }
  endOffsetForEpoch(_topic: string, _partition: number, leaderEpoch: number) {
    return leaderEpoch > 4
      ? { leaderEpoch: -1, endOffset: -1n }
      : { leaderEpoch, endOffset: leaderEpoch === 4 ? 16n : 13n }
  }
  activeProducers() {
    return []
  }
  deleteRecords() {
    return Promise.resolve(0n)
  }
  epochForOffset(_topic: string, _partition: number, offset: bigint) {
    return offset < 13n ? 2 : 4
  }
  absence() {
    return 3
  }
  batchByTimestamp(_topic: string, _partition: number, { timestamp, from, below }: TimestampRange) {
    const found = this.batches.find(bytes => {
      const batch = new RecordBatch(bytes)
      return batch.lastOffset >= from && batch.baseOffset < below && batch.maxTimestamp >= timestamp
    })
    return Promise.resolve(found ?? null)
  }
  batchWithMaxTimestamp() {
    return Promise.resolve(this.batches[0] ?? null)
  }
}

async function listOffsets(
  logs: LogsView,
  timestamp: bigint,
  { version = 11, isolationLevel = 0, currentLeaderEpoch = -1, name = 't' } = {},
) {
  const partitions = [{ partitionIndex: 0, timestamp, currentLeaderEpoch }]
  const level = version >= 2 ? { isolationLevel } : {}
  const body = { replicaId: -1, ...level, topics: [{ name, partitions }] }
  const answer = await ask(LIST, listOffsetsHandler(logs), version, body)
  const { errorCode, offset, timestamp: time, leaderEpoch } = answer.topics[0]!.partitions[0]!
  return [errorCode, offset, time, leaderEpoch]
}

test.each(['none', 'gzip'] as const)('times are found record by record (%s)', async codec => {
  const logs = await new FakeLogs().fill(codec)
  expect(await listOffsets(logs, 0n)).toEqual([0, 10n, 5n, 2])
  expect(await listOffsets(logs, 6n)).toEqual([0, 11n, 9n, 2])
  expect(await listOffsets(logs, 10n)).toEqual([0, 13n, 20n, 4])
  expect(await listOffsets(logs, 25n)).toEqual([0, 15n, 30n, 4])
  expect(await listOffsets(logs, 31n)).toEqual([0, -1n, -1n, -1])
})

test('read committed hides what is at or above the last stable offset', async () => {
  const logs = await new FakeLogs().fill('none')
  expect(await listOffsets(logs, -1n, { isolationLevel: 1 })).toEqual([0, 15n, -1n, 4])
  expect(await listOffsets(logs, -1n)).toEqual([0, 16n, -1n, 4])
  expect(await listOffsets(logs, 25n, { isolationLevel: 1 })).toEqual([0, -1n, -1n, -1])
})

test('the largest timestamp is that of a record, the first of equals', async () => {
  const logs = await new FakeLogs().fill('gzip')
  expect(await listOffsets(logs, -3n)).toEqual([0, 11n, 9n, 2])
  logs.batches = [logs.batches[1]!]
  expect(await listOffsets(logs, -3n)).toEqual([0, 13n, 20n, 4])
  logs.batches = []
  expect(await listOffsets(logs, -3n)).toEqual([0, -1n, -1n, -1])
})

test('special times are refused with 35 below their version, unknown ones always', async () => {
  const logs = await new FakeLogs().fill('none')
  const since: [bigint, number][] = [
    [-3n, 7],
    [-4n, 8],
    [-5n, 9],
    [-6n, 11],
  ]
  for (const [timestamp, version] of since) {
    expect((await listOffsets(logs, timestamp, { version: version - 1 }))[0]).toBe(35)
    expect((await listOffsets(logs, timestamp, { version }))[0]).toBe(0)
  }
  expect((await listOffsets(logs, -7n))[0]).toBe(35)
  expect(await listOffsets(logs, -2n)).toEqual([0, 10n, -1n, 2])
  expect(await listOffsets(logs, -4n)).toEqual([0, 10n, -1n, 2])
  expect(await listOffsets(logs, -5n)).toEqual([0, -1n, -1n, -1])
})

test('versions without a leader epoch in the answer get none', async () => {
  const logs = await new FakeLogs().fill('none')
  for (const version of [1, 2, 3]) {
    expect(await listOffsets(logs, -1n, { version })).toEqual([0, 16n, -1n, -1])
  }
})

test('leader epochs fence: older 74, newer 75, -1 unchecked, other negative ones 74', async () => {
  const logs = await new FakeLogs().fill('none')
  const code = async (currentLeaderEpoch: number) =>
    (await listOffsets(logs, -1n, { currentLeaderEpoch }))[0]
  expect(await code(3)).toBe(74)
  expect(await code(5)).toBe(75)
  expect(await code(4)).toBe(0)
  expect(await code(-1)).toBe(0)
  expect(await code(-5)).toBe(74)
})

test('a partition named twice is refused once with 42, its neighbours are answered', async () => {
  const logs = await new FakeLogs().fill('none')
  const partitions = [
    { partitionIndex: 0, timestamp: -1n },
    { partitionIndex: 7, timestamp: -1n },
    { partitionIndex: 0, timestamp: -2n },
  ]
  const body = { replicaId: -1, topics: [{ name: 't', partitions }] }
  const answer = await ask(LIST, listOffsetsHandler(logs), 7, body)
  const codes = answer.topics[0]!.partitions.map(p => [p.partitionIndex, p.errorCode])
  expect(codes).toEqual([
    [0, 42],
    [7, 3],
  ])
})

test('epoch ends are told; unknown epochs and partitions by -1 and by error', async () => {
  const logs = await new FakeLogs().fill('none')
  const wanted = [
    { partition: 0, leaderEpoch: 2 },
    { partition: 0, leaderEpoch: 9 },
    { partition: 0, leaderEpoch: 2, currentLeaderEpoch: 9 },
    { partition: 5, leaderEpoch: 2 },
  ]
  const body = { topics: [{ topic: 't', partitions: wanted }] }
  const answer = await ask(EPOCH, offsetForLeaderEpochHandler(logs), 4, body)
  expect(answer.topics[0]!.partitions).toEqual([
    { errorCode: 0, partition: 0, leaderEpoch: 2, endOffset: 13n },
    { errorCode: 0, partition: 0, leaderEpoch: -1, endOffset: -1n },
    { errorCode: 75, partition: 0, leaderEpoch: -1, endOffset: -1n },
    { errorCode: 3, partition: 5, leaderEpoch: -1, endOffset: -1n },
  ])
})

function batchOf(baseOffset: bigint, times: readonly bigint[], codec: 'none' | 'gzip') {
  const builder = new RecordBatchBuilder({ baseOffset, codec })
  for (const timestamp of times) builder.append({ timestamp, value: Buffer.from('v') })
  return builder.build()
}
