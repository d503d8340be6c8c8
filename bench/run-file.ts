/** The JSON file of a run, and how the files of partial runs become one. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Sample } from './generator.js'
import type { Machine } from './machine.js'
import { type RowResult, rowResult } from './results.js'
import { ROWS } from './rows/table.js'

export interface RunFile {
  readonly commit: string
  readonly dirty: boolean
  readonly machine: Omit<Machine, 'commit' | 'dirty'>
  readonly settings: Readonly<Record<string, unknown>>
  readonly rows: readonly RowResult[]
}

export function readRun(path: string): RunFile {
  return JSON.parse(readFileSync(path, 'utf8')) as RunFile
}

/** Writes a run; with `merge` the rows and brokers that the file holds already stay. */
export function writeRun(path: string, run: RunFile, merge: boolean): RunFile {
  const whole = merge && existsSync(path) ? mergeRuns([readRun(path), run]) : run
  mkdirSync(dirname(resolve(path)), { recursive: true })
  writeFileSync(path, `${JSON.stringify(whole, null, 1)}\n`)
  return whole
}

/**
 * One run out of several of the same commit. The samples of a broker in a row are put together, and the figures worked
 * out anew; machine and settings are the first run's. Throws when the commits differ: such figures are not one result.
 */
export function mergeRuns(runs: readonly RunFile[]): RunFile {
  const [first] = runs
  if (first === undefined) throw new Error('There is no run to merge.')
  const other = runs.find(run => run.commit !== first.commit)
  if (other !== undefined) {
    throw new Error(
      `Runs of the commits ${first.commit} and ${other.commit} are not one result. Measure the missing rows with one commit.`,
    )
  }
  const samples = new Map<string, Record<string, Sample[]>>()
  for (const row of runs.flatMap(run => run.rows)) {
    const ofRow = samples.get(row.id) ?? {}
    for (const [name, list] of Object.entries(row.samples)) {
      ofRow[name] = [...(ofRow[name] ?? []), ...list]
    }
    samples.set(row.id, ofRow)
  }
  const rows = ROWS.filter(row => samples.has(row.id))
  return {
    ...first,
    dirty: runs.some(run => run.dirty),
    rows: rows.map(row => rowResult(row, samples.get(row.id) ?? {})),
  }
}
