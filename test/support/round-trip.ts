/**
 * A file of lines through real clients: produced by one, read back by others, before and after a restart of the broker,
 * and compared byte for byte.
 */
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import type { BrokerProcess } from './broker-process.js'
import { command } from './run-command.js'

export const CODECS = ['none', 'gzip', 'snappy', 'lz4', 'zstd'] as const
export type Codec = (typeof CODECS)[number]

const CLIENTS = fileURLToPath(new URL('../integration/clients/', import.meta.url))
/** Debian's Python, which has Debian's client packages. */
const PYTHON = '/usr/bin/python3'

type Produce = (
  servers: string,
  topic: string,
  codec: Codec,
  file: string,
  lines: number,
) => Promise<string>
type Consume = (servers: string, topic: string, file: string, lines: number) => Promise<string>

const python = (program: string, verb: string): Produce => {
  return (servers, topic, codec, file, lines) =>
    command(PYTHON, [CLIENTS + program, verb, servers, topic, codec, file, String(lines)])
}

export const PRODUCERS = {
  kcat: ((servers, topic, codec, file) =>
    command('kcat', [
      '-P',
      '-b',
      servers,
      '-t',
      topic,
      '-p',
      '0',
      '-z',
      codec,
      '-l',
      file,
    ])) as Produce,
  'confluent-kafka': python('confluent_round_trip.py', 'produce'),
  'kafka-python': python('kafka_python_round_trip.py', 'produce'),
  KafkaJS: ((servers, topic, codec, file) =>
    command(process.execPath, [
      `${CLIENTS}kafkajs-produce.mjs`,
      servers,
      topic,
      codec,
      file,
    ])) as Produce,
}

export const CONSUMERS = {
  kcat: ((servers, topic, file) =>
    command('kcat', ['-C', '-b', servers, '-t', topic, '-p', '0', '-o', 'beginning', '-e', '-q'], {
      output: file,
    })) as Consume,
  'confluent-kafka': ((servers, topic, file, lines) =>
    python('confluent_round_trip.py', 'consume')(servers, topic, 'none', file, lines)) as Consume,
  'kafka-python': ((servers, topic, file, lines) =>
    python('kafka_python_round_trip.py', 'consume')(
      servers,
      topic,
      'none',
      file,
      lines,
    )) as Consume,
}

export type ProducerName = keyof typeof PRODUCERS
export type ConsumerName = keyof typeof CONSUMERS

export class LinesFile {
  readonly folder = mkdtempSync(join(tmpdir(), 'millrace-lines-'))
  readonly path = join(this.folder, 'lines')
  readonly lines: number

  constructor(lines: number) {
    this.lines = lines
  }

  /** Lines of words and numbers, 20 to 180 bytes, some of them with bytes above ASCII. */
  async write(): Promise<string> {
    const out = createWriteStream(this.path)
    let state = 42
    for (let i = 0; i < this.lines; i++) {
      state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
      const filler = `${'käse wasser rad mühle '.repeat(1 + (state % 7))}${state}`
      if (!out.write(`line ${i} ${filler}\n`)) await once(out, 'drain')
    }
    out.end()
    await once(out, 'close')
    return checksum(this.path)
  }

  target(name: string): string {
    return join(this.folder, name)
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}

export async function checksum(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

/** Reads the topic with each consumer and gives those whose bytes differ from `wanted`. */
export async function readersThatDiffer(
  broker: BrokerProcess,
  topic: string,
  file: LinesFile,
  wanted: string,
  consumers: readonly ConsumerName[],
): Promise<string[]> {
  const differing: string[] = []
  for (const consumer of consumers) {
    const target = file.target(`${topic}-${consumer}`)
    await CONSUMERS[consumer](broker.bootstrapServers, topic, target, file.lines)
    if ((await checksum(target)) !== wanted)
      differing.push(`${consumer} read other bytes of ${topic}`)
    rmSync(target)
  }
  return differing
}
