/**
 * request_percentage (KIP-124) of control requests: the time that the control plane spends on a client's requests, in
 * percent of one processor. Above its limit the client is held off, at most for one window, as in Kafka.
 */
import type { Clock } from '../base/clock.js'
import { type QuotaLimits, appliedQuota } from './applied-quota.js'
import { Meters } from './meters.js'
import { type QuotaWindows, SampledRate } from './sampled-rate.js'

export interface RequestQuotaParts {
  readonly limits: QuotaLimits
  /** Whether any client has a limit of this kind. */
  readonly isLimited: () => boolean
  readonly windows: QuotaWindows
  readonly clock: Clock
}

export class RequestQuota {
  readonly #parts: RequestQuotaParts
  readonly #meters: Meters<SampledRate>

  constructor(parts: RequestQuotaParts) {
    this.#parts = parts
    this.#meters = new Meters(() => new SampledRate(parts.windows))
  }

  /** Counts time spent for a client; returns for how many milliseconds it must be held off. */
  record(user: string, clientId: string, spentMs: number): number {
    if (!this.#parts.isLimited()) return 0
    const quota = appliedQuota(this.#parts.limits, 'request_percentage', user, clientId)
    if (quota === undefined) return 0
    const nowMs = this.#parts.clock.monotonicMs()
    const meter = this.#meters.get(quota.meter, nowMs)
    // 10 ms of a second are one percent.
    meter.record(spentMs / 10, nowMs)
    return Math.min(meter.throttleMs(quota.limit, nowMs), this.#parts.windows.sizeMs)
  }
}
