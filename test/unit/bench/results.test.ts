/** Protects the verdicts: a goal may not count as reached because a rival was not measured. */
import { describe, expect, test } from 'vitest'
import { rowResult, spreadOf, verdictOf } from '../../../bench/results.js'
import type { Row } from '../../../bench/rows/row.js'
import { rowsOf } from '../../../bench/rows/table.js'
import { parseSettings } from '../../../bench/settings.js'
import { formatTable } from '../../../bench/terminal-table.js'

const row: Row = {
  id: 'x',
  title: 'a row',
  bytesPerRound: 0,
  run: async () => undefined,
  figures: [
    {
      title: 'cost',
      unit: 's',
      of: sample => sample['cost'] ?? Number.NaN,
      goal: { timesFloor: 1.3 },
      aim: { atMost: 1, timesKafka: 0.5 },
    },
  ],
}

describe('spreads', () => {
  test('the best of a cost is the smallest, of a rate the largest', () => {
    expect(spreadOf([3, 1, 2], false)).toEqual({ best: 1, median: 2, min: 1, max: 3 })
    expect(spreadOf([4, 1, 2, 3], true)).toEqual({ best: 4, median: 2.5, min: 1, max: 4 })
  })
})

describe('verdicts', () => {
  test('every part of a goal has to hold', () => {
    const goal = { atMost: 10, timesFloor: 2 }
    expect(verdictOf(goal, 10, 2, undefined)).toBe('reached')
    expect(verdictOf(goal, 11, 1, undefined)).toBe('missed')
    expect(verdictOf(goal, 10, 2.1, undefined)).toBe('missed')
  })

  test('a missing rival leaves a goal undecided unless another part is missed', () => {
    expect(verdictOf({ atMost: 10, timesKafka: 1 }, 5, undefined, undefined)).toBe('undecided')
    expect(verdictOf({ atMost: 10, timesKafka: 1 }, 11, undefined, undefined)).toBe('missed')
    expect(verdictOf({ atMost: 10 }, undefined, undefined, undefined)).toBe('undecided')
  })

  test('ratios are of the best values', () => {
    const result = rowResult(row, { ours: [{ cost: 3 }, { cost: 1.2 }], floor: [{ cost: 1 }] })
    const [figure] = result.figures
    expect(figure).toMatchObject({ oursToFloor: 1.2, goalVerdict: 'reached', aimVerdict: 'missed' })
    const table = formatTable([result])
    expect(table).toContain('<= 1.3 floor: yes')
    expect(table).toContain('<= 1, 0.5 Kafka: NO')
  })
})

describe('settings', () => {
  test('a peer adds Kafka to what is measured', () => {
    const settings = parseSettings(['--peer', '127.0.0.1:9092,77', '--targets', 'floor'])
    expect(settings.targets).toEqual(['floor', 'kafka'])
    expect(settings.peer).toEqual({ host: '127.0.0.1', port: 9092, pid: 77 })
  })

  test('what cannot be meant is refused', () => {
    expect(() => parseSettings(['--peer', 'localhost'])).toThrow('--peer localhost')
    expect(() => parseSettings(['--targets', 'kafka'])).toThrow('--targets kafka')
    expect(() => parseSettings(['--repeats', '0'])).toThrow('--repeats 0')
    expect(() => rowsOf(['1', '99'])).toThrow('There is no row 99')
  })
})
