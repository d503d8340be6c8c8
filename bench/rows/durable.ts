/** Rows 11 and 12: acknowledgements that wait for the disk, on all brokers. */
import { type ProduceShape, printed, produce } from './load.js'
import { type Row, type RowContext, amount } from './row.js'

/** Ours syncs for acks=all anyway; Kafka and the floor are told to sync each batch. */
function durable(
  context: RowContext,
  topic: string,
  shape: Omit<ProduceShape, 'bytes'>,
  n: number,
) {
  const more = { acks: -1, configs: 'flush.messages=1' }
  return produce(context, topic, { ...shape, bytes: n * RECORD_BYTES, more })
}

/** A record of 1 KiB in a batch of its own. */
const RECORD_BYTES = 1098

export const durableProducer: Row = {
  id: '11',
  title: 'synced acknowledgements: one producer, 1 KiB, depth 1',
  bytesPerRound: 3000 * RECORD_BYTES,
  run: context => {
    const shape = { recordSize: 1024, batchBytes: 0, connections: 1, depth: 1 }
    return durable(context, `row11-${context.round}`, shape, 3000)
  },
  figures: [
    { ...printed('p50', 'us', 'p50Us'), goal: { timesFloor: 1.3, timesKafka: 0.5 } },
    printed('p99', 'us', 'p99Us'),
    { ...printed('rate', 'acks/s', 'acksPerSecond'), larger: true },
  ],
}

export const durableGroup: Row = {
  id: '12',
  title: 'synced acknowledgements: 64 partitions, 64 connections, 1 KiB, depth 1',
  bytesPerRound: 60_000 * RECORD_BYTES,
  run: context => {
    const shape = { recordSize: 1024, batchBytes: 0, partitions: 64, connections: 64, depth: 1 }
    return durable(context, `row12-${context.round}`, shape, 60_000)
  },
  figures: [
    {
      ...printed('rate', 'acks/s', 'acksPerSecond'),
      larger: true,
      goal: { atLeast: 50_000, timesKafka: 10 },
    },
    printed('p50', 'us', 'p50Us'),
    { ...printed('p99', 'us', 'p99Us'), goal: { atMost: 3000 } },
    {
      title: 'broker CPU',
      unit: 'us/ack',
      of: sample => (amount(sample, 'brokerCpuSeconds') / amount(sample, 'requests')) * 1e6,
    },
  ],
}
