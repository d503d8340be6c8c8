/**
 * `npm run bench`: measures our broker, the floor and, where one is given, an Apache Kafka with the
 * same load, in turns, and prints what each costs. docs/benchmarks.md describes the method.
 */
import { mkdirSync, mkdtempSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { buildPrograms } from './build.js'
import { Generator, type Sample } from './generator.js'
import {
  type Machine,
  describeMachine,
  fillPageCache,
  freeMemoryBytes,
  requireDiskSpace,
} from './machine.js'
import { type RowResult, rowResult } from './results.js'
import { ROOT } from './root.js'
import type { Row } from './rows/row.js'
import { rowsOf } from './rows/table.js'
import { writeRun } from './run-file.js'
import { type Settings, parseSettings } from './settings.js'
import {
  FLOOR_SEGMENT_BYTES,
  oursMissing,
  removeData,
  startTargets,
} from './targets/start-targets.js'
import type { Target } from './targets/target.js'
import { formatTable } from './terminal-table.js'

const BROKER_CORE = 0
const CLIENT_CORE = 1
/** The unrecorded first round, which warms a JVM's compiler and everybody's caches. */
const WARMUP_SCALE = 0.25
const QUICK_SCALE = 0.004

const say = (text: string) => process.stderr.write(`${text}\n`)

async function main(): Promise<void> {
  const settings = parseSettings(process.argv.slice(2))
  const rows = rowsOf(settings.rows)
  const programs = await buildPrograms()
  mkdirSync(settings.directory, { recursive: true })
  if (settings.fill) fillPageCache(dirname(resolve(settings.directory)))
  const machine = describeMachine()
  warn(settings, machine)
  requireDiskSpace(settings.directory, bytesWritten(settings, rows))

  const pinned = settings.pin && machine.cores > 1
  const generator = new Generator(programs.load, pinned ? CLIENT_CORE : undefined)
  const directory = mkdtempSync(join(resolve(settings.directory), 'run-'))
  const targets = await startTargets({
    settings,
    programs,
    generator,
    brokerCore: pinned ? BROKER_CORE : undefined,
    directory,
  }).catch((error: unknown) => {
    removeData(directory)
    throw error
  })
  const cleanUp = async () => {
    await Promise.all(targets.map(target => target.stop()))
    removeData(directory)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void cleanUp().finally(() => process.exit(1)))
  }
  try {
    const results: RowResult[] = []
    for (const row of rows) {
      say(`row ${row.id}: ${row.title}`)
      results.push(await measureRow(row, targets, generator, settings))
    }
    report(settings, machine, results)
  } finally {
    await cleanUp()
  }
}

async function measureRow(
  row: Row,
  targets: readonly Target[],
  generator: Generator,
  settings: Settings,
): Promise<RowResult> {
  const samples: Record<string, Sample[]> = {}
  const full = settings.scale * (settings.quick ? QUICK_SCALE : 1)
  const first = row.once || settings.quick ? 1 : 0
  const last = row.once ? 1 : settings.repeats
  // Topics of a peer outlive the run.
  const run = `${process.pid}`
  for (let round = first; round <= last; round++) {
    for (const target of targets) {
      const scale = round === 0 ? full * WARMUP_SCALE : full
      const context = { generator, settings, run, round: `${run}-${round}`, scale, target }
      const sample = await row.run(context).catch((error: unknown) => failed(row, target, error))
      if (round > 0 && sample !== undefined) (samples[target.name] ??= []).push(sample)
    }
  }
  return rowResult(row, samples)
}

/** A row that a broker cannot do does not take the others' figures along. */
function failed(row: Row, target: Target, error: unknown): undefined {
  say(
    `row ${row.id} failed with ${target.name}: ${error instanceof Error ? error.message : String(error)}`,
  )
  process.exitCode = 1
  return undefined
}

function bytesWritten(settings: Settings, rows: readonly Row[]): number {
  const full = settings.scale * (settings.quick ? QUICK_SCALE : 1)
  const rounds = (row: Row) => (row.once ? 1 : settings.repeats + WARMUP_SCALE)
  const ofRow = (row: Row) => row.bytesPerRound * full * rounds(row)
  const perTarget = rows.reduce((sum, row) => sum + ofRow(row), 0)
  // The floor takes a whole segment for each topic at once.
  const segments = settings.targets.includes('floor')
    ? rows.reduce((sum, row) => sum + Math.ceil(rounds(row)) * FLOOR_SEGMENT_BYTES, 0)
    : 0
  return perTarget * (settings.targets.length + settings.peers.length) + segments
}

function warn(settings: Settings, machine: Machine): void {
  const missing = settings.targets.includes('ours') ? oursMissing() : undefined
  if (missing !== undefined) say(`ours is left out: ${missing}`)
  if (settings.quick) say('--quick: the figures mean nothing.')
  else if (!machine.cacheFull) {
    const free = Math.round(freeMemoryBytes() / 1e6)
    say(
      `${free} MB of memory are free. On a virtual machine the first touch of a free page may cost ` +
        'more than the broker itself; ' +
        (settings.fill
          ? 'something else has freed memory since it was filled.'
          : 'run with --fill to measure the broker.'),
    )
  }
}

function report(settings: Settings, machine: Machine, rows: readonly RowResult[]): void {
  process.stdout.write(formatTable(rows))
  const path = settings.json ?? join(ROOT, 'bench', 'results', `${machine.commit}.json`)
  const { commit, dirty, ...host } = machine
  const { repeats, scale, quick, pin, idleSeconds, overrides } = settings
  const used = { repeats, scale, quick, pin, idleSeconds, overrides }
  writeRun(path, { commit, dirty, machine: host, settings: used, rows }, settings.merge)
  say(`\nAll samples: ${path}`)
}

main().catch((error: unknown) => {
  say(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
})
