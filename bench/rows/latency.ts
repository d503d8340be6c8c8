/** Row 9: from the time a record is due to its arrival at a consumer. */
import { hostAndPort } from '../targets/target.js'
import { printed } from './load.js'
import { type Row, amount } from './row.js'

const RATE = 1000
const SECONDS = 20

export const endToEndLatency: Row = {
  id: '9',
  title: 'produce to consume, 1000 records/s of 1 KiB, linger 0, acks=1',
  bytesPerRound: RATE * SECONDS * 1200,
  run: ({ generator, target, round, scale }) =>
    generator.run('latency', {
      ...hostAndPort(target),
      'broker-pid': target.pid,
      topic: `row9-${round}`,
      rate: RATE,
      count: Math.ceil(RATE * SECONDS * scale),
      'warmup-count': Math.ceil(RATE * 2 * scale),
    }),
  figures: [
    { ...printed('p50', 'us', 'p50Us'), goal: { timesFloor: 1.05, timesKafka: 0.42 } },
    { ...printed('p99', 'us', 'p99Us'), goal: { atMost: 250, timesKafka: 0.2 } },
    { ...printed('p99.9', 'us', 'p999Us'), goal: { atMost: 1000 } },
    printed('max', 'us', 'maxUs'),
    {
      title: 'broker CPU',
      unit: 'us/record',
      of: sample => (amount(sample, 'brokerCpuSeconds') / amount(sample, 'records')) * 1e6,
      goal: { timesKafka: 0.13 },
    },
    {
      title: 'client CPU',
      unit: 'us/record',
      of: sample => (amount(sample, 'clientCpuSeconds') / amount(sample, 'records')) * 1e6,
    },
  ],
}
