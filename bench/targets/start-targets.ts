/** Brings up the brokers that a run compares, each with a fresh folder, bound to the same core. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Programs } from '../build.js'
import { bound, type Generator } from '../generator.js'
import { ROOT } from '../root.js'
import type { OwnTarget, Peer, Settings } from '../settings.js'
import { freePort, hasEnded, memoryOf, startProcess, stopProcess } from './process.js'
import { hostAndPort, type Target } from './target.js'

const CLI = join(ROOT, 'dist', 'cli', 'main.js')
/** What the floor preallocates a partition; small in a quick run, where only the path matters. */
export const FLOOR_SEGMENT_BYTES = 64 << 20
const FLOOR_SEGMENT_BYTES_QUICK = 16 << 20

export interface Surroundings {
  readonly settings: Settings
  readonly programs: Programs
  readonly generator: Generator
  readonly brokerCore: number | undefined
  readonly directory: string
}

/** Why ours is missing, or undefined. */
export function oursMissing(): string | undefined {
  return existsSync(CLI) ? undefined : 'dist/cli/main.js is not there; npm run build makes it.'
}

export async function startTargets(around: Surroundings): Promise<Target[]> {
  const targets: Target[] = []
  try {
    for (const name of around.settings.targets) {
      if (name === 'floor' || oursMissing() === undefined) {
        targets.push(await startOwn(around, name))
      }
    }
    for (const peer of around.settings.peers) targets.push(await attachPeer(around, peer))
  } catch (error) {
    await Promise.all(targets.map(target => target.stop()))
    throw error
  }
  return targets
}

function commandOf(around: Surroundings, name: OwnTarget, port: number): string[] {
  mkdirSync(around.directory, { recursive: true })
  const folder = mkdtempSync(join(around.directory, `${name}-`))
  if (name === 'floor') {
    const quick = around.settings.quick
    const segmentBytes = quick ? FLOOR_SEGMENT_BYTES_QUICK : FLOOR_SEGMENT_BYTES
    return bound(around.brokerCore, [around.programs.floor, `${port}`, folder, `${segmentBytes}`])
  }
  const overrides = [
    `listeners=PLAINTEXT://127.0.0.1:${port}`,
    `log.dirs=${join(folder, 'data')}`,
    `metadata.dir=${join(folder, 'metadata')}`,
    ...around.settings.overrides,
  ]
  const start = [process.execPath, CLI, 'start', ...overrides.flatMap(o => ['--override', o])]
  return bound(around.brokerCore, start)
}

async function startOwn(around: Surroundings, name: OwnTarget): Promise<Target> {
  const port = await freePort()
  const child = startProcess(commandOf(around, name, port))
  const pid = child.pid ?? 0
  if (!(await answers(around.generator, port, () => hasEnded(child)))) {
    await stopProcess(child)
    throw new Error(`${name} did not start; its messages stand above.`)
  }
  await sleep(around.settings.quick ? 100 : 2000)
  return {
    name,
    host: '127.0.0.1',
    port,
    pid,
    idleMemory: memoryOf(pid),
    freshCommand: freshPort => commandOf(around, name, freshPort),
    stop: () => stopProcess(child),
  }
}

/** Waits up to 30 s for an answer, less when the broker has ended. */
async function answers(generator: Generator, port: number, ended: () => boolean): Promise<boolean> {
  for (let second = 0; second < 30 && !ended(); second++) {
    const probe = generator.run('probe', { port, 'timeout-ms': 1000 })
    if (
      await probe.then(
        () => true,
        () => false,
      )
    )
      return true
  }
  return false
}

/** The peer keeps running; only its threads are moved to the brokers' core meanwhile. */
async function attachPeer(around: Surroundings, peer: Peer): Promise<Target> {
  await around.generator.run('probe', { ...hostAndPort(peer), 'timeout-ms': 10_000 })
  const bind = (cores: string) =>
    execFileSync('taskset', ['-a', '-c', '-p', cores, `${peer.pid}`], { stdio: 'ignore' })
  const before = coresOf(peer.pid)
  const idleMemory = memoryOf(peer.pid)
  if (around.brokerCore !== undefined) bind(`${around.brokerCore}`)
  return {
    ...peer,
    name: peer.label,
    idleMemory,
    freshCommand: undefined,
    stop: async () => {
      if (around.brokerCore !== undefined) bind(before)
    },
  }
}

function coresOf(pid: number): string {
  const text = execFileSync('taskset', ['-c', '-p', `${pid}`], { encoding: 'utf8' })
  return text.slice(text.lastIndexOf(':') + 1).trim()
}

/** Deletes what the brokers of a run wrote. */
export function removeData(directory: string): void {
  rmSync(directory, { recursive: true, force: true })
}
