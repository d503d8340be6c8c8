/** Protects: checkpoints are Kafka's byte for byte, and a damaged one is named instead of believed. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  CheckpointFile,
  formatCheckpoint,
  parseCheckpoint,
} from '../../../src/log/checkpoint-file.js'
import {
  takeCleanShutdownMarker,
  writeCleanShutdownMarker,
} from '../../../src/log/clean-shutdown.js'

let dir = ''
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'checkpoint-'))
})
afterEach(() => rmSync(dir, { recursive: true }))

const ENTRIES = [
  { topic: 'a', partition: 0, offset: 5n },
  { topic: 'b-c', partition: 12, offset: 9223372036854775807n },
]
const TEXT = '0\n2\na 0 5\nb-c 12 9223372036854775807\n'

test('the bytes are those of Kafka, and come back', async () => {
  const file = new CheckpointFile(dir, 'recoveryPoint')
  await file.write(ENTRIES)
  expect(readFileSync(join(dir, 'recovery-point-offset-checkpoint'), 'utf8')).toBe(TEXT)
  expect(file.read()).toEqual(ENTRIES)
  expect(readdirSync(dir)).toEqual(['recovery-point-offset-checkpoint'])
})

test('a missing or empty file has no entries; no entries are written as 0', () => {
  const file = new CheckpointFile(dir, 'highWatermark')
  expect(file.read()).toEqual([])
  writeFileSync(file.path, '')
  expect(file.read()).toEqual([])
  expect(formatCheckpoint([])).toBe('0\n0\n')
})

test('any white space separates', () => {
  expect(parseCheckpoint('0\n1\n a\t 0   5 ', 'f')).toEqual([ENTRIES[0]])
})

test.each([
  ['1\n0\n', 'f:1: .*version 0 was expected'],
  ['0\n2\na 0 5\n', 'f:2: .*1 entries follow'],
  ['0\nx\n', 'f:2:'],
  ['0\n', 'f:2:'],
  ['0\n1\na 0\n', 'f:3: .*not "topic partition offset"'],
  ['0\n1\na -1 5\n', 'f:3:'],
])('%j is refused with its line', (text, message) => {
  expect(() => parseCheckpoint(text, 'f')).toThrow(new RegExp(message))
})

test('writes that overlap leave the last one, whole', async () => {
  const file = new CheckpointFile(dir, 'logStart')
  const writes = Array.from({ length: 20 }, (_, offset) =>
    file.write([{ topic: 't', partition: 0, offset: BigInt(offset) }]),
  )
  await Promise.all(writes)
  expect(file.read()).toEqual([{ topic: 't', partition: 0, offset: 19n }])
})

test('a write that fails says so and does not block the next', async () => {
  const file = new CheckpointFile(join(dir, 'sub'), 'logStart')
  await expect(file.write(ENTRIES)).rejects.toMatchObject({ code: 'ENOENT' })
  const good = new CheckpointFile(dir, 'logStart')
  await good.write(ENTRIES)
})

test('the clean shutdown marker is Kafka’s, and is taken once', () => {
  expect(takeCleanShutdownMarker(dir)).toBe(false)
  writeCleanShutdownMarker(dir)
  expect(readFileSync(join(dir, '.kafka_cleanshutdown'), 'utf8')).toBe(
    '{"version":0,"brokerEpoch":-1}',
  )
  expect(takeCleanShutdownMarker(dir)).toBe(true)
  expect(takeCleanShutdownMarker(dir)).toBe(false)
  writeFileSync(join(dir, '.kafka_cleanshutdown'), '')
  expect(takeCleanShutdownMarker(dir)).toBe(true)
})
