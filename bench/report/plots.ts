/** The pictures of a report, as SVG: a line of dots a figure, and a curve a sweep, both with logarithmic axes. */
import { type FigureResult, type Spread } from '../results.js'
import { shortNumber } from '../terminal-table.js'

const WIDTH = 720
const LABELS = 110
const RIGHT = 70
const LINE = 22
const TOP = 14
const SWEEP_HEIGHT = 240
const COLOURS = ['#0b6e4f', '#8a8a8a', '#c44536', '#e09f3e', '#5e548e', '#2a6f97']
const LIMIT_COLOUR = '#111'

/** A scale from positive values to pixels, with a tick at every 1, 2 and 5 of a decade. */
interface LogScale {
  readonly at: (value: number) => number
  readonly ticks: readonly number[]
}

function logScale(values: readonly number[], from: number, to: number): LogScale {
  const low = Math.log10(Math.min(...values) / 1.3)
  const high = Math.log10(Math.max(...values) * 1.3)
  const at = (value: number) => from + ((Math.log10(value) - low) / (high - low)) * (to - from)
  const ticks: number[] = []
  const steps = high - low > 3 ? [1] : [1, 2, 5]
  for (let decade = Math.floor(low); decade <= high; decade++) {
    for (const step of steps) {
      const tick = step * 10 ** decade
      if (Math.log10(tick) >= low && Math.log10(tick) <= high) ticks.push(tick)
    }
  }
  return { at, ticks }
}

/**
 * The limit of a figure: what the bare reactor reached in the same run, since it does what the kernel asks for and nothing
 * else. Undefined where it was not measured or has nothing to count.
 */
function limitOf(figure: FigureResult): number | undefined {
  const best = figure.targets['floor']?.best
  return best !== undefined && best > 0 ? best : undefined
}

const positive = ({ best, min, max }: Spread) => [best, min, max].filter(value => value > 0)

/** One line a broker: a dot for the best of the repeats, a bar over all of them, and the limit across. */
export function dotPlot(figure: FigureResult, names: readonly string[]): string {
  const shown = names.flatMap(name => {
    const spread = figure.targets[name]
    return spread !== undefined && spread.best > 0 ? [{ name, spread }] : []
  })
  if (shown.length === 0) return ''
  const x = logScale(
    shown.flatMap(({ spread }) => positive(spread)),
    LABELS,
    WIDTH - RIGHT,
  )
  const bottom = TOP + shown.length * LINE
  const parts = x.ticks.map(tick => tickMark(x.at(tick), bottom, tick))
  const limit = limitOf(figure)
  if (limit !== undefined) parts.push(limitMark(x.at(limit), bottom))
  shown.forEach(({ name, spread }, index) => {
    const y = TOP + index * LINE + LINE / 2
    const colour = colourOf(name, names)
    const [low, high] = [Math.min(...positive(spread)), Math.max(...positive(spread))]
    parts.push(
      text(LABELS - 8, y + 4, 'end', name),
      `<line x1="${px(x.at(low))}" y1="${y}" x2="${px(x.at(high))}" y2="${y}" stroke="${colour}" stroke-width="3" opacity="0.4"/>`,
      `<circle cx="${px(x.at(spread.best))}" cy="${y}" r="5" fill="${colour}"/>`,
      text(Math.max(x.at(high), x.at(spread.best)) + 10, y + 4, 'start', shortNumber(spread.best)),
    )
  })
  return svg(bottom + 22, parts)
}

/** One curve a broker over the places of a sweep; the floor's is the limit. */
export function sweepPlot(figures: readonly FigureResult[], names: readonly string[]): string {
  const points = names.flatMap(name =>
    figures.flatMap(figure => {
      const best = figure.targets[name]?.best ?? 0
      return best > 0 && figure.at !== undefined ? [{ name, x: figure.at.x, y: best }] : []
    }),
  )
  if (points.length === 0) return ''
  const bottom = SWEEP_HEIGHT - 30
  const x = logScale(
    points.map(p => p.x),
    LABELS - 50,
    WIDTH - LABELS,
  )
  const y = logScale(
    points.map(p => p.y),
    bottom,
    TOP,
  )
  const parts = x.ticks.map(tick => tickMark(x.at(tick), bottom, tick))
  for (const tick of y.ticks) {
    parts.push(
      `<line x1="${LABELS - 50}" y1="${px(y.at(tick))}" x2="${WIDTH - LABELS}" y2="${px(y.at(tick))}" stroke="#e4e4e4"/>`,
      text(LABELS - 58, y.at(tick) + 4, 'end', axisNumber(tick)),
    )
  }
  for (const name of names) {
    const own = points.filter(p => p.name === name)
    const last = own.at(-1)
    if (last === undefined) continue
    const path = own.map(p => `${px(x.at(p.x))},${px(y.at(p.y))}`).join(' ')
    const dashes = name === 'floor' ? ' stroke-dasharray="5 4"' : ''
    const colour = name === 'floor' ? LIMIT_COLOUR : colourOf(name, names)
    parts.push(
      `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"${dashes}/>`,
      text(x.at(last.x) + 8, y.at(last.y) + 4, 'start', name === 'floor' ? 'limit' : name),
    )
  }
  return svg(SWEEP_HEIGHT, parts)
}

function limitMark(x: number, bottom: number): string {
  return (
    `<line x1="${px(x)}" y1="${TOP - 4}" x2="${px(x)}" y2="${bottom}" stroke="${LIMIT_COLOUR}" stroke-width="1.5" stroke-dasharray="5 4"/>` +
    text(x, TOP - 5, 'middle', 'limit')
  )
}

function tickMark(x: number, bottom: number, value: number): string {
  return (
    `<line x1="${px(x)}" y1="${TOP}" x2="${px(x)}" y2="${bottom}" stroke="#e4e4e4"/>` +
    text(x, bottom + 14, 'middle', axisNumber(value))
  )
}

function axisNumber(value: number): string {
  return value >= 1000 ? value.toLocaleString('en') : String(Number(value.toPrecision(2)))
}

function colourOf(name: string, names: readonly string[]): string {
  return COLOURS[names.indexOf(name) % COLOURS.length] ?? LIMIT_COLOUR
}

function text(x: number, y: number, anchor: string, content: string): string {
  return `<text x="${px(x)}" y="${px(y)}" text-anchor="${anchor}">${escapeMarkup(content)}</text>`
}

function svg(height: number, parts: readonly string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" font-family="sans-serif" font-size="12">${parts.join('')}</svg>`
}

function px(value: number): string {
  return value.toFixed(1)
}

export function escapeMarkup(content: string): string {
  return content.replace(/[&<>"]/g, character => `&#${character.charCodeAt(0)};`)
}
