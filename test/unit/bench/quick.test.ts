/**
 * Protects the bench from rotting: its programs compile, the whole table runs with tiny amounts
 * against the floor, and the generator counts what it says and refuses wrong answers.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Programs, buildPrograms } from '../../../bench/build.js'
import { Generator } from '../../../bench/generator.js'
import type { RowResult } from '../../../bench/results.js'
import { ROOT } from '../../../bench/root.js'
import { ROWS } from '../../../bench/rows/table.js'

const COMPILE_MS = 300_000
const SEGMENT_BYTES = 1 << 20

let programs: Programs
let folder: string

beforeAll(async () => {
  programs = await buildPrograms()
  folder = mkdtempSync(join(tmpdir(), 'millrace-bench-'))
}, COMPILE_MS)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the load generator against the floor', () => {
  let floor: ChildProcess
  let port: number
  let generator: Generator

  beforeAll(async () => {
    const args = ['0', folder, `${SEGMENT_BYTES}`]
    floor = spawn(programs.floor, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    const [line] = (await once(floor.stdout!, 'data')) as [Buffer]
    port = Number(line.toString())
    generator = new Generator(programs.load, undefined)
  })

  afterAll(async () => {
    floor.kill()
    await once(floor, 'exit')
  })

  test('counts every batch, record and byte across partitions and segments', async () => {
    const sample = await generator.run('produce', {
      ...{ port, topic: 'counts', partitions: 3, connections: 2, depth: 4 },
      ...{ 'record-size': 100, 'batch-bytes': 16384, 'request-bytes': 32768, bytes: 8 << 20 },
    })
    expect(sample['batchBytes']).toBe(16384)
    expect(sample['requests']).toBe(256)
    expect(sample['bytes']).toBe(8 << 20)
    expect(sample['records']).toBe(512 * (sample['recordsPerBatch'] ?? 0))
  })

  test('reads from the start again when a topic is shorter than the bytes wanted', async () => {
    const produced = { port, topic: 'again', 'batch-bytes': 65536, bytes: 2 << 20 }
    await generator.run('produce', produced)
    const sample = await generator.run('fetch', { port, topic: 'again', bytes: 5 << 20 })
    expect(sample['bytes']).toBeGreaterThanOrEqual(5 << 20)
    expect(sample['responses']).toBeGreaterThanOrEqual(5)
  })

  test('sends small batches through the map and large ones through pwrite alike', async () => {
    for (const [topic, batchBytes] of Object.entries({ small: 4096, large: 200_000 })) {
      const bytes = 3 << 20
      await generator.run('produce', { port, topic, 'batch-bytes': batchBytes, bytes })
      // The fetcher ends with an error when a batch does not start at the offset asked for.
      await generator.run('fetch', { port, topic, bytes })
    }
  })

  test('reports percentiles in order, one latency a record', async () => {
    const sample = await generator.run('latency', { port, topic: 'late', rate: 2000, count: 200 })
    const { records, p50Us = 0, p99Us = 0, p999Us = 0, maxUs = 0 } = sample
    expect(records).toBe(200)
    expect([p50Us, p99Us, p999Us, maxUs].toSorted((a, b) => a - b)).toEqual([
      ...[p50Us, p99Us, p999Us, maxUs],
    ])
    expect(p50Us).toBeGreaterThan(0)
  })

  test('measures the processor time of the broker it is told to watch', async () => {
    const load = { port, topic: 'cpu', connections: 4, depth: 4, bytes: 1 << 20 }
    const sample = await generator.run('produce', { ...load, 'broker-pid': floor.pid ?? 0 })
    expect(sample['brokerCpuSeconds']).toBeGreaterThan(0)
    expect(sample['clientCpuSeconds']).toBeGreaterThan(0)
  })

  test('ends with the error code instead of a figure when a topic is not there', async () => {
    const fetch = generator.run('fetch', { port, topic: 'missing', bytes: 1 })
    await expect(fetch).rejects.toThrow('ListOffsets of missing-0 failed with error 3.')
  })

  test('names the option it does not know', async () => {
    await expect(generator.run('probe', { prot: port })).rejects.toThrow('Unknown option --prot.')
  })
})

test(
  'a quick run of the whole table writes every figure of every row',
  async () => {
    const json = join(folder, 'quick.json')
    const run = [join(ROOT, 'bench', 'run.ts'), '--quick', '--targets', 'floor']
    const where = ['--directory', join(folder, 'data'), '--json', json]
    const tsx = join(ROOT, 'node_modules', '.bin', 'tsx')
    const { stdout } = await promisify(execFile)(tsx, [...run, ...where], { cwd: ROOT })

    const report = JSON.parse(readFileSync(json, 'utf8')) as { commit: string; rows: RowResult[] }
    expect(report.commit).toMatch(/^[0-9a-f]{12}$/)
    expect(report.rows.map(row => row.id)).toEqual(ROWS.map(row => row.id))
    for (const row of report.rows) {
      expect(stdout).toContain(`${row.id}. ${row.title}`)
      expect(row.samples['floor']).toHaveLength(1)
      for (const figure of row.figures) {
        expect(figure.targets['floor']?.best, `${row.id} ${figure.title}`).toEqual(
          expect.any(Number),
        )
      }
    }
  },
  COMPILE_MS,
)
