/** The meters of the clients that are under a quota now; those that fell silent are forgotten. */

const KEPT_MIN = 1000

export class Meters<M extends { isIdle(nowMs: number): boolean }> {
  readonly #meters = new Map<string, M>()
  readonly #make: () => M
  #sweepAt = KEPT_MIN

  constructor(make: () => M) {
    this.#make = make
  }

  get(name: string, nowMs: number): M {
    let meter = this.#meters.get(name)
    if (meter !== undefined) return meter
    if (this.#meters.size >= this.#sweepAt) this.#sweep(nowMs)
    meter = this.#make()
    this.#meters.set(name, meter)
    return meter
  }

  get size(): number {
    return this.#meters.size
  }

  #sweep(nowMs: number): void {
    for (const [name, meter] of this.#meters) if (meter.isIdle(nowMs)) this.#meters.delete(name)
    this.#sweepAt = Math.max(KEPT_MIN, this.#meters.size * 2)
  }
}
