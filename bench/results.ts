/** Turns the samples of a run into figures, ratios and verdicts. */
import type { Sample } from './generator.js'
import type { Figure, Goal, Row } from './rows/row.js'
import type { TargetName } from './settings.js'

export type Samples = Readonly<Partial<Record<TargetName, readonly Sample[]>>>

export interface Spread {
  readonly best: number
  readonly median: number
  readonly min: number
  readonly max: number
}

/** `undecided` when a goal refers to a broker that was not measured, or ours was not. */
export type Verdict = 'reached' | 'missed' | 'undecided'

export interface FigureResult {
  readonly title: string
  readonly unit: string
  readonly targets: Readonly<Partial<Record<TargetName, Spread>>>
  /** Of the best values. */
  readonly oursToFloor: number | undefined
  readonly oursToKafka: number | undefined
  readonly goal: Goal | undefined
  readonly goalVerdict: Verdict | undefined
  readonly aim: Goal | undefined
  readonly aimVerdict: Verdict | undefined
}

export interface RowResult {
  readonly id: string
  readonly title: string
  readonly figures: readonly FigureResult[]
  /** All that the generator printed, in the order of the rounds. */
  readonly samples: Samples
}

export function rowResult(row: Row, samples: Samples): RowResult {
  const figures = row.figures.map(figure => figureResult(figure, samples))
  return { id: row.id, title: row.title, figures, samples }
}

function figureResult(figure: Figure, samples: Samples): FigureResult {
  const targets: Partial<Record<TargetName, Spread>> = {}
  for (const [name, list] of Object.entries(samples) as [TargetName, readonly Sample[]][]) {
    if (list.length > 0) targets[name] = spreadOf(list.map(figure.of), figure.larger ?? false)
  }
  const { ours, floor, kafka } = targets
  const oursToFloor = ratio(ours, floor)
  const oursToKafka = ratio(ours, kafka)
  const judge = (goal: Goal | undefined) =>
    goal && verdictOf(goal, ours?.best, oursToFloor, oursToKafka)
  return {
    title: figure.title,
    unit: figure.unit,
    targets,
    oursToFloor,
    oursToKafka,
    goal: figure.goal,
    goalVerdict: judge(figure.goal),
    aim: figure.aim,
    aimVerdict: judge(figure.aim),
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

function ratio(above: Spread | undefined, below: Spread | undefined): number | undefined {
  return above && below && above.best / below.best
}

export function verdictOf(
  goal: Goal,
  ours: number | undefined,
  oursToFloor: number | undefined,
  oursToKafka: number | undefined,
): Verdict {
  const checks: [number | undefined, number | undefined][] = [
    [goal.atMost, ours],
    [goal.timesFloor, oursToFloor],
    [goal.timesKafka, oursToKafka],
  ]
  const asked = checks.filter(([limit]) => limit !== undefined)
  if (asked.some(([limit, value]) => value !== undefined && value > (limit ?? 0))) return 'missed'
  return asked.some(([, value]) => value === undefined) ? 'undecided' : 'reached'
}
