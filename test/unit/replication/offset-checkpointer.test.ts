/** Protects what the checkpoint files hold, and that a broker in which nothing happens does no work for them. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { PartitionState } from '../../../src/binding/native-addon.js'
import type { CheckpointEntry, CheckpointName } from '../../../src/log/checkpoint-file.js'
import { OffsetCheckpointer } from '../../../src/replication/offset-checkpointer.js'

interface Written {
  readonly logDir: string
  readonly file: CheckpointName
  readonly offsets: readonly bigint[]
}

class FakeParts {
  readonly written: Written[] = []
  readonly failures: string[] = []
  readonly highWatermarkIntervalMs = 5000
  readonly recoveryPointIntervalMs = 60_000
  highWatermark = 10n
  logStartOffset = 0n
  received = 1
  looks = 0
  writeError: Error | null = null

  logDirs = () => ['/a', '/b']
  served = () => [
    { topic: 't', partition: 0, logDir: '/a' },
    { topic: 't', partition: 1, logDir: '/b' },
  ]
  offsets = (): PartitionState => {
    this.looks++
    const { highWatermark, logStartOffset } = this
    return { highWatermark, logStartOffset, flushedOffset: 8n } as PartitionState
  }
  activity = () => this.received
  write = (logDir: string, file: CheckpointName, entries: readonly CheckpointEntry[]) => {
    if (this.writeError !== null) return Promise.reject(this.writeError)
    this.written.push({ logDir, file, offsets: entries.map(({ offset }) => offset) })
    return Promise.resolve()
  }
  onFailure = (logDir: string) => this.failures.push(logDir)
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
})

afterEach(() => {
  vi.useRealTimers()
})

/** Lets passes run, which start in a promise. */
async function pass(ms: number): Promise<void> {
  vi.advanceTimersByTime(ms)
  for (let turn = 0; turn < 10; turn++) await new Promise(resolve => setImmediate(resolve))
}

test('high watermarks are written every 5 s, but only when one changed', async () => {
  const parts = new FakeParts()
  const checkpointer = new OffsetCheckpointer(parts)
  checkpointer.start()
  await pass(0)
  parts.written.length = 0
  parts.highWatermark = 11n
  await pass(5000)
  expect(parts.written).toEqual([
    { logDir: '/a', file: 'highWatermark', offsets: [11n] },
    { logDir: '/b', file: 'highWatermark', offsets: [11n] },
  ])
  parts.received++
  await pass(5000)
  expect(parts.written.length).toBe(2)
  parts.received++
  parts.highWatermark = 12n
  await pass(5000)
  expect(parts.written.length).toBe(4)
  await checkpointer.stop()
})

test('a start writes all files anew, so that lines of deleted topics go', async () => {
  const parts = new FakeParts()
  const checkpointer = new OffsetCheckpointer(parts)
  checkpointer.start()
  await pass(0)
  expect(new Set(parts.written.map(({ file }) => file))).toEqual(
    new Set(['highWatermark', 'recoveryPoint', 'logStart']),
  )
  await checkpointer.stop()
})

test('a forgotten topic is out of the recovery points at once, and only there is anything written', async () => {
  const parts = new FakeParts()
  const checkpointer = new OffsetCheckpointer(parts)
  await checkpointer.writeAll()
  parts.written.length = 0
  await checkpointer.forget('other')
  expect(parts.written).toEqual([])
  await checkpointer.forget('t')
  expect(parts.written).toEqual([
    { logDir: '/a', file: 'recoveryPoint', offsets: [] },
    { logDir: '/b', file: 'recoveryPoint', offsets: [] },
  ])
  parts.writeError = new Error('no space')
  await checkpointer.forget('t')
  await checkpointer.stop()
})

test('an idle broker looks at no offset', async () => {
  const parts = new FakeParts()
  const checkpointer = new OffsetCheckpointer(parts)
  checkpointer.start()
  await pass(130_000)
  const looks = parts.looks
  await pass(600_000)
  expect(parts.looks).toBe(looks)
  await checkpointer.stop()
})

test('a clean stop writes all files; start offsets only where records were deleted', async () => {
  const parts = new FakeParts()
  await new OffsetCheckpointer(parts).writeAll()
  const filesOf = (logDir: string) =>
    parts.written.filter(w => w.logDir === logDir).map(({ file, offsets }) => [file, offsets])
  const expected = [
    ['highWatermark', [10n]],
    ['recoveryPoint', [8n]],
    ['logStart', []],
  ]
  expect(filesOf('/a')).toEqual(expected)
  expect(filesOf('/b')).toEqual(expected)
  parts.logStartOffset = 3n
  await new OffsetCheckpointer(parts).writeAll()
  expect(filesOf('/a').at(-1)).toEqual(['logStart', [3n]])
})

test('a file that cannot be written is reported, and stops a clean stop', async () => {
  const parts = new FakeParts()
  parts.writeError = new Error('no space')
  const checkpointer = new OffsetCheckpointer(parts)
  checkpointer.start()
  await pass(0)
  expect(new Set(parts.failures)).toEqual(new Set(['/a', '/b']))
  await expect(checkpointer.writeAll()).rejects.toThrow('no space')
  await checkpointer.stop()
})
