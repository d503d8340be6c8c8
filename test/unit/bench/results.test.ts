/** Protects the verdicts: a goal may not count as reached because a rival was not measured. */
import { describe, expect, test } from 'vitest'
import { reportPage } from '../../../bench/report/page.js'
import { type RowResult, rowResult, spreadOf, verdictsOf } from '../../../bench/results.js'
import type { Row } from '../../../bench/rows/row.js'
import { rowsOf } from '../../../bench/rows/table.js'
import { type RunFile, mergeRuns } from '../../../bench/run-file.js'
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
      goal: { atMost: 1, timesFloor: 1.3, timesKafka: 0.5 },
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
  const of = (...args: Parameters<typeof verdictsOf>) => verdictsOf(...args).map(v => v.verdict)

  test('every part of a goal is judged by itself', () => {
    const goal = { atMost: 10, timesFloor: 2 }
    expect(of(goal, false, 10, { floor: 2 })).toEqual(['reached', 'reached'])
    expect(of(goal, false, 11, { floor: 1 })).toEqual(['missed', 'reached'])
  })

  test('what was not measured leaves its part undecided', () => {
    expect(of({ atMost: 10, timesKafka: 1 }, false, 5, {})).toEqual(['reached', 'undecided'])
    expect(of({ atMost: 10 }, false, undefined, {})).toEqual(['undecided'])
  })

  test('of several Kafkas the best one counts, for costs and for rates', () => {
    const ratios = { floor: 1, 'kafka-1g': 0.2, 'kafka-4g': 0.3 }
    expect(of({ timesKafka: 0.25 }, false, 1, ratios)).toEqual(['missed'])
    expect(of({ timesKafka: 2 }, true, 1, { 'kafka-1g': 3, 'kafka-4g': 1.5 })).toEqual(['missed'])
  })

  test('ratios are of the best values', () => {
    const result = rowResult(row, { ours: [{ cost: 3 }, { cost: 1.2 }], floor: [{ cost: 1 }] })
    const [figure] = result.figures
    expect(figure?.ratios).toEqual({ floor: 1.2 })
    const table = formatTable([result])
    expect(table).toContain('<= 1: NO, <= 1.3 floor: yes, <= 0.5 Kafka: ?')
  })
})

describe('merging partial runs', () => {
  const runOf = (commit: string, id: string, samples: RowResult['samples']): RunFile => ({
    commit,
    dirty: false,
    machine: {} as RunFile['machine'],
    settings: {},
    rows: [{ id, title: '', figures: [], samples }],
  })
  const start = (startMs: number) => ({ startMs })

  test('the samples of a broker in a row come together, in the order of the table', () => {
    const merged = mergeRuns([
      runOf('a', '24', { ours: [{ brokerCpuSeconds: 1, seconds: 10 }] }),
      runOf('a', '18', { ours: [start(3)] }),
      runOf('a', '18', { ours: [start(2)], floor: [start(1)] }),
    ])
    expect(merged.rows.map(r => r.id)).toEqual(['18', '24'])
    expect(merged.rows[0]?.figures[0]).toMatchObject({
      targets: { ours: { best: 2, max: 3 } },
      ratios: { floor: 2 },
    })
  })

  test('runs of different commits are refused', () => {
    expect(() => mergeRuns([runOf('a', '18', {}), runOf('b', '18', {})])).toThrow('commits a and b')
  })
})

describe('the report', () => {
  test('draws the limit, and a curve for a sweep', () => {
    const at = (x: number) => ({ axis: 'partitions', x })
    const swept: Row = {
      ...row,
      figures: [1, 100].map(x => ({
        title: `${x}`,
        unit: 's',
        of: s => s['cost']! * x,
        at: at(x),
      })),
    }
    const samples = { ours: [{ cost: 2 }], floor: [{ cost: 1 }], '<k>': [{ cost: 9 }] }
    const page = reportPage({
      commit: 'abc',
      dirty: false,
      machine: {
        cpu: 'cpu',
        kernel: '6',
        node: 'v',
        date: '',
        memoryBytes: 1,
      } as RunFile['machine'],
      settings: {},
      rows: [rowResult(row, samples), rowResult(swept, samples)],
    })
    expect(page.match(/>limit</g)).toHaveLength(2)
    expect(page).toContain('<polyline')
    expect(page).not.toContain('<k>')
    expect(page).not.toContain('NaN')
  })
})

describe('settings', () => {
  test('peers are told apart by their labels', () => {
    const settings = parseSettings(['--peer', 'k1=127.0.0.1:9092,7', '--peer', '127.0.0.1:9093,8'])
    expect(settings.peers).toEqual([
      { label: 'k1', host: '127.0.0.1', port: 9092, pid: 7 },
      { label: 'kafka', host: '127.0.0.1', port: 9093, pid: 8 },
    ])
  })

  test('thirteen is a row a codec', () => {
    expect(rowsOf(['13']).map(r => r.id)).toEqual(['13-lz4', '13-zstd', '13-snappy', '13-gzip'])
  })

  test('what cannot be meant is refused', () => {
    expect(() => parseSettings(['--peer', 'localhost'])).toThrow('--peer localhost')
    const peer = ['--peer', '127.0.0.1:9092,7']
    expect(() => parseSettings([...peer, ...peer])).toThrow('a label of its own')
    expect(() => parseSettings(['--targets', 'kafka'])).toThrow('--targets kafka')
    expect(() => parseSettings(['--repeats', '0'])).toThrow('--repeats 0')
    expect(() => rowsOf(['1', '99'])).toThrow('There is no row 99')
  })
})
