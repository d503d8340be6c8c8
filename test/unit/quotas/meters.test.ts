/** Protects the rates and buckets of quotas: Kafka's figures, who shares a meter, and that meters do not pile up. */
import { expect, test } from 'vitest'
import { type QuotaLimits, appliedQuota } from '../../../src/quotas/applied-quota.js'
import type { QuotaEntity } from '../../../src/quotas/client-quota.js'
import { Meters } from '../../../src/quotas/meters.js'
import { TokenBucketQuotas } from '../../../src/quotas/mutation-quota.js'
import { RequestQuota } from '../../../src/quotas/request-quota.js'
import { SampledRate } from '../../../src/quotas/sampled-rate.js'

const WINDOWS = { num: 11, sizeMs: 1000 }

class ManualClock {
  ms = 1_000_000
  nowMs = () => this.ms
  monotonicMs = () => this.ms
}

/** One limit of every kind for the entities given, in their order: 100, 101, ... */
function limitsOf(...entities: QuotaEntity[]): QuotaLimits {
  const keys = entities.map(entity => JSON.stringify(entity))
  return {
    limitOf: ({ user, clientId }) => {
      const index = keys.indexOf(JSON.stringify({ user, clientId }))
      return index < 0 ? undefined : 100 + index
    },
  }
}

test('of all that fit a client, Kafka’s order chooses', () => {
  const entities: QuotaEntity[] = [
    { clientId: null },
    { clientId: 'c' },
    { user: null },
    { user: null, clientId: null },
    { user: null, clientId: 'c' },
    { user: 'u' },
    { user: 'u', clientId: null },
    { user: 'u', clientId: 'c' },
  ]
  for (let count = 0; count <= entities.length; count++) {
    const limits = limitsOf(...entities.slice(0, count))
    const applied = appliedQuota(limits, 'producer_byte_rate', 'u', 'c')
    expect(applied?.limit).toBe(count === 0 ? undefined : 99 + count)
  }
  const meterOf = (entity: QuotaEntity, clientId: string) =>
    appliedQuota(limitsOf(entity), 'producer_byte_rate', 'u', clientId)!.meter
  expect(meterOf({ user: null }, 'a')).toBe(meterOf({ user: null }, 'b'))
  expect(meterOf({ clientId: null }, 'a')).not.toBe(meterOf({ clientId: null }, 'b'))
})

test('a rate counts a burst over ten seconds and forgets it after eleven', () => {
  const rate = new SampledRate(WINDOWS)
  rate.record(10_000, 5000)
  expect(rate.throttleMs(1000, 5000)).toBe(0)
  expect(rate.throttleMs(500, 5000)).toBe(10_000)
  expect(rate.throttleMs(500, 5500)).toBe(9500)
  expect(rate.isIdle(15_999)).toBe(false)
  expect(rate.isIdle(16_000)).toBe(true)
})

test('time spent on requests is held to its percentage, at most a window long', () => {
  const clock = new ManualClock()
  let isLimited = false
  const parts = { limits: limitsOf({ clientId: 'c' }), windows: WINDOWS, clock }
  const quota = new RequestQuota({ ...parts, isLimited: () => isLimited })
  expect(quota.record('u', 'c', 1e9)).toBe(0)
  isLimited = true
  expect(quota.record('u', 'other', 1e9)).toBe(0)
  // 100 % of ten seconds.
  expect(quota.record('u', 'c', 10_000)).toBe(0)
  expect(quota.record('u', 'c', 50)).toBe(50)
  expect(quota.record('u', 'c', 50_000)).toBe(1000)
})

test('a bucket may be overdrawn once; then strict requests are refused until it is even', () => {
  const clock = new ManualClock()
  const limits: QuotaLimits = { limitOf: ({ clientId }) => (clientId === 'c' ? 1 : undefined) }
  const quotas = new TokenBucketQuotas({ limits, isLimited: () => true, windows: WINDOWS, clock })
  expect(quotas.allowanceOf('other', true).isLimited).toBe(false)
  const first = quotas.allowanceOf('c', true)
  expect([first.take(31), first.throttleTimeMs]).toEqual([true, 0])
  const second = quotas.allowanceOf('c', true)
  expect([second.take(1), second.throttleTimeMs]).toEqual([false, 20_000])
  const permissive = quotas.allowanceOf('c', false)
  expect([permissive.take(2), permissive.throttleTimeMs]).toEqual([true, 22_000])
  clock.ms += 22_000
  expect(quotas.allowanceOf('c', true).take(1)).toBe(true)
  // Silence saves up eleven seconds' worth, not more.
  clock.ms += 1_000_000
  const later = quotas.allowanceOf('c', true)
  expect([later.take(11), later.take(1), later.take(1)]).toEqual([true, true, false])
})

test('meters of names that fell silent are forgotten', () => {
  const meters = new Meters(() => new SampledRate(WINDOWS))
  for (let i = 0; i < 10_000; i++) meters.get(`c${i}`, i * 100).record(1, i * 100)
  expect(meters.size).toBeLessThan(3000)
})
