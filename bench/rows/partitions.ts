/** Rows 15 and 16: what partitions cost by being many. */
import type { Sample } from '../generator.js'
import { memoryOf } from '../targets/process.js'
import { hostAndPort } from '../targets/target.js'
import { brokerOptions, GB } from './load.js'
import { type Figure, type Row, type RowContext, amount } from './row.js'

const COUNTS = [1, 100, 1000, 10_000] as const
const MOST = 10_000
const BATCH_BYTES = 60_000
const BYTES_PER_COUNT = 0.6 * GB
const FETCHES = 5000

/** How many partitions stand for `count`; few where nothing is measured. */
function partitionsOf({ settings }: RowContext, count: number): number {
  return settings.quick ? Math.ceil(count / 1000) : count
}

/** Rows 15 and 16 use the same topics, so that a broker has to hold each only once. */
function topicOf(context: RowContext, count: number): string {
  return `partitions${count}-${context.run}`
}

/** CPU-seconds per GB of the cheapest of the repeats, over a topic with so many partitions. */
async function costOf(context: RowContext, count: number): Promise<number> {
  let best = Infinity
  for (let repeat = 0; repeat < context.settings.repeats; repeat++) {
    const sample = await context.generator.run('produce', {
      ...brokerOptions(context, BYTES_PER_COUNT),
      // Each partition takes its first batch before the measurement.
      'warmup-bytes': repeat === 0 ? partitionsOf(context, count) * BATCH_BYTES : 0,
      topic: topicOf(context, count),
      partitions: partitionsOf(context, count),
      'record-size': 1024,
      'batch-bytes': BATCH_BYTES,
      connections: 2,
      depth: 2,
    })
    best = Math.min(best, amount(sample, 'brokerCpuSeconds') / (amount(sample, 'bytes') / GB))
  }
  return best
}

async function sweep(context: RowContext): Promise<Sample> {
  const { generator, target } = context
  const sample: Record<string, number> = {}
  for (const count of COUNTS) {
    const before = memoryOf(target.pid).anonymousMb
    const partitions = partitionsOf(context, count)
    const topic = topicOf(context, count)
    const created = await generator.run('create', { ...hostAndPort(target), topic, partitions })
    sample[`createMs${count}`] = amount(created, 'createMs')
    const kilobytes = (memoryOf(target.pid).anonymousMb - before) * 1000
    sample[`kilobytesEach${count}`] = kilobytes / partitions
    sample[`cpu${count}`] = await costOf(context, count)
  }
  return sample
}

const ratio = (above: string, below: string): Figure['of'] => {
  return sample => amount(sample, above) / amount(sample, below)
}

export const manyPartitions: Row = {
  id: '15',
  title: 'produce, 60 KB batches over 1 to 10,000 partitions',
  bytesPerRound: 8 * BYTES_PER_COUNT + 2 * MOST * BATCH_BYTES,
  once: true,
  run: sweep,
  figures: [
    ...COUNTS.map((count): Figure => {
      const title = `broker CPU, ${count}`
      const at = { axis: 'partitions', x: count }
      return { title, unit: 's/GB', of: sample => amount(sample, `cpu${count}`), at }
    }),
    {
      title: 'CPU at 10,000 to CPU at 1',
      unit: 'times',
      of: ratio('cpu10000', 'cpu1'),
      goal: { atMost: 1.25, timesKafka: 0.3 },
    },
    {
      title: 'create 10,000',
      unit: 's',
      of: sample => amount(sample, 'createMs10000') / 1000,
      goal: { atMost: 3 },
    },
    { title: 'create 1,000', unit: 's', of: sample => amount(sample, 'createMs1000') / 1000 },
    {
      title: 'memory a partition of 10,000, anonymous',
      unit: 'kB',
      of: sample => amount(sample, 'kilobytesEach10000'),
      goal: { atMost: 10 },
    },
  ],
}

/** The floor has no sessions: what one partition costs there is the limit for all. */
async function followMany(context: RowContext): Promise<Sample> {
  const { generator, target, scale } = context
  const cost = async (count: number) => {
    const sample = await generator.run('session', {
      ...hostAndPort(target),
      'broker-pid': target.pid,
      topic: topicOf(context, count),
      partitions: partitionsOf(context, count),
      session: target.name === 'floor' ? 0 : 1,
      count: Math.ceil(FETCHES * scale),
    })
    return (amount(sample, 'brokerCpuSeconds') / amount(sample, 'fetches')) * 1e6
  }
  const one = await cost(1)
  return { one, many: target.name === 'floor' ? one : await cost(MOST) }
}

export const idlePartitions: Row = {
  id: '16',
  title: 'fetch session of 10,000 partitions of which one is active: record in, record out',
  bytesPerRound: 2 * FETCHES * 200,
  once: true,
  run: followMany,
  figures: [
    {
      title: 'broker CPU',
      unit: 'us/record',
      of: sample => amount(sample, 'many'),
      goal: { timesKafka: 0.05 },
    },
    {
      title: 'broker CPU, session of one partition',
      unit: 'us/record',
      of: sample => amount(sample, 'one'),
    },
    {
      title: 'many to one',
      unit: 'times',
      of: ratio('many', 'one'),
      goal: { atMost: 1.2 },
    },
  ],
}
