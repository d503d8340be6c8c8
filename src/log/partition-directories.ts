/**
 * The partition folders of the log dirs: finding them at start, choosing where a new one goes, and
 * renaming and removing those of deleted topics. Opening the logs in them is the data plane's.
 */
import { existsSync, readdirSync, renameSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { BrokerError } from '../base/errors.js'
import { makeFolder } from '../base/folder.js'
import { randomUuid, uuidToBytes, type Uuid } from '../base/uuid.js'
import { syncFolder, syncFolderSync } from './durable-file.js'
import {
  deletedFolderName,
  folderName,
  parseFolderName,
  strayFolderName,
} from './partition-folder-name.js'
import { readPartitionMetadata } from './partition-metadata.js'

export interface PartitionDirectory {
  readonly topic: string
  readonly partition: number
  readonly path: string
  /** Undefined where Kafka before 2.8 made the folder. */
  readonly topicId: Uuid | undefined
}

export interface ScannedLogDir {
  readonly live: readonly PartitionDirectory[]
  /** Folders of deleted topics, to be removed. */
  readonly deleted: readonly string[]
  /** Unfinished moves between log dirs, and folders without a topic; kept, not served. */
  readonly setAside: readonly string[]
}

/** Folders that Kafka itself keeps in a log dir and that hold no partition of a topic. */
const KAFKAS_OWN = new Set(['remote-log-index-cache', '__cluster_metadata-0'])

/**
 * Reads the folders of a log dir. Throws ERR_LOG_DIR_FOREIGN_FOLDER for one that Kafka would refuse
 * too.
 */
export function scanLogDir(logDir: string): ScannedLogDir {
  const live: PartitionDirectory[] = []
  const deleted: string[] = []
  const setAside: string[] = []
  for (const entry of readdirSync(logDir, { withFileTypes: true })) {
    if (!entry.isDirectory() || KAFKAS_OWN.has(entry.name)) continue
    const path = join(logDir, entry.name)
    const folder = parseFolderName(entry.name)
    if (folder === undefined) throw foreignFolder(path)
    if (folder.kind === 'deleted') deleted.push(path)
    else if (folder.kind !== 'live') setAside.push(path)
    else {
      const { topic, partition } = folder
      live.push({ topic, partition, path, topicId: readPartitionMetadata(path) })
    }
  }
  return { live, deleted, setAside }
}

/** The log dir with the fewest partitions, the first of them on a tie: Kafka's rule. */
export function leastLoadedLogDir(counts: ReadonlyMap<string, number>): string {
  let best: string | undefined
  for (const [dir, count] of counts) {
    if (best === undefined || count < counts.get(best)!) best = dir
  }
  if (best === undefined) {
    throw new BrokerError(
      'ERR_LOG_DIR_OFFLINE',
      'No log dir is left to create a partition in. Look for disk errors in the log, then restart.',
    )
  }
  return best
}

/** Creates the folder, durably, and returns its path; one that exists stays as it is. */
export function createPartitionDirectory(logDir: string, topic: string, partition: number): string {
  const path = join(logDir, folderName(topic, partition))
  makeFolder(path)
  syncFolderSync(logDir)
  return path
}

/**
 * Renames the folder of a deleted partition, durably, so that its name is free and a crash cannot
 * bring it back. Returns the new path; undefined when there is no such folder. The files stay
 * readable meanwhile.
 */
export async function renameForDeletion(
  path: string,
  topic: string,
  partition: number,
): Promise<string | undefined> {
  if (!existsSync(path)) return undefined
  return renameTo(path, deletedFolderName(topic, partition, randomHex()))
}

/** Renames a folder that belongs to no known topic; it is kept for the operator. */
export async function setAsideAsStray(
  path: string,
  topic: string,
  partition: number,
): Promise<string> {
  return renameTo(path, strayFolderName(topic, partition, randomHex()))
}

/** Removes the folder of a deleted partition and all in it. */
export function removeDeletedDirectory(path: string): Promise<void> {
  return rm(path, { recursive: true, force: true })
}

async function renameTo(path: string, name: string): Promise<string> {
  const renamed = join(dirname(path), name)
  renameSync(path, renamed)
  await syncFolder(dirname(path))
  return renamed
}

function randomHex(): string {
  return uuidToBytes(randomUuid()).toString('hex')
}

function foreignFolder(path: string): BrokerError {
  return new BrokerError(
    'ERR_LOG_DIR_FOREIGN_FOLDER',
    `${path} is not the folder of a partition. A log dir may hold nothing else: move the folder ` +
      'away, or point log.dirs at a folder of its own (below the mount point ' +
      'of a disk, not at it).',
  )
}
