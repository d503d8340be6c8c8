/** Rows 1, 3, 5 and 6: what a byte, a record and a request cost a broker in processor time. */
import { hostAndPort } from '../targets/start-targets.js'
import { type Figure, type Row, type RowContext, amount } from './row.js'

const MB = 1e6
const GB = 1e9

interface ProduceShape {
  readonly recordSize: number
  readonly batchBytes: number
  readonly connections: number
  readonly depth: number
  readonly bytes: number
}

function brokerOptions({ target, scale }: RowContext, bytes: number) {
  return {
    ...hostAndPort(target),
    'broker-pid': target.pid,
    bytes: Math.ceil(bytes * scale),
    'warmup-bytes': Math.ceil((bytes * scale) / 10),
  }
}

function produce(context: RowContext, topic: string, shape: ProduceShape) {
  return context.generator.run('produce', {
    ...brokerOptions(context, shape.bytes),
    topic,
    'record-size': shape.recordSize,
    'batch-bytes': shape.batchBytes,
    connections: shape.connections,
    depth: shape.depth,
  })
}

export const LARGE_REQUESTS: ProduceShape = {
  recordSize: 1024,
  batchBytes: MB,
  connections: 2,
  depth: 2,
  bytes: 1.5 * GB,
}

/** Row 1's load, also used where a broker only has to be busy. */
export function produceLargeRequests(context: RowContext, topic: string) {
  return produce(context, topic, LARGE_REQUESTS)
}

const perGigabyte = (cpu: string): Figure['of'] => {
  return sample => amount(sample, cpu) / (amount(sample, 'bytes') / GB)
}
const clientPerGigabyte: Figure = {
  title: 'client CPU',
  unit: 's/GB',
  of: perGigabyte('clientCpuSeconds'),
}
const megabytes: Figure = {
  title: 'rate',
  unit: 'MB/s',
  larger: true,
  of: sample => amount(sample, 'megabytesPerSecond'),
}

export const produceBytes: Row = {
  id: '1',
  title: 'produce, 1 KiB records, 1 MB requests',
  bytesPerRound: 1.1 * LARGE_REQUESTS.bytes,
  run: context => produceLargeRequests(context, `row1-${context.round}`),
  figures: [
    {
      title: 'broker CPU',
      unit: 's/GB',
      of: perGigabyte('brokerCpuSeconds'),
      goal: { timesFloor: 1.3 },
      aim: { timesFloor: 1, timesKafka: 0.23 },
    },
    clientPerGigabyte,
    megabytes,
  ],
}

export const produceRecords: Row = {
  id: '3',
  title: 'produce, 100 B records, 1 MB requests',
  bytesPerRound: 0.9 * GB,
  run: context =>
    produce(context, `row3-${context.round}`, {
      ...LARGE_REQUESTS,
      recordSize: 100,
      bytes: 0.8 * GB,
    }),
  figures: [
    {
      title: 'broker CPU',
      unit: 's/M records',
      of: sample => amount(sample, 'brokerCpuSeconds') / (amount(sample, 'records') / 1e6),
      goal: { atMost: 0.035 },
      aim: { atMost: 0.03, timesKafka: 0.2 },
    },
    clientPerGigabyte,
    {
      title: 'rate',
      unit: 'M records/s',
      larger: true,
      of: sample => amount(sample, 'records') / amount(sample, 'seconds') / 1e6,
    },
  ],
}

const perRequest = (cpu: string): Figure['of'] => {
  return sample => (amount(sample, cpu) / amount(sample, 'requests')) * 1e6
}

export const produceRequests: Row = {
  id: '5',
  title: 'produce, one 100 B record a request, 64 connections, depth 4',
  bytesPerRound: 55 * MB,
  run: context =>
    produce(context, `row5-${context.round}`, {
      recordSize: 100,
      batchBytes: 0,
      connections: 64,
      depth: 4,
      bytes: 50 * MB,
    }),
  figures: [
    {
      title: 'broker CPU',
      unit: 'us/request',
      of: perRequest('brokerCpuSeconds'),
      goal: { atMost: 7 },
      aim: { atMost: 5, timesKafka: 0.22 },
    },
    { title: 'client CPU', unit: 'us/request', of: perRequest('clientCpuSeconds') },
    {
      title: 'rate',
      unit: 'k requests/s',
      larger: true,
      of: sample => amount(sample, 'acksPerSecond') / 1e3,
    },
  ],
}

export const fetchBytes: Row = {
  id: '6',
  title: 'fetch, 1 MiB a partition, from the page cache',
  bytesPerRound: 0.55 * GB,
  run: async context => {
    const topic = `row6-${context.round}`
    // Batches of which sixteen fill a partition's 1 MiB exactly.
    await produce(context, topic, { ...LARGE_REQUESTS, batchBytes: 64 * 1024, bytes: GB / 2 })
    return context.generator.run('fetch', { ...brokerOptions(context, 2 * GB), topic })
  },
  figures: [
    {
      title: 'broker CPU',
      unit: 's/GB',
      of: perGigabyte('brokerCpuSeconds'),
      goal: { timesFloor: 1.2 },
      aim: { timesFloor: 1.05, timesKafka: 0.7 },
    },
    clientPerGigabyte,
    megabytes,
  ],
}
