/** Rows 20 and 21: what connections cost by being many, idle, active and waiting. */
import { hostAndPort } from '../targets/target.js'
import { MB, perRequest, printed, produce } from './load.js'
import { type Row, type RowContext, amount } from './row.js'

const CONNECTIONS = 10_000
const ACTIVE = 1000
const ROUNDS = 3

const connectionsOf = ({ settings }: RowContext, count: number) =>
  settings.quick ? Math.ceil(count / 200) : count

export const manyConnections: Row = {
  id: '20',
  title: '10,000 connections, of which 1,000 send single records',
  bytesPerRound: 44 * MB,
  once: true,
  run: async context => {
    const { generator, target } = context
    const connected = await generator.run('connect', {
      ...hostAndPort(target),
      'broker-pid': target.pid,
      connections: connectionsOf(context, CONNECTIONS),
    })
    const active = async (idle: number) => {
      const sample = await produce(context, `row20-${context.round}`, {
        recordSize: 100,
        batchBytes: 0,
        connections: connectionsOf(context, ACTIVE),
        depth: 1,
        bytes: 20 * MB,
        more: { 'idle-connections': connectionsOf(context, idle) },
      })
      return perRequest('brokerCpuSeconds')(sample)
    }
    return { ...connected, alone: await active(1), among: await active(CONNECTIONS - ACTIVE) }
  },
  figures: [
    {
      title: 'memory a connection, anonymous',
      unit: 'KiB',
      of: sample => amount(sample, 'anonymousBytes') / 1024 / amount(sample, 'connections'),
      goal: { atMost: 4, timesKafka: 0.1 },
    },
    {
      ...printed('accept and answer ApiVersions', 'connections/s', 'connectionsPerSecond'),
      larger: true,
      goal: { atLeast: 10_000 },
    },
    printed('broker CPU, 1,000 active among 9,000 idle', 'us/request', 'among'),
    {
      title: 'among 9,000 idle to alone',
      unit: 'times',
      of: sample => amount(sample, 'among') / amount(sample, 'alone'),
      goal: { atMost: 1.05 },
    },
  ],
}

export const parkedFetches: Row = {
  id: '21',
  title: '10,000 long polls on one partition',
  bytesPerRound: 10 * 200,
  once: true,
  run: context =>
    context.generator.run('park', {
      ...hostAndPort(context.target),
      'broker-pid': context.target.pid,
      topic: `row21-${context.round}`,
      connections: connectionsOf(context, CONNECTIONS),
      rounds: context.settings.quick ? 1 : ROUNDS,
      'wait-ms': context.settings.quick ? 500 : 3000,
    }),
  figures: [
    {
      ...printed('broker CPU, a record wakes all', 'us/waiter', 'wakeCpuUs'),
      goal: { timesFloor: 1.2, timesKafka: 0.3 },
    },
    printed('until the last one has it', 'ms', 'wakeMs'),
    {
      ...printed('broker CPU, timeout', 'us/waiter', 'timeoutCpuUs'),
      goal: { atMost: 12, timesKafka: 0.3 },
    },
  ],
}
