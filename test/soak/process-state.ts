/** What a process holds, as the kernel sees it: descriptors, maps, threads, memory, and the processor time it used. */
import { readFileSync, readdirSync } from 'node:fs'

export interface ProcessState {
  descriptors: number
  maps: number
  threads: number
  /** Private memory in KiB: heaps and stacks, not mapped files. */
  anonymousKiB: number
  /** Clock ticks, 100 a second. */
  cpuTicks: number
}

export function stateOf(pid: number): ProcessState {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  // The program's name stands in brackets and may hold spaces; fields are counted behind it.
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').pop()!.split(' ')
  return {
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    maps: readFileSync(`/proc/${pid}/maps`, 'utf8').trimEnd().split('\n').length,
    threads: numberOf(status, 'Threads'),
    anonymousKiB: numberOf(status, 'RssAnon'),
    cpuTicks: Number(stat[11]) + Number(stat[12]),
  }
}

function numberOf(status: string, name: string): number {
  const found = new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)
  if (found === null) throw new Error(`/proc says nothing of ${name}`)
  return Number(found[1])
}
