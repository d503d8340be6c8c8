/** Processes of the bench: start, wait, read their memory, stop. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { Memory } from './target.js'

export function memoryOf(pid: number): Memory {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  return { residentMb: megabytes(text, 'Rss'), anonymousMb: megabytes(text, 'Anonymous') }
}

/** What the disk has delivered for a process so far; what came out of the page cache does not count. */
export function readBytesOf(pid: number): number {
  const match = /^read_bytes: (\d+)/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))
  return Number(match?.[1] ?? 0)
}

/** Cheap enough to be called while the process is under load. */
export function residentMbOf(pid: number): number {
  return megabytes(readFileSync(`/proc/${pid}/status`, 'utf8'), 'VmRSS')
}

function megabytes(text: string, field: string): number {
  const match = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(text)
  return (Number(match?.[1] ?? 0) * 1024) / 1e6
}

/** A port that nobody listens on at this moment. */
export async function freePort(): Promise<number> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** Starts a broker; what it prints goes to this process's standard error. */
export function startProcess(command: readonly string[]): ChildProcess {
  const [file, ...args] = command
  return spawn(file ?? '', args, { stdio: ['ignore', process.stderr, process.stderr] })
}

export function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

/** SIGTERM, and SIGKILL for whoever does not obey within 30 s. */
export async function stopProcess(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const force = setTimeout(() => child.kill('SIGKILL'), 30_000)
  await ended
  clearTimeout(force)
}
