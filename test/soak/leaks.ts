/** Judges what a broker holds after a load against what it held before, both at rest. */
import type { ProcessState } from './process-state.js'

/** The broker's own threads may open a file or a heap arena late; a leak grows with the load, by hundreds. */
const DESCRIPTORS_MORE = 8
const MAPS_MORE = 24
const THREADS_MORE = 4
/** V8 and malloc keep pages for a while: what they keep does not grow with the hours. */
const ANONYMOUS_MORE_KIB = 32 * 1024
/** Ticks a second at rest: a timer that was left behind shows here. */
const IDLE_TICKS_MAX = 2

export function leaksBetween(before: ProcessState, after: ProcessState): string[] {
  const leaks: string[] = []
  const compare = (what: string, was: number, is: number, more: number): void => {
    if (is - was > more) leaks.push(`${what}: ${was} before, ${is} after; ${more} more are allowed`)
  }
  compare('file descriptors', before.descriptors, after.descriptors, DESCRIPTORS_MORE)
  compare('memory maps', before.maps, after.maps, MAPS_MORE)
  compare('threads', before.threads, after.threads, THREADS_MORE)
  compare('private memory, KiB', before.anonymousKiB, after.anonymousKiB, ANONYMOUS_MORE_KIB)
  return leaks
}

/** A sentence when a broker that nobody asks anything is busy. */
export function idleCost(before: ProcessState, after: ProcessState, seconds: number): string[] {
  const perSecond = (after.cpuTicks - before.cpuTicks) / seconds
  return perSecond <= IDLE_TICKS_MAX ? [] : [`at rest it uses ${perSecond} ticks of 10 ms a second`]
}
