/**
 * Mixed load on one broker for as long as asked: produce with acks=all, fetch, topics made and deleted, connections that
 * come and drop. At the end every record is read again and the broker may hold no more than before.
 *   npx tsx test/soak/soak.ts [--minutes 60] [--topics 2000]
 * Exits 1 on a leak or a violation.
 */
import { parseArgs } from 'node:util'
import { BrokerProcess } from '../support/broker-process.js'
import { createTopic } from '../support/partition-calls.js'
import { RawClient } from '../support/raw-client.js'
import { churnConnections, churnTopics } from './churn.js'
import { idleCost, leaksBetween } from './leaks.js'
import { type ProcessState, stateOf } from './process-state.js'
import { SteadyPartition } from './steady-partition.js'

export interface SoakOptions {
  minutes: number
  topics: number
  /** How long the load pauses before what the broker holds is counted. */
  restMs?: number
  progress?: (line: string) => void
}

export interface SoakVerdict {
  produced: number
  connections: number
  leaks: string[]
  violations: string[]
}

const STEADY = 4
const PRODUCE_EVERY_MS = 40
/** Of the time, and of the topics, before what the broker holds is written down: caches are filled, code is compiled. */
const WARM_UP = 0.2
/** Longer than the deletion delay below, the timers of dropped fetches and V8's idle collections. */
const REST_MS = 30_000
const IDLE_SECONDS = 10

export async function soak(options: SoakOptions): Promise<SoakVerdict> {
  const broker = await BrokerProcess.start({
    settings: { 'log.segment.delete.delay.ms': '1000', 'log.segment.bytes': '8388608' },
  })
  const violations: string[] = []
  const atRest = async (): Promise<ProcessState> => {
    await sleep(options.restMs ?? REST_MS)
    return stateOf(broker.pid)
  }
  try {
    const partitions = await steadyPartitions(broker, violations)
    const spanMs = options.minutes * 60_000
    const phase = (share: number) =>
      loadFor(
        broker,
        partitions,
        spanMs * share,
        Math.round(options.topics * share),
        violations,
        options,
      )
    await phase(WARM_UP)
    const before = await atRest()
    const connections = await phase(1 - WARM_UP)
    const after = await atRest()
    options.progress?.(`before ${JSON.stringify(before)}`)
    options.progress?.(`after  ${JSON.stringify(after)}`)
    await sleep(IDLE_SECONDS * 1000)
    const leaks = leaksBetween(before, after).concat(
      idleCost(after, stateOf(broker.pid), IDLE_SECONDS),
    )
    for (const partition of partitions) await partition.readAgain()
    const produced = partitions.reduce((sum, partition) => sum + partition.produced, 0)
    return { produced, connections, leaks, violations }
  } finally {
    await broker.remove()
  }
}

async function steadyPartitions(
  broker: BrokerProcess,
  violations: string[],
): Promise<SteadyPartition[]> {
  const client = await RawClient.connect(broker.port)
  const names = Array.from({ length: STEADY }, (_, i) => `steady-${i}`)
  for (const name of names) {
    const error = await createTopic(client, name)
    if (error !== 0) throw new Error(`${name} could not be created: error ${error}`)
  }
  client.close()
  return names.map(name => new SteadyPartition(broker.port, name, violations))
}

async function loadFor(
  broker: BrokerProcess,
  partitions: SteadyPartition[],
  spanMs: number,
  topics: number,
  violations: string[],
  { progress }: SoakOptions,
): Promise<number> {
  let over = false
  const ended = () => over
  const report = (made: number): void => {
    if (made % 50 === 0) progress?.(`${made} topics, ${describe(stateOf(broker.pid))}`)
  }
  const others = [
    ...partitions.map(partition => partition.produce(ended, PRODUCE_EVERY_MS)),
    ...partitions.map(partition => partition.follow(ended)),
  ]
  const connections = churnConnections(broker.port, ended)
  try {
    await churnTopics(broker.port, topics, spanMs, violations, report)
  } finally {
    over = true
  }
  await Promise.all(others)
  return connections
}

function describe(state: ProcessState): string {
  const { descriptors, maps, threads, anonymousKiB } = state
  return `${descriptors} fds, ${maps} maps, ${threads} threads, ${anonymousKiB} KiB`
}

function sleep(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms))
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '60' },
      topics: { type: 'string', default: '2000' },
    },
  })
  const verdict = await soak({
    minutes: Number(values.minutes),
    topics: Number(values.topics),
    progress: line => console.log(line),
  })
  for (const line of [...verdict.leaks, ...verdict.violations.slice(0, 20)]) console.log(line)
  const leaks = verdict.leaks.length === 0 ? 'no leak' : `${verdict.leaks.length} leaks`
  console.log(
    `${verdict.produced} records and ${verdict.connections} connections verified: ${leaks}, ${verdict.violations.length} violations`,
  )
  return verdict.leaks.length + verdict.violations.length === 0 ? 0 : 1
}

if (process.argv[1]?.endsWith('soak.ts')) process.exitCode = await main()
