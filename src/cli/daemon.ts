/**
 * `millrace start --daemon`: starts the same command again as a process of its own, whose output goes to
 * `millrace.log` in the metadata dir, and returns when that broker answers.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { BrokerError, messageOf } from '../base/errors.js'
import { makeFolder } from '../base/folder.js'

/** Resolves when the broker is ready. Rejects ERR_DAEMON with what the broker said. */
export async function startDaemon(metadataDir: string): Promise<void> {
  const logFile = join(metadataDir, 'millrace.log')
  const logFd = openLog(metadataDir, logFile)
  const before = statSync(logFile).size
  const args = process.argv.slice(1).filter(argument => argument !== '--daemon')
  const child = spawn(process.execPath, [...process.execArgv, ...args], {
    detached: true,
    stdio: ['ignore', logFd, logFd, 'ipc'],
  })
  closeSync(logFd)
  const failure = await readyOrFailure(child)
  if (failure !== null) {
    const said = readFileSync(logFile).subarray(before).toString('utf8').trim()
    throw new BrokerError('ERR_DAEMON', said === '' ? `${failure} See ${logFile}.` : said)
  }
  child.disconnect()
  child.unref()
  console.log(`Millrace runs in the background as process ${child.pid}; its log is ${logFile}.`)
  console.log('`millrace stop` with the same arguments stops it.')
}

function openLog(metadataDir: string, logFile: string): number {
  try {
    makeFolder(metadataDir)
    return openSync(logFile, 'a')
  } catch (error) {
    throw new BrokerError(
      'ERR_DAEMON',
      `Cannot write the log file ${logFile}: ${messageOf(error)}. Make the folder writable.`,
      { cause: error },
    )
  }
}

/** Null: the broker said that it is ready. */
function readyOrFailure(child: ChildProcess): Promise<string | null> {
  return new Promise(resolve => {
    child.once('message', () => resolve(null))
    child.once('error', error => resolve(`The broker could not be started: ${error.message}.`))
    child.once('exit', (code, signal) =>
      resolve(`The broker ended before it was ready (${signal ?? `exit code ${code}`}).`),
    )
  })
}
