/** The checker must turn red for every anomaly that it knows: hand-made histories, one an anomaly. */
import { expect, test } from 'vitest'
import { check } from '../../crash/checker.js'
import type { HistoryEvent } from '../../crash/history.js'

const sent = (value: string): HistoryEvent => ({ type: 'invoke', key: 't-0', value })
const ok = (value: string, offset: number): HistoryEvent => ({
  type: 'ok',
  key: 't-0',
  value,
  offset,
})
const read = (value: string, offset: number, reader = 'final'): HistoryEvent => ({
  type: 'poll',
  reader,
  key: 't-0',
  value,
  offset,
})
const judge = (...history: HistoryEvent[]): string[] =>
  check(history, { idempotent: true, finalReader: 'final' }).violations.map(v => v.split(':')[0]!)

test('a sound history passes, with an unacknowledged record that was stored and one that was not', () => {
  const history = [sent('v1'), sent('v2'), sent('v3'), sent('v4'), ok('v1', 0), ok('v3', 2)]
  const reads = [read('v1', 0), read('v2', 1), read('v3', 2)]
  expect(judge(...history, ...reads)).toEqual([])
})

test('an acknowledged record that nobody reads is lost', () => {
  expect(judge(sent('v1'), sent('v2'), ok('v1', 0), ok('v2', 1), read('v1', 0))).toEqual(['lost'])
})

test('a record twice in the log is a duplicate, with an idempotent producer only', () => {
  const history = [sent('v1'), ok('v1', 0), read('v1', 0), read('v1', 1)]
  expect(judge(...history)).toEqual(['duplicate'])
  expect(check(history, { idempotent: false, finalReader: 'final' }).violations).toEqual([])
})

test('an offset with two values is inconsistent, whoever saw them', () => {
  const history = [sent('v1'), sent('v2'), read('v1', 0, 'early'), ok('v2', 0), read('v2', 0)]
  expect(judge(...history)).toEqual(['inconsistent offsets'])
})

test('a record at another offset than acknowledged has moved', () => {
  expect(judge(sent('v1'), sent('v2'), ok('v2', 5), read('v1', 0), read('v2', 1))).toEqual([
    'moved',
  ])
})

test('gaps, steps back and invented records are seen', () => {
  expect(judge(sent('v1'), sent('v2'), read('v1', 0), read('v2', 2))).toEqual(['poll skip'])
  expect(judge(sent('v1'), sent('v2'), read('v1', 5, 'a'), read('v2', 4, 'a'))).toEqual([
    'nonmonotonic poll',
  ])
  expect(judge(read('v9', 0))).toEqual(['invented'])
})

test('records in another order than sent are reordered', () => {
  expect(judge(sent('v1'), sent('v2'), read('v2', 0), read('v1', 1))).toEqual(['reordered'])
})

test('a negative offset is spurious', () => {
  expect(judge(sent('v1'), ok('v1', -1), read('v1', 0))).toContain('spurious offset')
})
