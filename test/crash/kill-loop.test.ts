/** The short form of the crash suite; `npx tsx test/crash/kill-loop.ts` is the long one. */
import { expect, test } from 'vitest'
import { killLoop } from './kill-loop.js'

test('six kills under load: nothing acknowledged is lost, nothing is twice', async () => {
  const verdict = await killLoop({ kills: 6, seed: 20261129 })
  expect(verdict.violations).toEqual([])
  expect(verdict.acknowledged).toBeGreaterThan(500)
})
