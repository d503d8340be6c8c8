/**
 * Kafka's text checkpoints in the root of a log dir, one offset per partition:
 *
 *   0
 *   <number of entries>
 *   <topic> <partition> <offset>
 *
 * Read at start, written whole every few seconds and at shutdown.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { BrokerError, codeOf } from '../base/errors.js'
import { replaceFile } from './durable-file.js'

export const CHECKPOINT_FILES = {
  /** The first offset of each partition that may not be on disk. */
  recoveryPoint: 'recovery-point-offset-checkpoint',
  /** Only partitions whose start lies above their first segment's base. */
  logStart: 'log-start-offset-checkpoint',
  highWatermark: 'replication-offset-checkpoint',
} as const

export type CheckpointName = keyof typeof CHECKPOINT_FILES

export interface CheckpointEntry {
  readonly topic: string
  readonly partition: number
  readonly offset: bigint
}

const VERSION = '0'
const ENTRY = /^(\S+)\s+([0-9]{1,9})\s+(-?[0-9]{1,19})$/

export class CheckpointFile {
  readonly path: string
  /** The write under way; the next one waits, since both use the same temporary file. */
  #writing: Promise<void> = Promise.resolve()

  constructor(logDir: string, name: CheckpointName) {
    this.path = join(logDir, CHECKPOINT_FILES[name])
  }

  /** The entries; none if the file is missing or empty. Throws ERR_CHECKPOINT_MALFORMED. */
  read(): CheckpointEntry[] {
    try {
      return parseCheckpoint(readFileSync(this.path, 'utf8'), this.path)
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return []
      throw error
    }
  }

  /** Replaces the file by these entries, durably. Rejects with the file system's error. */
  write(entries: Iterable<CheckpointEntry>): Promise<void> {
    const content = formatCheckpoint(entries)
    const write = () => replaceFile(this.path, content)
    const done = this.#writing.then(write, write)
    this.#writing = done.catch(() => undefined)
    return done
  }
}

export function formatCheckpoint(entries: Iterable<CheckpointEntry>): string {
  const lines = [...entries].map(
    ({ topic, partition, offset }) => `${topic} ${partition} ${offset}\n`,
  )
  return `${VERSION}\n${lines.length}\n${lines.join('')}`
}

export function parseCheckpoint(text: string, path: string): CheckpointEntry[] {
  if (text === '') return []
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  const [version, count, ...rest] = lines.map(line => line.trim())
  if (version !== VERSION) throw malformed(path, 1, `version ${VERSION} was expected`)
  if (count === undefined || Number(count) !== rest.length) {
    throw malformed(path, 2, `${rest.length} entries follow, not the number announced`)
  }
  return rest.map((line, index) => {
    const match = ENTRY.exec(line)
    if (match === null) throw malformed(path, index + 3, 'it is not "topic partition offset"')
    return { topic: match[1]!, partition: Number(match[2]), offset: BigInt(match[3]!) }
  })
}

function malformed(path: string, line: number, why: string): BrokerError {
  return new BrokerError(
    'ERR_CHECKPOINT_MALFORMED',
    `${path}:${line}: the checkpoint is damaged: ${why}. Delete the file; the broker then ` +
      'recovers the partitions of this log dir from their segments.',
  )
}
