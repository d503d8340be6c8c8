/**
 * A rate over the last windows of time, as Kafka's metrics measure it: at most `num` samples of `sizeMs` each; while
 * there are fewer, the rate is taken over num - 1 windows, so that a burst after silence is not a high rate.
 * native/base/sampled_rate.h is the same for the data plane.
 */

export interface QuotaWindows {
  readonly num: number
  readonly sizeMs: number
}

interface Sample {
  startMs: number
  lastMs: number
  sum: number
}

export class SampledRate {
  readonly #windows: QuotaWindows
  #samples: Sample[] = []

  constructor(windows: QuotaWindows) {
    this.#windows = windows
  }

  record(value: number, nowMs: number): void {
    let current = this.#samples.at(-1)
    if (current === undefined || nowMs - current.startMs >= this.#windows.sizeMs) {
      current = { startMs: nowMs, lastMs: nowMs, sum: 0 }
      this.#samples.push(current)
    }
    current.sum += value
    current.lastMs = nowMs
  }

  /** How long to wait until the rate is back at `limit` per second; 0: it is not above. */
  throttleMs(limit: number, nowMs: number): number {
    this.#dropOld(nowMs)
    const sum = this.#samples.reduce((total, sample) => total + sample.sum, 0)
    const windowMs = this.#windowMs(nowMs)
    const rate = (sum * 1000) / windowMs
    return rate <= limit ? 0 : Math.round(((rate - limit) / limit) * windowMs)
  }

  /** Nothing was recorded for so long that forgetting the meter changes nothing. */
  isIdle(nowMs: number): boolean {
    this.#dropOld(nowMs)
    return this.#samples.length === 0
  }

  #dropOld(nowMs: number): void {
    const ageMax = this.#windows.num * this.#windows.sizeMs
    this.#samples = this.#samples.filter(({ lastMs }) => nowMs - lastMs < ageMax)
  }

  #windowMs(nowMs: number): number {
    const { num, sizeMs } = this.#windows
    const elapsed = nowMs - (this.#samples[0]?.startMs ?? nowMs)
    const missing = Math.max(0, num - 1 - Math.floor(elapsed / sizeMs))
    return Math.max(1, elapsed + missing * sizeMs)
  }
}
