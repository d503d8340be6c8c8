/** Chance from a seed: the same seed gives the same history on every machine (xorshift128, seeded by splitmix32). */
export class Chance {
  #state: [number, number, number, number]

  constructor(seed: number) {
    let mix = seed >>> 0
    const next = (): number => {
      mix = (mix + 0x9e3779b9) >>> 0
      let word = mix ^ (mix >>> 16)
      word = Math.imul(word, 0x21f0aaad)
      word ^= word >>> 15
      word = Math.imul(word, 0x735a2d97)
      return (word ^ (word >>> 15)) >>> 0
    }
    this.#state = [next(), next(), next(), next() | 1]
  }

  /** From 0 to below `below`. */
  int(below: number): number {
    const [first, second, third, fourth] = this.#state
    let word = first ^ (first << 11)
    word = (word ^ (word >>> 8) ^ fourth ^ (fourth >>> 19)) >>> 0
    this.#state = [second, third, fourth, word]
    return word % below
  }

  between(least: number, most: number): number {
    return least + this.int(most - least + 1)
  }

  /** True in `percent` of a hundred cases. */
  percent(percent: number): boolean {
    return this.int(100) < percent
  }

  pick<T>(values: readonly T[]): T {
    return values[this.int(values.length)]!
  }
}
