/** `millrace stop`: asks the broker of these settings to stop in order, and waits for it. */
import { BrokerError } from '../base/errors.js'
import { UsageError } from './failure.js'
import { isRunning, pidFilePath, runningBroker } from './pid-file.js'
import { type SettingsOptions, settingsOf } from './settings.js'

export interface StopOptions extends SettingsOptions {
  readonly timeout: string
}

const POLL_MS = 50

/** Resolves when the broker has stopped. Rejects ERR_NOT_RUNNING or ERR_STOP_TIMEOUT. */
export async function stop(file: string | undefined, options: StopOptions): Promise<void> {
  const timeoutMs = millisecondsOf(options.timeout)
  // Which listeners are safe to open does not matter for stopping.
  const { metadataDir } = settingsOf(file, { ...options, insecureAllowAnonymous: true })
  const broker = runningBroker(metadataDir)
  if (broker === undefined) {
    throw new BrokerError(
      'ERR_NOT_RUNNING',
      `No broker runs with these settings: ${pidFilePath(metadataDir)} names no running process. ` +
        'Give the arguments that the broker was started with, in the same folder.',
    )
  }
  process.kill(broker.pid, 'SIGTERM')
  const deadline = performance.now() + timeoutMs
  while (isRunning(broker)) {
    if (performance.now() > deadline) {
      throw new BrokerError(
        'ERR_STOP_TIMEOUT',
        `The broker (process ${broker.pid}) has not stopped within ${options.timeout} s. It may ` +
          `still be flushing; \`kill ${broker.pid}\` stops it at once.`,
      )
    }
    await new Promise(resolve => setTimeout(resolve, POLL_MS))
  }
  console.log('Stopped.')
}

function millisecondsOf(seconds: string): number {
  if (/^[0-9]{1,6}$/.test(seconds)) return Number(seconds) * 1000
  throw new UsageError(`--timeout must be a number of seconds, not "${seconds}".`)
}
