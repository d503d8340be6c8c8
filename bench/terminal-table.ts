/** Prints the results as one table for people; a cell is best / median / worst of the repeats. */
import type { FigureResult, GoalVerdict, RowResult, Spread, Verdict } from './results.js'

const MARKS: Record<Verdict, string> = { reached: 'yes', missed: 'NO', undecided: '?' }

export function formatTable(rows: readonly RowResult[]): string {
  const names = targetNames(rows)
  const others = names.filter(name => name !== 'ours')
  const headings = ['', ...names, ...others.map(name => `/${name}`), 'goal']
  const lines = rows.flatMap(row => [
    [`${row.id}. ${row.title}`],
    ...row.figures.map(figure => figureCells(figure, names, others)),
  ])
  const cells = [headings, ...lines.filter(line => line.length > 1)]
  const widths = headings.map((_, column) => Math.max(...cells.map(c => c[column]?.length ?? 0)))
  const format = (line: string[]) =>
    line.length === 1
      ? `\n${line[0]}`
      : line
          // The first column and the goals are words, the others numbers.
          .map((cell, column) =>
            column === 0 || column === headings.length - 1
              ? cell.padEnd(widths[column] ?? 0)
              : cell.padStart(widths[column] ?? 0),
          )
          .join('  ')
          .trimEnd()
  return [format(headings), ...lines.map(format)].join('\n') + '\n'
}

/** The brokers of a run: ours and the floor first, whether they were measured or not. */
export function targetNames(rows: readonly RowResult[]): string[] {
  const measured = rows.flatMap(row => Object.keys(row.samples))
  return [...new Set(['ours', 'floor', ...measured])]
}

function figureCells(figure: FigureResult, names: string[], others: string[]): string[] {
  return [
    `   ${figure.title}, ${figure.unit}`,
    ...names.map(name => spreadText(figure.targets[name])),
    ...others.map(name => figure.ratios[name]?.toFixed(2) ?? '-'),
    figure.goals.map(goalText).join(', '),
  ]
}

function spreadText(spread: Spread | undefined): string {
  if (spread === undefined) return '-'
  const { best, median, min, max } = spread
  if (min === max) return shortNumber(best)
  return [best, median, best === min ? max : min].map(shortNumber).join(' / ')
}

export function goalText({ text, verdict }: GoalVerdict): string {
  return `${text}: ${MARKS[verdict]}`
}

/** Three significant digits without an exponent. */
export function shortNumber(value: number): string {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3
  return value.toFixed(digits)
}
