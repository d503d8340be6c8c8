/** The short form of the soak; `npx tsx test/soak/soak.ts` is the hour. What a minute shows of memory is noise. */
import { expect, test } from 'vitest'
import { idleCost, leaksBetween } from './leaks.js'
import type { ProcessState } from './process-state.js'
import { soak } from './soak.js'

const AT_REST: ProcessState = {
  descriptors: 40,
  maps: 200,
  threads: 14,
  anonymousKiB: 20_000,
  cpuTicks: 100,
}

test('mixed load leaves no descriptor open and loses no record', async () => {
  const verdict = await soak({ minutes: 0.25, topics: 40, restMs: 5000 })
  expect(verdict.violations).toEqual([])
  expect(verdict.leaks.filter(leak => leak.startsWith('file descriptors'))).toEqual([])
  expect(verdict.produced).toBeGreaterThan(1000)
}, 180_000)

test.each([
  ['descriptors', 200],
  ['maps', 200],
  ['threads', 10],
  ['anonymousKiB', 100_000],
] as const)('the judge sees a leak of %s', (what, more) => {
  const leaks = leaksBetween(AT_REST, { ...AT_REST, [what]: AT_REST[what] + more })
  expect(leaks).toHaveLength(1)
})

test('the judge sees a broker that is busy with nothing to do', () => {
  expect(idleCost(AT_REST, { ...AT_REST, cpuTicks: 200 }, 10)).toHaveLength(1)
  expect(idleCost(AT_REST, { ...AT_REST, cpuTicks: 105 }, 10)).toEqual([])
})
