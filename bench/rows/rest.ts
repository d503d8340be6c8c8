/** Rows 18, 23 and 24: what a broker costs when little happens: its start, its memory, its rest. */
import { setTimeout } from 'node:timers/promises'
import { freePort, residentMbOf } from '../targets/process.js'
import { hostAndPort } from '../targets/target.js'
import { LARGE_REQUESTS, produce } from './load.js'
import { type Row, amount } from './row.js'

const SAMPLE_EVERY_MS = 50

export const startTime: Row = {
  id: '18',
  title: 'start of an empty broker, exec to the first ApiVersions answer',
  bytesPerRound: 0,
  run: async ({ generator, target }) => {
    if (target.freshCommand === undefined) return undefined
    const port = await freePort()
    return generator.run('probe', { port }, target.freshCommand(port))
  },
  figures: [
    {
      title: 'time',
      unit: 'ms',
      of: sample => amount(sample, 'startMs'),
      goal: { atMost: 250, timesKafka: 0.1 },
    },
  ],
}

export const residentMemory: Row = {
  id: '23',
  title: 'resident memory',
  bytesPerRound: 1.1 * LARGE_REQUESTS.bytes,
  once: true,
  run: async context => {
    const { target } = context
    let peak = residentMbOf(target.pid)
    const watch = setInterval(() => {
      peak = Math.max(peak, residentMbOf(target.pid))
    }, SAMPLE_EVERY_MS)
    try {
      await produce(context, `row23-${context.round}`, LARGE_REQUESTS)
    } finally {
      clearInterval(watch)
    }
    return {
      idleMb: target.idleMemory.residentMb,
      idleAnonymousMb: target.idleMemory.anonymousMb,
      busyMb: peak,
    }
  },
  figures: [
    {
      title: 'idle',
      unit: 'MB',
      of: sample => amount(sample, 'idleMb'),
      goal: { atMost: 70, timesKafka: 0.1 },
    },
    {
      title: 'idle, anonymous part',
      unit: 'MB',
      of: sample => amount(sample, 'idleAnonymousMb'),
    },
    {
      title: 'peak under the load of row 1',
      unit: 'MB',
      of: sample => amount(sample, 'busyMb'),
      goal: { atMost: 120, timesKafka: 0.1 },
    },
  ],
}

export const idleProcessor: Row = {
  id: '24',
  title: 'processor without clients, 1,000 partitions',
  bytesPerRound: 0,
  once: true,
  // A process that has just worked still tidies up; it gets as long for that as it is watched afterwards.
  run: async ({ generator, target, settings, round }) => {
    const partitions = settings.quick ? 4 : 1000
    await generator.run('create', { ...hostAndPort(target), topic: `row24-${round}`, partitions })
    await setTimeout(settings.idleSeconds * 1000)
    return generator.run('idle', { 'broker-pid': target.pid, seconds: settings.idleSeconds })
  },
  figures: [
    {
      title: 'broker CPU',
      unit: '% of a core',
      of: sample => (amount(sample, 'brokerCpuSeconds') / amount(sample, 'seconds')) * 100,
      goal: { atMost: 0.1, timesKafka: 0.04 },
    },
  ],
}
