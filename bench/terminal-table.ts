/** Prints the results as one table for people; a cell is best / median / worst of the repeats. */
import type { FigureResult, RowResult, Spread, Verdict } from './results.js'
import type { Goal } from './rows/row.js'

const HEADINGS = ['', 'ours', 'floor', 'Kafka', '/floor', '/Kafka', 'goal', 'aim']
const MARKS: Record<Verdict, string> = { reached: 'yes', missed: 'NO', undecided: '?' }

export function formatTable(rows: readonly RowResult[]): string {
  const lines = rows.flatMap(row => [[`${row.id}. ${row.title}`], ...row.figures.map(figureCells)])
  const cells = [HEADINGS, ...lines.filter(line => line.length > 1)]
  const widths = HEADINGS.map((_, column) => Math.max(...cells.map(c => c[column]?.length ?? 0)))
  const format = (line: string[]) =>
    line.length === 1
      ? `\n${line[0]}`
      : line
          .map((cell, column) => pad(cell, widths[column] ?? 0, column))
          .join('  ')
          .trimEnd()
  return [format(HEADINGS), ...lines.map(format)].join('\n') + '\n'
}

/** The first column and the goals are words, the others numbers. */
function pad(cell: string, width: number, column: number): string {
  return column === 0 || column > 5 ? cell.padEnd(width) : cell.padStart(width)
}

function figureCells(figure: FigureResult): string[] {
  const { ours, floor, kafka } = figure.targets
  return [
    `   ${figure.title}, ${figure.unit}`,
    spreadText(ours),
    spreadText(floor),
    spreadText(kafka),
    figure.oursToFloor?.toFixed(2) ?? '-',
    figure.oursToKafka?.toFixed(2) ?? '-',
    goalText(figure.goal, figure.goalVerdict),
    goalText(figure.aim, figure.aimVerdict),
  ]
}

function spreadText(spread: Spread | undefined): string {
  if (spread === undefined) return '-'
  const { best, median, min, max } = spread
  if (min === max) return short(best)
  return [best, median, best === min ? max : min].map(short).join(' / ')
}

function goalText(goal: Goal | undefined, verdict: Verdict | undefined): string {
  if (goal === undefined || verdict === undefined) return ''
  const parts = [
    goal.atMost === undefined ? [] : [`${goal.atMost}`],
    goal.timesFloor === undefined ? [] : [`${goal.timesFloor} floor`],
    goal.timesKafka === undefined ? [] : [`${goal.timesKafka} Kafka`],
  ]
  return `<= ${parts.flat().join(', ')}: ${MARKS[verdict]}`
}

/** Three significant digits without an exponent. */
function short(value: number): string {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3
  return value.toFixed(digits)
}
