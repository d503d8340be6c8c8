/** The shape of a row of the benchmark table; docs/benchmarks.md lists the rows and their goals. */
import type { Generator, Sample } from '../generator.js'
import type { Settings } from '../settings.js'
import type { Target } from '../targets/target.js'

/**
 * What a figure of ours has to reach; every part that is given is judged by itself. Of a figure of
 * which more is better, `timesFloor` and `timesKafka` are least ratios, of the others largest ones.
 */
export interface Goal {
  readonly atMost?: number
  readonly atLeast?: number
  readonly timesFloor?: number
  readonly timesKafka?: number
}

/** One number of a row. */
export interface Figure {
  readonly title: string
  readonly unit: string
  readonly of: (sample: Sample) => number
  /** Larger is better: the best of the repeats is the largest. */
  readonly larger?: boolean
  readonly goal?: Goal
  /** The place on the axis of a sweep; figures with the same axis are one curve of the report. */
  readonly at?: { readonly axis: string; readonly x: number }
}

export interface RowContext {
  readonly generator: Generator
  readonly settings: Settings
  /** Distinguishes this run's topics from those of others. */
  readonly run: string
  /** Distinguishes the topics of the rounds. */
  readonly round: string
  /** Amounts of data of this round relative to the table's. */
  readonly scale: number
  readonly target: Target
}

export interface Row {
  readonly id: string
  readonly title: string
  /** What all rounds of one broker write, in bytes at scale 1; for the disk check. */
  readonly bytesPerRound: number
  /** Measured once instead of in each repeat. */
  readonly once?: boolean
  /** Undefined when this target cannot be measured so. */
  readonly run: (context: RowContext) => Promise<Sample | undefined>
  readonly figures: readonly Figure[]
}

/** A named amount of a sample; a name the generator does not print is a mistake here. */
export function amount(sample: Sample, name: string): number {
  const value = sample[name]
  if (value === undefined) throw new Error(`The load generator printed no ${name}.`)
  return value
}
