/** `npm run bench:micro`: small benchmarks of the TypeScript codecs, printed as a table. */
import { Bench } from 'tinybench'
import { addCodecBenches } from './codec-bench.js'
import { addRecordsBenches } from './records-bench.js'

/** Measures each task for `milliseconds`; resolves to nanoseconds an operation by task name. */
async function measure(milliseconds: number): Promise<Map<string, number>> {
  const bench = new Bench({ time: milliseconds, warmupTime: milliseconds / 2 })
  addCodecBenches(bench)
  await addRecordsBenches(bench)
  const medians = new Map<string, number>()
  for (const task of await bench.run()) {
    const { result } = task
    if (!('latency' in result)) {
      throw new Error(`${task.name} did not run to its end: ${result.state}`)
    }
    medians.set(task.name, result.latency.p50 * 1e6)
  }
  return medians
}

const quick = process.argv.includes('--quick')
for (const [name, nanos] of await measure(quick ? 5 : 500)) {
  process.stdout.write(`${name.padEnd(44)} ${(nanos / 1000).toFixed(2).padStart(10)} us\n`)
}
