/** `millrace producer-perf-test`: how fast records go in. Options and lines are those of kafka-producer-perf-test. */
import { randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { BrokerError, messageOf } from '../../base/errors.js'
import { delay } from '../../client/backoff.js'
import { Producer } from '../../client/producer/producer.js'
import { UsageError } from '../failure.js'
import { PerfStatistics } from './perf-statistics.js'
import { parsePairs, producerOptions, readProperties } from './producer-properties.js'

interface PerfTestOptions {
  readonly bootstrapServer?: string
  readonly topic?: string
  readonly numRecords?: string
  readonly recordSize?: string
  readonly payloadFile?: string
  readonly payloadDelimiter: string
  readonly payloadMonotonic?: boolean
  readonly throughput?: string
  readonly producerProps: string[]
  readonly commandProperty: string[]
  readonly commandConfig?: string
  readonly 'producer.config'?: string
  readonly printMetrics?: boolean
  readonly transactionalId?: string
  readonly transactionDurationMs?: string
  readonly reportingInterval: string
}

/** The next value; they are made before they are needed, so that making them is not measured. */
type Payloads = (index: number) => Buffer

/** How far the sender may be behind a throughput before it waits; timers are no finer. */
const THROTTLE_STEP_MS = 2

/** The command, to be named by its caller. */
export function producerPerfTestCommand(): Command {
  return new Command()
    .description('Measures how fast records are produced (kafka-producer-perf-test).')
    .option('--bootstrap-server <host:port>', 'brokers to connect to')
    .option('--topic <name>', 'where the records go (required)')
    .option('--num-records <count>', 'how many (required)')
    .option('--record-size <bytes>', 'size of a value; or one of the next two')
    .option('--payload-file <file>', 'values to choose from, one a line')
    .option('--payload-monotonic', 'values are 0, 1, 2, ...')
    .option('--payload-delimiter <text>', 'between the values of --payload-file', '\\n')
    .option('--throughput <records>', 'records per second; -1 for no limit (required)')
    .option('--producer-props <key=value...>', 'producer settings')
    .option('--command-property <key=value...>', 'as --producer-props')
    .option('--command-config <file>', 'properties file of producer settings')
    .option('--producer.config <file>', 'as --command-config')
    .option('--print-metrics', "print the producer's counters at the end")
    .option('--reporting-interval <ms>', 'time between lines of progress', '5000')
    .option('--transactional-id <id>', 'not built yet')
    .option('--transaction-duration-ms <ms>', 'not built yet')
    .action((options: PerfTestOptions) => producerPerfTest(options))
}

async function producerPerfTest(options: PerfTestOptions): Promise<void> {
  if (options.transactionalId !== undefined || options.transactionDurationMs !== undefined) {
    throw new UsageError(
      'Transactions are not built yet: leave --transactional-id and --transaction-duration-ms out.',
    )
  }
  const { topic } = options
  if (topic === undefined) throw new UsageError('--topic is missing; name the topic.')
  const numRecords = countOf('--num-records', options.numRecords)
  const throughput = countOf('--throughput', options.throughput, -1)
  const payloads = payloadsOf(options)
  const producer = new Producer(clientOptions(options))
  try {
    await producer.ready(topic)
    await run(producer, topic, numRecords, throughput, payloads, options)
    if (options.printMetrics === true) printMetrics(producer)
  } finally {
    await producer.close({ timeoutMs: 0 })
  }
}

async function run(
  producer: Producer,
  topic: string,
  numRecords: number,
  throughput: number,
  payloads: Payloads,
  { reportingInterval }: PerfTestOptions,
): Promise<void> {
  const startMs = performance.now()
  const intervalMs = countOf('--reporting-interval', reportingInterval, 1)
  const print = (line: string) => console.log(line)
  const statistics = new PerfStatistics(numRecords, intervalMs, startMs, print)
  let failure: unknown
  for (let index = 0; index < numRecords && failure === undefined; index++) {
    const value = payloads(index)
    const sentMs = performance.now()
    producer.send({ topic, value }).then(
      () => {
        const nowMs = performance.now()
        statistics.record(nowMs - sentMs, value.length, nowMs)
      },
      (error: unknown) => (failure ??= error),
    )
    if (throughput > 0) {
      const aheadMs = ((index + 1) / throughput) * 1000 - (performance.now() - startMs)
      if (aheadMs > THROTTLE_STEP_MS) await delay(aheadMs)
    }
    // Answers are only read between turns: memory that is free again has to be noticed.
    if (index % 1000 === 999) await producer.ready(topic)
  }
  await producer.flush()
  if (failure !== undefined) {
    throw new BrokerError('ERR_PERF_TEST', `A record was not written: ${messageOf(failure)}`)
  }
  statistics.printTotal(performance.now())
}

function clientOptions(options: PerfTestOptions) {
  const file = options.commandConfig ?? options['producer.config']
  const pairs = [...(options.producerProps ?? []), ...(options.commandProperty ?? [])]
  const properties = new Map([
    ['client.id', 'perf-producer-client'],
    ...(file === undefined ? [] : readProperties(file)),
    ...parsePairs('--command-property', pairs),
    ...(options.bootstrapServer === undefined
      ? []
      : [['bootstrap.servers', options.bootstrapServer] as const]),
  ])
  const { options: known, unused } = producerOptions(properties)
  for (const name of unused) console.error(`${name} is not a setting of this producer; ignored.`)
  if (known.bootstrapServers === undefined) {
    throw new UsageError('--bootstrap-server is missing; name a broker, as in 127.0.0.1:9092.')
  }
  return { ...known, bootstrapServers: known.bootstrapServers }
}

function payloadsOf(options: PerfTestOptions): Payloads {
  const { recordSize, payloadFile, payloadMonotonic } = options
  const given = [recordSize, payloadFile, payloadMonotonic].filter(x => x !== undefined)
  if (given.length !== 1) {
    throw new UsageError('Give exactly one of --record-size, --payload-file, --payload-monotonic.')
  }
  if (payloadMonotonic === true) return index => Buffer.from(String(index))
  if (payloadFile !== undefined) {
    const values = linesOf(payloadFile, options.payloadDelimiter)
    return () => values[randomInt(values.length)]!
  }
  const size = countOf('--record-size', recordSize)
  // Random capital letters, different from record to record: a window that moves over a longer row of them.
  const letters = Buffer.from(Array.from({ length: size + 1024 }, () => 65 + randomInt(26)))
  return index => letters.subarray(index % 1024, (index % 1024) + size)
}

function linesOf(file: string, delimiter: string): Buffer[] {
  let text
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new BrokerError('ERR_PERF_TEST', `Cannot read ${file}: ${messageOf(error)}.`)
  }
  const separator = delimiter.replaceAll('\\n', '\n').replaceAll('\\t', '\t')
  const values = text.split(separator).filter(line => line !== '')
  if (values.length > 0) return values.map(line => Buffer.from(line))
  throw new BrokerError('ERR_PERF_TEST', `${file} holds no value. Write one a line.`)
}

function countOf(option: string, text: string | undefined, min = 1): number {
  if (text === undefined) throw new UsageError(`${option} is missing.`)
  const count = Number(text)
  if (Number.isInteger(count) && count >= min) return count
  throw new UsageError(`${option} ${text} is not a whole number from ${min} on.`)
}

function printMetrics(producer: Producer): void {
  const rows = Object.entries(producer.metrics())
  const width = Math.max(...rows.map(([name]) => name.length))
  console.log(`\n${'Metric Name'.padEnd(width)}   Value`)
  for (const [name, value] of rows) console.log(`${name.padEnd(width)} : ${String(value)}`)
}
