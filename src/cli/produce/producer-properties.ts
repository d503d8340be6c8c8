/** Kafka's producer settings, from files and key=value options, as options of the client. */
import { readFileSync } from 'node:fs'
import { BrokerError, messageOf } from '../../base/errors.js'
import type { ProducerOptions } from '../../client/producer/producer-options.js'
import { parseProperties } from '../../config/properties-file.js'
import { UsageError } from '../failure.js'

const TEXTS = ['client.id', 'compression.type', 'acks', 'bootstrap.servers']
const FLAGS = [
  'enable.idempotence',
  'partitioner.ignore.keys',
  'partitioner.adaptive.partitioning.enable',
]
const NUMBERS = [
  'batch.size',
  'linger.ms',
  'buffer.memory',
  'max.block.ms',
  'delivery.timeout.ms',
  'retries',
  'max.in.flight.requests.per.connection',
  'max.request.size',
  'request.timeout.ms',
  'metadata.max.age.ms',
  'retry.backoff.ms',
  'retry.backoff.max.ms',
  'reconnect.backoff.ms',
  'reconnect.backoff.max.ms',
  'connections.max.idle.ms',
  'socket.connection.setup.timeout.ms',
]

/** The entries of a client's properties file. Throws ERR_CLIENT_CONFIG if it cannot be read. */
export function readProperties(file: string): Map<string, string> {
  try {
    const entries = parseProperties(readFileSync(file, 'utf8'), file)
    return new Map(entries.map(({ key, value }) => [key, value.trim()]))
  } catch (error) {
    if (error instanceof BrokerError) throw error
    const why = messageOf(error)
    throw new BrokerError('ERR_CLIENT_CONFIG', `Cannot read the settings from ${file}: ${why}.`)
  }
}

/** key=value options as a map. Throws a UsageError for one without `=`. */
export function parsePairs(option: string, pairs: readonly string[]): Map<string, string> {
  return new Map(
    pairs.map(pair => {
      const at = pair.indexOf('=')
      if (at <= 0) {
        throw new UsageError(`${option} ${pair} is not of the form key=value, as in linger.ms=10.`)
      }
      return [pair.slice(0, at), pair.slice(at + 1)]
    }),
  )
}

/**
 * Options of the client. Returns the names that mean nothing to it as `unused`, as Kafka's tools take (and log)
 * anything. Throws for transactions and security, which silence would break, and for values of the wrong kind.
 */
export function producerOptions(properties: ReadonlyMap<string, string>): {
  options: Partial<ProducerOptions>
  unused: string[]
} {
  const options: Record<string, unknown> = {}
  const unused: string[] = []
  for (const [name, value] of properties) {
    refuseWhatIsMissing(name, value)
    if (name === 'acks') options['acks'] = value === 'all' ? 'all' : Number(value)
    else if (TEXTS.includes(name)) options[camelCase(name)] = value
    else if (FLAGS.includes(name)) options[camelCase(name)] = flagOf(name, value)
    else if (NUMBERS.includes(name)) options[camelCase(name)] = numberOf(name, value)
    else unused.push(name)
  }
  return { options: options, unused }
}

function refuseWhatIsMissing(name: string, value: string): void {
  if (name === 'transactional.id') {
    throw new UsageError('Transactions are not built yet: leave transactional.id out.')
  }
  if (name === 'security.protocol' && value.toUpperCase() !== 'PLAINTEXT') {
    throw new BrokerError(
      'ERR_CLIENT_CONFIG',
      `security.protocol=${value} is not built yet. Use a PLAINTEXT listener.`,
    )
  }
}

/** `linger.ms` is lingerMs. */
function camelCase(name: string): string {
  return name.replaceAll(/\.(.)/g, (_, letter: string) => letter.toUpperCase())
}

function numberOf(name: string, value: string): number {
  if (/^-?\d+$/.test(value)) return Number(value)
  throw new UsageError(`${name}=${value} is not a whole number.`)
}

function flagOf(name: string, value: string): boolean {
  if (/^(true|false)$/i.test(value)) return value.toLowerCase() === 'true'
  throw new UsageError(`${name}=${value} is neither true nor false.`)
}
