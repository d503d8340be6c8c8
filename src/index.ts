/**
 * The client library (client/index.ts), and Millrace in your process: `await startBroker()` gives a real
 * Kafka-compatible broker on a free port, for tests and local work. Several may run at once.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Broker } from './broker.js'
import type { BrokerConfig } from './config/broker-config.js'
import { formatHostPort } from './config/listeners.js'
import { loadBrokerConfig } from './config/load-broker-config.js'
import { type LogLevel, type Logger, createLogger } from './observability/logger.js'

export * from './client/index.js'

export interface StartBrokerOptions {
  /** Where the data is kept; without it a temporary folder that `close` removes. */
  readonly folder?: string
  /** The port on 127.0.0.1; default: a free one. */
  readonly port?: number
  /** Path of a server.properties file. */
  readonly file?: string
  /** Kafka's broker settings, such as `{ 'num.partitions': '3' }`; they win over the file. */
  readonly properties?: Readonly<Record<string, string>>
  /** Lets listeners on other interfaces than loopback accept anyone. */
  readonly insecureAllowAnonymous?: boolean
}

export interface RunningBroker {
  /** `host:port`, for a client's bootstrap servers. */
  readonly bootstrapServers: string
  readonly port: number
  readonly clusterId: string
  /** Stops the broker in order; everything acknowledged is on disk. Removes a temporary folder. */
  close(): Promise<void>
}

/**
 * Starts a broker and resolves when it answers. Rejects with a BrokerError that says what is wrong and what to
 * do. Log lines go to stderr from level `warn` on; set `logger.level` in `properties` to change that.
 */
export async function startBroker(options: StartBrokerOptions = {}): Promise<RunningBroker> {
  const isTemporary = options.folder === undefined && options.file === undefined
  const folder = isTemporary
    ? mkdtempSync(join(tmpdir(), 'millrace-'))
    : options.folder === undefined
      ? undefined
      : resolve(options.folder)
  const remove = () => {
    if (isTemporary) rmSync(folder!, { recursive: true, force: true })
  }
  try {
    const config = configOf(options, folder)
    const broker = await Broker.start(config, { log: stderrLogger(config) })
    // A process that ends without `close` leaves no temporary folder behind, either.
    process.on('exit', remove)
    return running(broker, () => {
      process.off('exit', remove)
      remove()
    })
  } catch (error) {
    remove()
    throw error
  }
}

function configOf(options: StartBrokerOptions, folder: string | undefined) {
  const { file, port, properties, insecureAllowAnonymous } = options
  const listens = file === undefined || port !== undefined
  return loadBrokerConfig({
    ...(file === undefined ? {} : { file }),
    insecureAllowAnonymous: insecureAllowAnonymous === true,
    properties: {
      ...(folder === undefined
        ? {}
        : { 'log.dirs': join(folder, 'log'), 'metadata.dir': join(folder, 'metadata') }),
      ...(listens ? { listeners: `PLAINTEXT://127.0.0.1:${port ?? 0}` } : {}),
      'logger.level': 'warn',
      ...properties,
    },
  })
}

function stderrLogger(config: BrokerConfig): Logger {
  return createLogger({
    level: config.get('logger.level') as LogLevel,
    format: config.get('logger.format') as 'auto' | 'json' | 'text',
    write: line => void process.stderr.write(line),
  })
}

function running(broker: Broker, afterClose: () => void): RunningBroker {
  const { host, port } = broker.endpoints[0]!
  let closing: Promise<void> | undefined
  return {
    bootstrapServers: formatHostPort(host, port),
    port,
    clusterId: broker.clusterId,
    close: () => (closing ??= broker.close().finally(afterClose)),
  }
}
