/**
 * The subscribers of one topic in the order of their loads, while partitions of that topic go from the most loaded
 * to the least loaded. Part of uniform-heterogeneous.ts, which holds the loads and changes them.
 *
 *   sorted:   a b c | d e | f g h        each turn of the low end walks the members that had the lowest load, then
 *             low ->        <- high      those with one more, …; the high end the other way
 */
export class LoadOrder {
  /** By member index; shared with the owner. */
  readonly #loads: readonly number[]
  #sorted: number[] = []
  #lowEnd = 0
  #lowLoad = 0
  #nextLow = 0
  #highStart = 0
  #highEnd = 0
  #highLoad = 0
  #nextHigh = -1

  constructor(loads: readonly number[]) {
    this.#loads = loads
  }

  /** Starts with the subscribers of a topic, at least one. Returns how far the loads are apart. */
  start(members: readonly number[]): number {
    this.#sorted = [...members].sort((a, b) => this.#load(a) - this.#load(b) || a - b)
    const size = this.#sorted.length
    const lowest = this.#loadAt(0)
    const highest = this.#loadAt(size - 1)
    this.#lowEnd = 0
    this.#lowLoad = lowest - 1
    this.#nextLow = 0
    this.#highStart = size
    this.#highEnd = size
    this.#highLoad = highest + 1
    this.#nextHigh = size - 1
    return highest - lowest
  }

  /** The member that is to get the next partition. */
  nextLeastLoaded(): number {
    if (this.#nextLow >= this.#lowEnd) {
      this.#lowLoad++
      while (this.#lowEnd < this.#sorted.length && this.#loadAt(this.#lowEnd) === this.#lowLoad) {
        this.#lowEnd++
      }
      this.#nextLow = 0
    }
    return this.#sorted[this.#nextLow++]!
  }

  /** The member that is to give the next partition; -1: nobody can. */
  nextMostLoaded(): number {
    if (this.#nextHigh < this.#highStart) {
      const isRangeUsedUp = this.#highEnd <= this.#highStart && this.#highStart > 0
      this.#highLoad = isRangeUsedUp ? this.#loadAt(this.#highStart - 1) : this.#highLoad - 1
      while (this.#highStart > 0 && this.#loadAt(this.#highStart - 1) === this.#highLoad) {
        this.#highStart--
      }
      this.#nextHigh = this.#highEnd - 1
    }
    return this.#nextHigh < 0 ? -1 : this.#sorted[this.#nextHigh--]!
  }

  /** The member that `nextMostLoaded` named last has nothing to give. */
  excludeMostLoaded(): void {
    const at = this.#nextHigh + 1
    const last = this.#highEnd - 1
    const excluded = this.#sorted[at]!
    this.#sorted[at] = this.#sorted[last]!
    this.#sorted[last] = excluded
    this.#highEnd--
  }

  get isBalanced(): boolean {
    return this.#highLoad - this.#lowLoad <= 1
  }

  #load(member: number): number {
    return this.#loads[member]!
  }

  #loadAt(position: number): number {
    return this.#load(this.#sorted[position]!)
  }
}
