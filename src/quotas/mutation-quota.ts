/**
 * controller_mutation_rate (KIP-599): how many partitions a client may create and delete per second, by a bucket that
 * holds what a client that was silent saved up. It may be overdrawn once; then nothing goes until it is even again.
 * Newer requests are refused (THROTTLING_QUOTA_EXCEEDED), older ones are served and held off afterwards.
 */
import type { Clock } from '../base/clock.js'
import { type QuotaLimits, appliedQuota } from './applied-quota.js'
import { ANONYMOUS } from './client-quota.js'
import { Meters } from './meters.js'
import type { QuotaWindows } from './sampled-rate.js'

/** What one request may change. */
export interface MutationAllowance {
  /** False: the client has no limit, and nothing needs to be counted. */
  readonly isLimited: boolean
  /** Asks for this many partitions; false: refused, nothing was taken. */
  take(partitions: number): boolean
  /** For how many milliseconds the client must be held off, as of the last `take`. */
  readonly throttleTimeMs: number
}

export interface MutationQuotas {
  /** `strict`: what goes beyond is refused, not only held off. */
  allowanceOf(clientId: string | null, strict: boolean): MutationAllowance
}

export const UNLIMITED: MutationAllowance = {
  isLimited: false,
  take: () => true,
  throttleTimeMs: 0,
}

export interface MutationQuotaParts {
  readonly limits: QuotaLimits
  readonly isLimited: () => boolean
  readonly windows: QuotaWindows
  readonly clock: Clock
}

export class TokenBucketQuotas implements MutationQuotas {
  readonly #parts: MutationQuotaParts
  readonly #buckets: Meters<TokenBucket>

  constructor(parts: MutationQuotaParts) {
    this.#parts = parts
    this.#buckets = new Meters(
      () => new TokenBucket((parts.windows.num * parts.windows.sizeMs) / 1000),
    )
  }

  allowanceOf(clientId: string | null, strict: boolean): MutationAllowance {
    const { clock, isLimited, limits } = this.#parts
    if (!isLimited()) return UNLIMITED
    const quota = appliedQuota(limits, 'controller_mutation_rate', ANONYMOUS, clientId ?? '')
    if (quota === undefined) return UNLIMITED
    const bucket = this.#buckets.get(quota.meter, clock.monotonicMs())
    return new BucketAllowance(bucket, quota.limit, strict, clock)
  }
}

class BucketAllowance implements MutationAllowance {
  readonly isLimited = true
  throttleTimeMs = 0
  readonly #bucket: TokenBucket
  readonly #rate: number
  readonly #strict: boolean
  readonly #clock: Clock

  constructor(bucket: TokenBucket, rate: number, strict: boolean, clock: Clock) {
    this.#bucket = bucket
    this.#rate = rate
    this.#strict = strict
    this.#clock = clock
  }

  take(partitions: number): boolean {
    const nowMs = this.#clock.monotonicMs()
    const overdrawn = this.#bucket.debtMs(this.#rate, nowMs)
    if (this.#strict && overdrawn > 0) {
      this.throttleTimeMs = overdrawn
      return false
    }
    this.#bucket.take(partitions)
    if (!this.#strict) this.throttleTimeMs = this.#bucket.debtMs(this.#rate, nowMs)
    return true
  }
}

class TokenBucket {
  readonly #burstSeconds: number
  #tokens = Infinity
  #lastMs = 0
  #rate = 0

  constructor(burstSeconds: number) {
    this.#burstSeconds = burstSeconds
  }

  take(tokens: number): void {
    this.#tokens -= tokens
  }

  /** How long until the bucket is even; 0: it is. */
  debtMs(rate: number, nowMs: number): number {
    this.#refill(rate, nowMs)
    return this.#tokens >= 0 ? 0 : Math.max(1, Math.round((-this.#tokens / rate) * 1000))
  }

  /** A full bucket is as good as a new one. */
  isIdle(nowMs: number): boolean {
    this.#refill(this.#rate, nowMs)
    return this.#tokens >= this.#rate * this.#burstSeconds
  }

  #refill(rate: number, nowMs: number): void {
    const refilled = this.#tokens + (rate * (nowMs - this.#lastMs)) / 1000
    this.#tokens = Math.min(rate * this.#burstSeconds, refilled)
    this.#lastMs = nowMs
    this.#rate = rate
  }
}
