/**
 * `.kafka_cleanshutdown` in the root of a log dir: written as the last thing of a clean stop, and
 * taken away at start before anything else, so that a crash during the start is an unclean stop
 * too. Its presence lets the start skip recovery.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf } from '../base/errors.js'
import { removeFileSync, replaceFileSync } from './durable-file.js'

const FILE = '.kafka_cleanshutdown'

/**
 * Whether the log dir was left cleanly; removes the marker, durably. Any content counts, as in
 * Kafka.
 */
export function takeCleanShutdownMarker(logDir: string): boolean {
  const path = join(logDir, FILE)
  try {
    readFileSync(path)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false
    throw error
  }
  removeFileSync(path)
  return true
}

/** Call once all logs are flushed and all checkpoints written. Durable on return. */
export function writeCleanShutdownMarker(logDir: string, brokerEpoch = -1n): void {
  replaceFileSync(join(logDir, FILE), `{"version":0,"brokerEpoch":${brokerEpoch}}`)
}
