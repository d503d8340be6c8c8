/**
 * kill -9 at random moments under acks=all load, over and over; then the checker judges the whole history.
 *   npx tsx test/crash/kill-loop.ts [--kills 50] [--seed N] [--keep]
 * Exits 1 on any violation and keeps the history then.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { BrokerProcess } from '../support/broker-process.js'
import { command } from '../support/run-command.js'
import { type Verdict, check } from './checker.js'
import { readHistory } from './history.js'

export interface KillLoopOptions {
  kills: number
  seed: number
  keep?: boolean
  /** Told after each kill. */
  progress?: (kill: number) => void
  /** The folder of the broker; a temporary one if absent. */
  folder?: string
  /** More settings of the broker. */
  settings?: Record<string, string>
  /** Ends the broker; kill -9 if absent. */
  interrupt?: (broker: BrokerProcess) => Promise<void>
}

const PARTITIONS = 4
const LOAD = fileURLToPath(new URL('load.py', import.meta.url))

/** Runs the loop; the history lies in `historyPath` when there were violations or `keep` is set. */
export async function killLoop(
  options: KillLoopOptions,
): Promise<Verdict & { historyPath: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-crash-'))
  const historyPath = join(folder, 'history.jsonl')
  const broker = await BrokerProcess.start({
    ...(options.folder === undefined ? {} : { folder: options.folder }),
    settings: {
      'num.partitions': String(PARTITIONS),
      'log.segment.bytes': '1048576',
      ...options.settings,
    },
  })
  const interrupt = options.interrupt ?? (victim => victim.kill())
  const random = randomFrom(options.seed)
  try {
    // Makes the topic before the consumer asks for it.
    await command('kcat', [
      '-L',
      '-b',
      broker.bootstrapServers,
      '-t',
      'crash',
      '-X',
      'allow.auto.create.topics=true',
    ])
    const load = startLoad(broker.bootstrapServers, historyPath)
    for (let kill = 1; kill <= options.kills; kill++) {
      await sleep(200 + random() * 1300)
      await interrupt(broker)
      await broker.restart()
      options.progress?.(kill)
    }
    await sleep(1000)
    await load.finish()
    const verdict = check(readHistory(historyPath), { idempotent: true, finalReader: 'final' })
    if (verdict.violations.length === 0 && options.keep !== true)
      rmSync(folder, { recursive: true })
    return { ...verdict, historyPath }
  } finally {
    await broker.remove()
  }
}

function startLoad(servers: string, history: string): { finish(): Promise<void> } {
  const args = [LOAD, servers, 'crash', String(PARTITIONS), history, '2000']
  const child = spawn('/usr/bin/python3', args, { stdio: ['pipe', 'inherit', 'inherit'] })
  const ended = new Promise<void>((resolve, reject) => {
    child.once('exit', code => {
      if (code === 0) resolve()
      else reject(new Error(`the load ended with ${code}`))
    })
  })
  ended.catch(() => undefined) // Reported by finish().
  return {
    finish() {
      child.stdin.end()
      return ended
    },
  }
}

/** A small generator with a seed, so that a run can be repeated as far as timing allows. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms))
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      kills: { type: 'string', default: '50' },
      seed: { type: 'string', default: String(process.pid) },
      keep: { type: 'boolean', default: false },
    },
  })
  const kills = Number(values.kills)
  console.log(`${kills} kills, seed ${values.seed}`)
  const result = await killLoop({
    kills,
    seed: Number(values.seed),
    keep: values.keep,
    progress: kill => process.stdout.isTTY && process.stdout.write(`\r${kill} of ${kills} kills`),
  })
  for (const violation of result.violations) console.log(violation)
  console.log(
    `${kills} kills, ${result.acknowledged} records acknowledged, ${result.polled} reads, ` +
      `${result.violations.length} violations`,
  )
  if (result.violations.length > 0) console.log(`history: ${result.historyPath}`)
  return result.violations.length > 0 ? 1 : 0
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = await main()
