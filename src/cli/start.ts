/**
 * `millrace start`: starts a broker in this process, tells in a few lines how to use it, and stops it on a signal.
 * With --daemon the work is done by daemon.ts in another process.
 */
import { type BrokerError, messageOf } from '../base/errors.js'
import { Broker } from '../broker.js'
import { formatHostPort } from '../config/listeners.js'
import { EXIT_FAILED } from './failure.js'
import { removePidFile, writePidFile } from './pid-file.js'
import { type SettingsOptions, settingsOf } from './settings.js'
import { version } from './version.js'

export interface StartOptions extends SettingsOptions {
  readonly daemon?: boolean
}

/** Resolves once the broker answers; it then runs until a signal. Rejects with one clear sentence. */
export async function start(file: string | undefined, options: StartOptions): Promise<void> {
  const config = settingsOf(file, options)
  if (options.daemon === true) {
    const { startDaemon } = await import('./daemon.js')
    await startDaemon(config.metadataDir)
    return
  }
  const startedMs = performance.now()
  const stopSignal = firstStopSignal()
  const broker = await Broker.start(config, { onFatal: error => end(config.metadataDir, error) })
  writePidFile(config.metadataDir)
  void stopSignal.then(() => stop(broker))
  printReady(broker, Math.round(performance.now() - startedMs))
  process.send?.('ready')
}

/**
 * Resolves with the first signal to stop, also one that arrives during the start; a second one ends the process at
 * once. The listeners stay for good: a signal must at no time find none.
 */
function firstStopSignal(): Promise<NodeJS.Signals> {
  return new Promise(resolve => {
    let isStopping = false
    const onSignal = (signal: NodeJS.Signals) => {
      if (isStopping) {
        console.error(`Stopping at once on a second ${signal}; the next start checks the logs.`)
        process.exit(EXIT_FAILED)
      }
      isStopping = true
      console.log(`Stopping on ${signal}. A second signal stops at once.`)
      resolve(signal)
    }
    process.on('SIGTERM', onSignal).on('SIGINT', onSignal)
  })
}

/** Without an orderly stop, which would have to write to what has failed. */
function end(metadataDir: string, error: BrokerError): never {
  console.error(error.message)
  removePidFile(metadataDir)
  process.exit(EXIT_FAILED)
}

async function stop(broker: Broker): Promise<void> {
  let exitCode = 0
  try {
    await broker.close()
  } catch (error) {
    console.error(messageOf(error))
    exitCode = EXIT_FAILED
  }
  removePidFile(broker.config.metadataDir)
  process.exit(exitCode)
}

function printReady(broker: Broker, tookMs: number): void {
  const { config, endpoints } = broker
  const first = endpoints[0]!
  const server = formatHostPort(first.host, first.port)
  const listeners = endpoints.map(
    ({ name, host, port }) => `${name}://${formatHostPort(host, port)}`,
  )
  const lines = [
    `Millrace ${version()} is ready after ${tookMs} ms.`,
    `  Listens on  ${listeners.join(', ')}`,
    `  Data        ${config.logDirs.join(', ')} (metadata: ${config.metadataDir})`,
    `  Try it      echo hello | kcat -b ${server} -t test -P`,
    `              kcat -b ${server} -t test -C -e`,
    'Ctrl-C stops it.',
  ]
  for (const { key, effect } of config.withoutEffect)
    lines.splice(3, 0, `  Note        ${key}: ${effect}`)
  console.log(lines.join('\n'))
}
