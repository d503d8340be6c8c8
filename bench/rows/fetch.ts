/** Rows 6 and 7: what a byte costs that a consumer takes, and one that ten take. */
import { readBytesOf } from '../targets/process.js'
import {
  brokerOptions,
  clientPerGigabyte,
  GB,
  LARGE_REQUESTS,
  megabytes,
  perGigabyte,
  printed,
  produce,
} from './load.js'
import type { Goal, Row, RowContext } from './row.js'

/** Fills a topic with batches of which sixteen make a partition's 1 MiB, and reads it. */
async function fetch(context: RowContext, topic: string, connections: number, bytes: number) {
  await produce(context, topic, { ...LARGE_REQUESTS, batchBytes: 64 * 1024, bytes: GB / 2 })
  const diskBefore = readBytesOf(context.target.pid)
  const sample = await context.generator.run('fetch', {
    ...brokerOptions(context, bytes),
    topic,
    connections,
  })
  return { ...sample, diskMegabytes: (readBytesOf(context.target.pid) - diskBefore) / 1e6 }
}

const brokerCpu = (goal: Goal) => ({
  title: 'broker CPU',
  unit: 's/GB',
  of: perGigabyte('brokerCpuSeconds'),
  goal,
})

export const fetchBytes: Row = {
  id: '6',
  title: 'fetch, 1 MiB a partition, from the page cache',
  bytesPerRound: 0.55 * GB,
  run: context => fetch(context, `row6-${context.round}`, 1, 2 * GB),
  figures: [brokerCpu({ timesFloor: 1.05, timesKafka: 0.7 }), clientPerGigabyte, megabytes],
}

export const fanOut: Row = {
  id: '7',
  title: 'fetch, ten consumers of one partition, 1 MiB each',
  bytesPerRound: 0.55 * GB,
  run: context => fetch(context, `row7-${context.round}`, 10, 4 * GB),
  figures: [
    brokerCpu({ timesFloor: 1.2, timesKafka: 1 }),
    clientPerGigabyte,
    megabytes,
    { ...printed('read from the disk', 'MB', 'diskMegabytes'), goal: { atMost: 0 } },
  ],
}
