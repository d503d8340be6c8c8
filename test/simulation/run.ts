/**
 * Runs histories of groups from seeds: npx tsx test/simulation/run.ts [--seeds N] [--seed S] [--bug NAME]. Ends with
 * 1 and the seed at the first breach, which that seed shows again; with --bug, a breach is what is wanted.
 */
import { parseArgs } from 'node:util'
import { BUGS } from './bugs.js'
import { History } from './history.js'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    bug: { type: 'string' },
    verbose: { type: 'boolean', default: false },
  },
})

async function main(): Promise<number> {
  const bug = values.bug === undefined ? undefined : BUGS[values.bug]
  if (values.bug !== undefined && bug === undefined) {
    console.error(`There is no bug ${values.bug}. There are: ${Object.keys(BUGS).join(', ')}`)
    return 2
  }
  const serde = bug?.plant()
  const [first, count] = [Number(values.seed), Number(values.seeds)]
  for (let seed = first; seed < first + count; seed++) {
    try {
      const summary = await new History(seed, serde).run()
      if (values.verbose) console.log(`${seed} ${summary}`)
    } catch (error) {
      const reason =
        error instanceof Error ? (values.verbose ? error.stack : error.message) : String(error)
      console.log(`seed ${seed}: ${reason}`)
      return bug === undefined ? 1 : 0
    }
  }
  const seeds = `seeds ${first} to ${first + count - 1}`
  console.log(bug === undefined ? `${seeds}: no breach` : `${seeds}: the bug was not found`)
  return bug === undefined ? 0 : 1
}

process.exitCode = await main()
