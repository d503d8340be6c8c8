/**
 * Keeps two brokers of one machine out of one metadata folder: a file that names its owner's
 * process and the moment that process began, so that a reused process id is not mistaken for a
 * living owner.
 */
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BrokerError, codeOf } from '../base/errors.js'
import { randomUuid } from '../base/uuid.js'

export interface StoreLock {
  /** Gives the folder free. Call once. */
  release(): void
}

const LOCK_FILE = 'broker.lock'

/** Throws ERR_METADATA_LOCKED when a live process, this one included, holds the folder. */
export function lockStore(dir: string): StoreLock {
  const path = join(dir, LOCK_FILE)
  const mine = join(dir, `${LOCK_FILE}.${randomUuid()}`)
  writeFileSync(mine, `${process.pid} ${startTimeOf(process.pid) ?? ''}\n`)
  try {
    for (let attempt = 0; attempt < 10; attempt++) {
      if (tryLink(mine, path)) return { release: () => rmSync(path, { force: true }) }
      removeIfStale(path, dir)
    }
  } finally {
    rmSync(mine, { force: true })
  }
  throw lockedError(dir, 'another process')
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

function removeIfStale(path: string, dir: string): void {
  const seen = readIfThere(path)
  if (seen === undefined) return
  const [pid = '', started = ''] = seen.trim().split(' ')
  const alive = /^[0-9]+$/.test(pid) && startTimeOf(Number(pid)) === started && started !== ''
  if (alive) throw lockedError(dir, `process ${pid}`)
  // Moved aside first: if another starter was quicker, what we moved is its lock, and goes back.
  const aside = `${path}.${randomUuid()}`
  try {
    renameSync(path, aside)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return
    throw error
  }
  if (readIfThere(aside) !== seen) tryLink(aside, path)
  rmSync(aside, { force: true })
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/** When the process began, in clock ticks since boot; undefined when there is no such process. */
function startTimeOf(pid: number): string | undefined {
  const stat = readIfThere(`/proc/${pid}/stat`)
  // The command's name, in parentheses, may hold blanks; field 22 is the 20th behind it.
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
}

function lockedError(dir: string, owner: string): BrokerError {
  return new BrokerError(
    'ERR_METADATA_LOCKED',
    `The metadata folder ${dir} is in use by ${owner}. Stop that broker, or set metadata.dir and ` +
      'log.dirs to folders of their own.',
  )
}
