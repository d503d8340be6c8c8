/** What the figures depend on besides the code: machine, kernel, page cache, free disk. */
import { execFileSync } from 'node:child_process'
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  statfsSync,
  statSync,
  writeSync,
} from 'node:fs'
import { availableParallelism, cpus, release, totalmem } from 'node:os'
import { join } from 'node:path'
import { ROOT } from './root.js'

const MIB = 1024 * 1024
/** Below this the page cache counts as full. */
const FREE_BYTES_FULL = 600 * MIB

export interface Machine {
  readonly commit: string
  readonly dirty: boolean
  readonly date: string
  readonly kernel: string
  readonly cpu: string
  readonly cores: number
  readonly memoryBytes: number
  readonly node: string
  /** Whether the page cache filled the memory when the run began. */
  readonly cacheFull: boolean
}

export function describeMachine(): Machine {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim()
  return {
    commit: git('rev-parse', '--short=12', 'HEAD'),
    dirty: git('status', '--porcelain', '--untracked-files=no') !== '',
    date: new Date().toISOString(),
    kernel: release(),
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    memoryBytes: totalmem(),
    node: process.version,
    cacheFull: freeMemoryBytes() < FREE_BYTES_FULL,
  }
}

/** MemFree: memory that not even the page cache uses. */
export function freeMemoryBytes(): number {
  const match = /^MemFree:\s+(\d+) kB/m.exec(readFileSync('/proc/meminfo', 'utf8'))
  return Number(match?.[1] ?? 0) * 1024
}

/**
 * Fills the page cache with a file larger than the memory, written and read once. It stays in
 * `directory`: deleting it would free its pages, and free pages are what makes figures wrong.
 */
export function fillPageCache(directory: string): void {
  mkdirSync(directory, { recursive: true })
  const path = join(directory, 'page-cache-filler')
  const wanted = totalmem() + 512 * MIB
  const block = Buffer.alloc(8 * MIB, 1)
  if (!existsSync(path) || statSync(path).size < wanted) {
    requireDiskSpace(directory, wanted)
    const file = openSync(path, 'w')
    for (let done = 0; done < wanted; done += block.length) writeSync(file, block)
    closeSync(file)
  }
  const file = openSync(path, 'r')
  while (readSync(file, block) > 0);
  closeSync(file)
}

/** Throws when `directory` has less than `bytes` and a reserve of 2 GB left. */
export function requireDiskSpace(directory: string, bytes: number): void {
  const disk = statfsSync(directory)
  const free = disk.bavail * disk.bsize
  if (free < bytes + 2e9) {
    throw new Error(
      `${directory} has ${gigabytes(free)} GB left, the run writes up to ${gigabytes(bytes)} GB. ` +
        'Free some, choose another --directory, or a smaller --scale or --repeats.',
    )
  }
}

function gigabytes(bytes: number): string {
  return (bytes / 1e9).toFixed(1)
}
