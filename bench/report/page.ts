/** A run as one HTML page with its pictures in it; it needs nothing from elsewhere. */
import type { FigureResult, GoalVerdict, RowResult } from '../results.js'
import type { RunFile } from '../run-file.js'
import { goalText, shortNumber, targetNames } from '../terminal-table.js'
import { dotPlot, escapeMarkup, sweepPlot } from './plots.js'

const STYLE = `
body { font: 15px/1.5 sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #222 }
table { border-collapse: collapse; margin: .5rem 0 1rem } th, td { padding: .15rem .7rem; text-align: right; border-bottom: 1px solid #ddd }
th:first-child, td:first-child, td.goal { text-align: left } .reached { color: #0b6e4f } .missed { color: #b00020 } .undecided { color: #777 }
svg { display: block; max-width: 100%; height: auto } h2 { margin-top: 2.5rem } figcaption { font-weight: 600 } figure { margin: 1rem 0 }`

export function reportPage(run: RunFile): string {
  const names = targetNames(run.rows)
  const { machine, settings } = run
  const facts = [
    `commit ${run.commit}${run.dirty ? ' with changes' : ''}`,
    machine.date,
    `${machine.cpu}, ${machine.cores} cores, ${(machine.memoryBytes / 1e9).toFixed(0)} GB`,
    `Linux ${machine.kernel}, Node ${machine.node}`,
    machine.cacheFull ? 'page cache full' : 'page cache not full at the start',
    `scale ${String(settings['scale'])}, ${String(settings['repeats'])} repeats`,
  ]
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Millrace benchmarks, ${run.commit}</title>
<style>${STYLE}</style>
<h1>Millrace benchmarks</h1>
<p>${facts.map(escapeMarkup).join(' · ')}</p>
<p>A dot is the best of the repeats, the bar behind it all of them; the axes are logarithmic. The dashed line is the limit:
what a bare reactor without sessions, authorisation, producer state or recovery reached in the same run. The method and the
limits of these figures stand in docs/benchmarks.md.</p>
${run.rows.map(row => section(row, names)).join('\n')}
</html>
`
}

function section(row: RowResult, names: readonly string[]): string {
  const sweeps = row.figures.filter(figure => figure.at !== undefined)
  // The rest of a row's figures explain its first one; those with a goal are worth a picture too.
  const drawn = row.figures.filter(
    (figure, index) => figure.at === undefined && (index === 0 || figure.goals.length > 0),
  )
  const axis = sweeps[0]?.at?.axis
  return `<h2>${escapeMarkup(`${row.id}. ${row.title}`)}</h2>
${table(row.figures, names)}
${sweeps.length > 0 ? picture(`${sweeps[0]?.unit} over ${axis}`, sweepPlot(sweeps, names)) : ''}
${drawn.map(figure => picture(`${figure.title}, ${figure.unit}`, dotPlot(figure, names))).join('\n')}`
}

function picture(caption: string, drawing: string): string {
  return drawing === ''
    ? ''
    : `<figure><figcaption>${escapeMarkup(caption)}</figcaption>${drawing}</figure>`
}

function table(figures: readonly FigureResult[], names: readonly string[]): string {
  const others = names.filter(name => name !== 'ours')
  const heads = ['', ...names, ...others.map(name => `ours / ${name}`), 'goal']
  const cell = (content: string) => `<td>${escapeMarkup(content)}</td>`
  const lines = figures.map(figure => {
    const best = names.map(name => figure.targets[name]?.best)
    const ratios = others.map(name => figure.ratios[name])
    return `<tr>${[
      cell(`${figure.title}, ${figure.unit}`),
      ...best.map(value => cell(value === undefined ? '–' : shortNumber(value))),
      ...ratios.map(value => cell(value === undefined ? '–' : value.toFixed(2))),
      `<td class="goal">${figure.goals.map(goal).join(', ')}</td>`,
    ].join('')}</tr>`
  })
  return `<table><tr>${heads.map(h => `<th>${escapeMarkup(h)}</th>`).join('')}</tr>${lines.join('')}</table>`
}

function goal(verdict: GoalVerdict): string {
  return `<span class="${verdict.verdict}">${escapeMarkup(goalText(verdict))}</span>`
}
