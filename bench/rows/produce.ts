/** Rows 1 to 5: what a byte, a record and a request cost that a producer sends. */
import {
  clientPerGigabyte,
  GB,
  LARGE_REQUESTS,
  MB,
  megabytes,
  millionRecords,
  perGigabyte,
  perMillionRecords,
  perRequest,
  type ProduceShape,
  produce,
} from './load.js'
import { type Figure, type Row, amount } from './row.js'

function produceRow(
  id: string,
  title: string,
  shape: ProduceShape,
  figures: readonly Figure[],
): Row {
  return {
    id,
    title,
    bytesPerRound: 1.1 * shape.bytes,
    run: context => produce(context, `row${id}-${context.round}`, shape),
    figures,
  }
}

const brokerPerGigabyte = (goal: Figure['goal']): Figure => ({
  title: 'broker CPU',
  unit: 's/GB',
  of: perGigabyte('brokerCpuSeconds'),
  ...(goal && { goal }),
})
const brokerPerMillion = (goal: Figure['goal']): Figure => ({
  title: 'broker CPU',
  unit: 's/M records',
  of: perMillionRecords('brokerCpuSeconds'),
  ...(goal && { goal }),
})

export const produceBytes = produceRow(
  '1',
  'produce, 1 KiB records, 1 MB requests',
  LARGE_REQUESTS,
  [brokerPerGigabyte({ timesFloor: 1, timesKafka: 0.23 }), clientPerGigabyte, megabytes],
)

export const produceDefaultBatches = produceRow(
  '2',
  'produce, 16 KiB batches, 16 connections, 16 partitions, depth 2',
  {
    recordSize: 1024,
    batchBytes: 16 * 1024,
    partitions: 16,
    connections: 16,
    depth: 2,
    bytes: 0.8 * GB,
  },
  [brokerPerGigabyte({ timesFloor: 0.85, timesKafka: 0.2 }), clientPerGigabyte, megabytes],
)

export const produceRecords = produceRow(
  '3',
  'produce, 100 B records, 1 MB requests',
  { ...LARGE_REQUESTS, recordSize: 100, bytes: 0.8 * GB },
  [brokerPerMillion({ atMost: 0.03, timesKafka: 0.2 }), clientPerGigabyte, millionRecords],
)

export const produceSmallBatches = produceRow(
  '3b',
  'produce, 100 B records, 8 KB batches, 3 connections, 6 partitions, depth 5',
  { recordSize: 100, batchBytes: 8000, partitions: 6, connections: 3, depth: 5, bytes: 0.4 * GB },
  [brokerPerMillion({ timesFloor: 1.1, timesKafka: 0.1 }), clientPerGigabyte, millionRecords],
)

export const peakRecords = produceRow(
  '4',
  'highest rate, 100 B records, 1 MB requests, 4 connections, 4 partitions, depth 4',
  { ...LARGE_REQUESTS, recordSize: 100, partitions: 4, connections: 4, depth: 4, bytes: 1.5 * GB },
  [
    { ...millionRecords, goal: { atLeast: 12, timesKafka: 2 } },
    brokerPerMillion(undefined),
    clientPerGigabyte,
  ],
)

export const produceRequests = produceRow(
  '5',
  'produce, one 100 B record a request, 64 connections, depth 4',
  { recordSize: 100, batchBytes: 0, connections: 64, depth: 4, bytes: 50 * MB },
  [
    {
      title: 'broker CPU',
      unit: 'us/request',
      of: perRequest('brokerCpuSeconds'),
      goal: { atMost: 5, timesKafka: 0.22 },
    },
    { title: 'client CPU', unit: 'us/request', of: perRequest('clientCpuSeconds') },
    {
      title: 'rate',
      unit: 'k requests/s',
      larger: true,
      of: sample => amount(sample, 'acksPerSecond') / 1e3,
    },
  ],
)
