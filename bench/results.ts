/** Turns the samples of a run into figures, ratios and verdicts. */
import type { Sample } from './generator.js'
import type { Figure, Goal, Row } from './rows/row.js'

/** Samples or spreads by the name of the broker: `ours`, `floor`, or a peer's label. */
export type ByTarget<T> = Readonly<Record<string, T>>

export interface Spread {
  readonly best: number
  readonly median: number
  readonly min: number
  readonly max: number
}

/** `undecided` when a goal refers to a broker that was not measured, or ours was not. */
export type Verdict = 'reached' | 'missed' | 'undecided'

/** One part of a goal, as it is printed. */
export interface GoalVerdict {
  readonly text: string
  readonly verdict: Verdict
}

export interface FigureResult {
  readonly title: string
  readonly unit: string
  readonly larger: boolean
  readonly at: Figure['at']
  readonly targets: ByTarget<Spread>
  /** Our best value divided by each other broker's. */
  readonly ratios: ByTarget<number>
  readonly goals: readonly GoalVerdict[]
}

export interface RowResult {
  readonly id: string
  readonly title: string
  readonly figures: readonly FigureResult[]
  /** All that the generator printed, in the order of the rounds. */
  readonly samples: ByTarget<readonly Sample[]>
}

export function rowResult(row: Row, samples: RowResult['samples']): RowResult {
  const figures = row.figures.map(figure => figureResult(figure, samples))
  return { id: row.id, title: row.title, figures, samples }
}

function figureResult(figure: Figure, samples: RowResult['samples']): FigureResult {
  const larger = figure.larger ?? false
  const targets: Record<string, Spread> = {}
  for (const [name, list] of Object.entries(samples)) {
    if (list.length > 0) targets[name] = spreadOf(list.map(figure.of), larger)
  }
  const { ours, ...others } = targets
  const ratios: Record<string, number> = {}
  for (const [name, other] of Object.entries(others)) {
    // A broker that costs nothing, or whose memory shrank, is no measure.
    if (ours !== undefined && other.best > 0) ratios[name] = ours.best / other.best
  }
  return {
    title: figure.title,
    unit: figure.unit,
    larger,
    at: figure.at,
    targets,
    ratios,
    goals: verdictsOf(figure.goal ?? {}, larger, ours?.best, ratios),
  }
}

/** Noise only ever adds to a cost, so the smallest of the repeats is the best estimate. */
export function spreadOf(values: readonly number[], larger: boolean): Spread {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (index: number) => sorted[index] ?? Number.NaN
  const middle = (sorted.length - 1) / 2
  const min = at(0)
  const max = at(sorted.length - 1)
  const median = (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2
  return { best: larger ? max : min, median, min, max }
}

/** Of several peers the one counts beside which ours looks worst. */
export function verdictsOf(
  goal: Goal,
  larger: boolean,
  ours: number | undefined,
  ratios: ByTarget<number>,
): GoalVerdict[] {
  const { floor, ...peers } = ratios
  const peerRatios = Object.values(peers)
  const worst = larger ? Math.min(...peerRatios) : Math.max(...peerRatios)
  const kafka = peerRatios.length === 0 ? undefined : worst
  const parts: [number | undefined, number | undefined, string, boolean][] = [
    [goal.atMost, ours, '', false],
    [goal.atLeast, ours, '', true],
    [goal.timesFloor, floor, ' floor', larger],
    [goal.timesKafka, kafka, ' Kafka', larger],
  ]
  return parts.flatMap(([limit, value, of, least]): GoalVerdict[] => {
    if (limit === undefined) return []
    const text = `${least ? '>=' : '<='} ${limit}${of}`
    if (value === undefined) return [{ text, verdict: 'undecided' }]
    const reached = least ? value >= limit : value <= limit
    return [{ text, verdict: reached ? 'reached' : 'missed' }]
  })
}
