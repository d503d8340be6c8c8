/**
 * `npm run bench:report -- RUN.json [MORE.json ...] [--out FILE.html]`: draws a run, or several partial runs of one commit
 * put together. Without a file it takes the newest of bench/results.
 */
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ROOT } from '../root.js'
import { mergeRuns, readRun } from '../run-file.js'
import { reportPage } from './page.js'

const RESULTS = join(ROOT, 'bench', 'results')

function newestRun(): string {
  const files = readdirSync(RESULTS).filter(name => name.endsWith('.json'))
  const [newest] = files
    .map(name => join(RESULTS, name))
    .toSorted((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)
  if (newest === undefined) throw new Error(`${RESULTS} holds no run; npm run bench makes one.`)
  return newest
}

function main(): void {
  const { values, positionals } = parseArgs({
    options: { out: { type: 'string' } },
    allowPositionals: true,
  })
  const paths = positionals.length > 0 ? positionals : [newestRun()]
  const run = mergeRuns(paths.map(readRun))
  const out = values.out ?? (paths[0] ?? '').replace(/(\.json)?$/, '.html')
  writeFileSync(out, reportPage(run))
  process.stdout.write(`${out}\n`)
}

try {
  main()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
