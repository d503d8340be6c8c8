/** The shape of a row of the benchmark table, after performance goals that docs/benchmarks.md lists. */
import type { Generator, Sample } from '../generator.js'
import type { Settings } from '../settings.js'
import type { Target } from '../targets/target.js'

/** Every goal that is given must hold; one whose rival was not measured stays undecided. */
export interface Goal {
  readonly atMost?: number
  readonly timesFloor?: number
  readonly timesKafka?: number
}

/** One number of a row. Smaller is better wherever there is a goal. */
export interface Figure {
  readonly title: string
  readonly unit: string
  readonly of: (sample: Sample) => number
  /** Larger is better: the best of the repeats is the largest. */
  readonly larger?: boolean
  /** What the present release has to reach. */
  readonly goal?: Goal
  /** What the design aims at. */
  readonly aim?: Goal
}

export interface RowContext {
  readonly generator: Generator
  readonly settings: Settings
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
