/** Row 9: from the time a record is due to its arrival at a consumer. */
import { hostAndPort } from '../targets/start-targets.js'
import { type Figure, type Row, amount } from './row.js'

const RATE = 1000
const SECONDS = 20

const percentile = (title: string, name: string, goals: Pick<Figure, 'goal' | 'aim'>): Figure => ({
  title,
  unit: 'us',
  of: sample => amount(sample, name),
  ...goals,
})

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
    percentile('p50', 'p50Us', {
      goal: { atMost: 200 },
      aim: { timesFloor: 1.05, timesKafka: 0.42 },
    }),
    percentile('p99', 'p99Us', { goal: { atMost: 500 }, aim: { atMost: 250, timesKafka: 0.2 } }),
    percentile('p99.9', 'p999Us', { aim: { atMost: 1000 } }),
    percentile('max', 'maxUs', {}),
    {
      title: 'broker CPU',
      unit: 'us/record',
      of: sample => (amount(sample, 'brokerCpuSeconds') / amount(sample, 'records')) * 1e6,
      aim: { timesKafka: 0.13 },
    },
    {
      title: 'client CPU',
      unit: 'us/record',
      of: sample => (amount(sample, 'clientCpuSeconds') / amount(sample, 'records')) * 1e6,
    },
  ],
}
