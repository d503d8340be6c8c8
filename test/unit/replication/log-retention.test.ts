/** What retention removes: by age, size and log start, in Kafka's order, with its exceptions. */
import { describe, expect, test } from 'vitest'
import type { PartitionState, SegmentInfo } from '../../../src/binding/native-addon.js'
import { LogRetention, deletableBelow } from '../../../src/replication/log-retention.js'

const NOW = 1_000_000
const KEEP_ALL = { deletes: true, retentionMs: -1, retentionBytes: -1 }

/** Segments of 100 offsets and bytes each, the newest record of each at the time given. */
function logOf(times: number[], activeBytes = 100) {
  const segments: SegmentInfo[] = times.map((largestTimestampMs, i) => ({
    baseOffset: BigInt(i * 100),
    sizeBytes: i === times.length - 1 ? activeBytes : 100,
    largestTimestampMs,
  }))
  const end = BigInt((times.length - 1) * 100 + activeBytes)
  const state: PartitionState = {
    logStartOffset: 0n,
    highWatermark: end,
    lastStableOffset: end,
    logEndOffset: end,
    flushedOffset: end,
    leaderEpoch: 0,
    sizeBytes: segments.reduce((sum, s) => sum + s.sizeBytes, 0),
    segmentCount: segments.length,
    offline: false,
  }
  return { segments, state }
}

function below(
  times: number[],
  settings: object,
  changes: Partial<PartitionState> = {},
  active = 100,
) {
  const { segments, state } = logOf(times, active)
  return deletableBelow(segments, { ...state, ...changes }, { ...KEEP_ALL, ...settings }, NOW)
}

const OLD = NOW - 1001
const YOUNG = NOW - 1000

describe('what may go', () => {
  test('by age: older than retention.ms, not as old; up to the first that is young', () => {
    expect(below([OLD, OLD, YOUNG, OLD], { retentionMs: 1000 })).toBe(200n)
    expect(below([YOUNG, OLD], { retentionMs: 1000 })).toBeNull()
  })
  test('the active segment goes when all of it is old, an empty one stays', () => {
    expect(below([OLD, OLD], { retentionMs: 1000 })).toBe(200n)
    expect(below([OLD, OLD], { retentionMs: 1000 }, {}, 0)).toBe(100n)
    expect(below([OLD], { retentionMs: 1000 }, {}, 0)).toBeNull()
  })
  test('by size: as long as what is left is not below retention.bytes', () => {
    expect(below([1, 1, 1, 1], { retentionBytes: 250 })).toBe(100n)
    expect(below([1, 1, 1, 1], { retentionBytes: 300 })).toBe(100n)
    expect(below([1, 1, 1, 1], { retentionBytes: 0 })).toBe(400n)
    expect(below([1, 1, 1, 1], { retentionBytes: 400 })).toBeNull()
  })
  test('by the log start: whole segments below it, never the active one', () => {
    expect(below([1, 1, 1], {}, { logStartOffset: 199n })).toBe(100n)
    expect(below([1, 1, 1], { deletes: false }, { logStartOffset: 200n })).toBe(200n)
    expect(below([1, 1, 1], {}, { logStartOffset: 300n })).toBe(200n)
  })
  test('nothing above the high watermark', () => {
    expect(below([OLD, OLD, OLD], { retentionMs: 1000 }, { highWatermark: 199n })).toBe(100n)
  })
  test('a topic that is compacted only keeps its records', () => {
    expect(below([OLD, OLD], { deletes: false, retentionMs: 0, retentionBytes: 0 })).toBeNull()
  })
  test('records from the future are not old', () => {
    expect(below([NOW + 5000, OLD], { retentionMs: 0 })).toBeNull()
  })
})

function retentionOf(times: number[], fails = false) {
  const { segments, state } = logOf(times)
  const deleted: string[] = []
  const told: string[] = []
  const retention = new LogRetention({
    clock: { nowMs: () => NOW, monotonicMs: () => 0 },
    intervalMs: 1000,
    served: () => [
      { topic: 'bad', partition: 0 },
      { topic: 't', partition: 1 },
      { topic: 'gone', partition: 0 },
    ],
    settings: topic => (topic === 'gone' ? undefined : { ...KEEP_ALL, retentionMs: 1000 }),
    state: () => state,
    segments: topic =>
      topic === 'bad' && fails ? Promise.reject(new Error('disk')) : Promise.resolve(segments),
    deleteSegments(topic, partition, offset) {
      deleted.push(`${topic}-${partition} ${offset}`)
      return Promise.resolve()
    },
    onInfo: () => undefined,
    onProblem: message => told.push(message),
  })
  return { retention, deleted, told }
}

test('a log that fails does not keep the others from being checked', async () => {
  const { retention, deleted, told } = retentionOf([OLD, YOUNG], true)
  await retention.check()
  expect(deleted).toEqual(['t-1 100'])
  expect(told).toEqual(['Old records of bad-0 could not be removed: disk'])
})

test('records from the future are told of once', async () => {
  const { retention, told } = retentionOf([NOW + 1])
  await retention.check()
  await retention.check()
  expect(told).toHaveLength(2) // One for each log.
  expect(told[0]).toContain('message.timestamp.after.max.ms')
})
