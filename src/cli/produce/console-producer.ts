/** `millrace console-producer`: lines of standard input become records. Options are those of kafka-console-producer. */
import { createInterface } from 'node:readline'
import { Command } from 'commander'
import { messageOf } from '../../base/errors.js'
import { Producer } from '../../client/producer/producer.js'
import type { ProducerOptions } from '../../client/producer/producer-options.js'
import { UsageError } from '../failure.js'
import { LineReader } from './line-reader.js'
import { parsePairs, producerOptions, readProperties } from './producer-properties.js'

interface ConsoleProducerOptions {
  readonly bootstrapServer?: string
  readonly topic?: string
  readonly sync?: boolean
  readonly compressionCodec?: string | true
  readonly property: string[]
  readonly readerProperty: string[]
  readonly readerConfig?: string
  readonly commandProperty: string[]
  readonly producerProperty: string[]
  readonly commandConfig?: string
  readonly 'producer.config'?: string
  readonly batchSize?: string
  readonly maxPartitionMemoryBytes?: string
  readonly timeout?: string
  readonly requestRequiredAcks?: string
  readonly requestTimeoutMs?: string
  readonly messageSendMaxRetries?: string
  readonly retryBackoffMs?: string
  readonly metadataExpiryMs?: string
  readonly maxBlockMs?: string
  readonly maxMemoryBytes?: string
}

const append = (value: string, earlier: string[]) => [...earlier, value]

/** The command, to be named by its caller. */
export function consoleProducerCommand(): Command {
  return new Command()
    .description('Sends each line of standard input as a record (kafka-console-producer).')
    .option('--bootstrap-server <host:port>', 'brokers to connect to (required)')
    .option('--topic <name>', 'where the records go (required)')
    .option('--sync', 'wait for each record before the next')
    .option('--compression-codec [codec]', 'none, gzip, snappy, lz4 or zstd; alone: gzip')
    .option(
      '--reader-property <key=value>',
      'parse.key, key.separator, parse.headers, headers.delimiter, headers.separator, ' +
        'headers.key.separator, null.marker, ignore.error; repeatable',
      append,
      [],
    )
    .option('--reader-config <file>', 'properties file of such')
    .option('--property <key=value>', 'as --reader-property', append, [])
    .option('--command-property <key=value>', 'a producer setting; repeatable', append, [])
    .option('--command-config <file>', 'properties file of producer settings')
    .option('--producer-property <key=value>', 'as --command-property', append, [])
    .option('--producer.config <file>', 'as --command-config')
    .option('--batch-size <bytes>', 'batch.size')
    .option('--max-partition-memory-bytes <bytes>', 'batch.size, wins over --batch-size')
    .option('--timeout <ms>', 'linger.ms; default 1000, with --sync 0')
    .option('--request-required-acks <acks>', 'acks; default -1')
    .option('--request-timeout-ms <ms>', 'request.timeout.ms; default 1500')
    .option('--message-send-max-retries <count>', 'retries; default 3')
    .option('--retry-backoff-ms <ms>', 'retry.backoff.ms; default 100')
    .option('--metadata-expiry-ms <ms>', 'metadata.max.age.ms; default 300000')
    .option('--max-block-ms <ms>', 'max.block.ms; default 60000')
    .option('--max-memory-bytes <bytes>', 'buffer.memory; default 33554432')
    .action((options: ConsoleProducerOptions) => consoleProducer(options))
}

async function consoleProducer(options: ConsoleProducerOptions): Promise<void> {
  const { topic, sync = false } = options
  if (topic === undefined) throw new UsageError('--topic is missing; name the topic.')
  const fromFile = options.readerConfig === undefined ? [] : readProperties(options.readerConfig)
  const reader = new LineReader(
    new Map([
      ...fromFile,
      ...parsePairs('--property', options.property),
      ...parsePairs('--reader-property', options.readerProperty),
    ]),
  )
  const producer = new Producer(clientOptions(options))
  try {
    await sendLines(producer, topic, reader, sync)
  } finally {
    await producer.close()
  }
}

function clientOptions(options: ConsoleProducerOptions): ProducerOptions {
  const file = options.commandConfig ?? options['producer.config']
  const properties = new Map<string, string>()
  const set = (name: string, value: string | undefined) => {
    if (value !== undefined) properties.set(name, value)
  }
  // As Kafka's: the defaults of the tool, then the file, then single settings, then its own options.
  set('client.id', 'console-producer')
  // Whoever waits for each record gains nothing from a linger.
  set('linger.ms', options.sync === true ? '0' : '1000')
  set('request.timeout.ms', '1500')
  set('retries', '3')
  for (const [name, value] of file === undefined ? [] : readProperties(file)) set(name, value)
  const pairs = [...options.producerProperty, ...options.commandProperty]
  for (const [name, value] of parsePairs('--command-property', pairs)) set(name, value)
  const codec = options.compressionCodec
  set('compression.type', codec === true ? 'gzip' : codec)
  set('batch.size', options.maxPartitionMemoryBytes ?? options.batchSize)
  set('linger.ms', options.timeout)
  set('acks', options.requestRequiredAcks)
  set('request.timeout.ms', options.requestTimeoutMs)
  set('retries', options.messageSendMaxRetries)
  set('retry.backoff.ms', options.retryBackoffMs)
  set('metadata.max.age.ms', options.metadataExpiryMs)
  set('max.block.ms', options.maxBlockMs)
  set('buffer.memory', options.maxMemoryBytes)
  set('bootstrap.servers', options.bootstrapServer)
  const { options: known, unused } = producerOptions(properties)
  for (const name of unused) console.error(`${name} is not a setting of this producer; ignored.`)
  if (known.bootstrapServers === undefined) {
    throw new UsageError('--bootstrap-server is missing; name a broker, as in 127.0.0.1:9092.')
  }
  return { ...known, bootstrapServers: known.bootstrapServers }
}

/** Resolves when all lines are settled. A record that fails is told on stderr and makes the exit code 1. */
async function sendLines(
  producer: Producer,
  topic: string,
  reader: LineReader,
  sync: boolean,
): Promise<void> {
  const isTerminal = process.stdin.isTTY
  const prompt = () => isTerminal && process.stdout.write('>')
  const failed = (error: unknown) => {
    process.exitCode = 1
    console.error(`A record for topic ${topic} was not written: ${messageOf(error)}`)
  }
  prompt()
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
    const sent = producer.send({ topic, ...reader.read(line) }).catch(failed)
    if (sync) await sent
    else await producer.ready(topic).catch(() => sent)
    prompt()
  }
  await producer.flush()
}
