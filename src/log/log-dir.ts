/**
 * The log dirs at start: created, checked to be writable, and checked to belong to this broker and
 * to one cluster. Taking their `.lock` is done by the function given, which the data plane
 * supplies.
 */
import { realpathSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { BrokerError, codeOf, messageOf } from '../base/errors.js'
import { makeFolder } from '../base/folder.js'
import { randomUuid, type Uuid } from '../base/uuid.js'
import {
  META_PROPERTIES_FILE,
  readMetaProperties,
  writeMetaProperties,
  type MetaProperties,
} from './meta-properties.js'

export interface LogDir {
  /** Absolute. */
  readonly path: string
  readonly directoryId: Uuid
}

/** Takes the exclusive lock on a file, creating it, or throws with one clear sentence. */
export type LockFile = (path: string) => { release(): void }

export interface LogDirLock {
  release(): void
}

/** Log dirs that are locked but not yet known to be ours. */
export interface OpenedLogDirs {
  /** Those that can be used, in the order given. */
  readonly paths: readonly string[]
  /** Those that cannot, each with a sentence that says why. */
  readonly unusable: ReadonlyMap<string, string>
  /** The cluster id that the dirs bear; undefined when all are new. */
  readonly clusterId: string | undefined
  readonly metas: ReadonlyMap<string, MetaProperties | undefined>
  readonly lock: LogDirLock
}

/**
 * Creates and locks the dirs and reads whose they are. A dir that cannot be used is left out as
 * long as another one can, as in Kafka (KIP-112). Throws ERR_LOG_DIR_UNUSABLE if none can,
 * ERR_NODE_ID_MISMATCH, ERR_CLUSTER_ID_MISMATCH, ERR_LOG_DIR_TWICE, or what `lockFile` throws; then
 * nothing stays locked.
 */
export function openLogDirs(
  dirs: readonly string[],
  nodeId: number,
  lockFile: LockFile,
): OpenedLogDirs {
  const locks: { release(): void }[] = []
  const lock = { release: () => locks.splice(0).forEach(held => held.release()) }
  try {
    const { paths, unusable } = usableOf(dirs)
    refuseTwice(paths)
    for (const path of paths) locks.push(lockFile(join(path, '.lock')))
    const metas = new Map(paths.map(path => [path, readMetaProperties(path)]))
    return { paths, unusable, metas, clusterId: checkedClusterId(metas, nodeId), lock }
  } catch (error) {
    lock.release()
    throw error
  }
}

/**
 * Marks new dirs, and dirs of ZooKeeper clusters, as this broker's; gives each its directory id.
 */
export function claimLogDirs(opened: OpenedLogDirs, nodeId: number, clusterId: string): LogDir[] {
  const ids = new Map<Uuid, string>()
  return opened.paths.map(path => {
    const meta = opened.metas.get(path)
    const directoryId = meta?.directoryId ?? randomUuid()
    const other = ids.get(directoryId)
    if (other !== undefined) throw copiedDir(path, other)
    ids.set(directoryId, path)
    if (meta?.version !== 1 || meta.directoryId === undefined) {
      writeMetaProperties(path, { nodeId, clusterId, directoryId })
    }
    return { path, directoryId }
  })
}

function usableOf(dirs: readonly string[]): Pick<OpenedLogDirs, 'paths' | 'unusable'> {
  const paths: string[] = []
  const unusable = new Map<string, string>()
  let first: unknown
  for (const dir of dirs) {
    try {
      paths.push(createWritable(dir))
    } catch (error) {
      first ??= error
      unusable.set(resolve(dir), messageOf(error))
    }
  }
  if (paths.length === 0) throw first
  return { paths, unusable }
}

function createWritable(dir: string): string {
  const path = resolve(dir)
  const probe = join(path, `.probe-${randomUuid()}`)
  try {
    makeFolder(path)
    writeFileSync(probe, 'x')
    rmSync(probe)
    return path
  } catch (error) {
    throw new BrokerError('ERR_LOG_DIR_UNUSABLE', unusableText(path, error), { cause: error })
  }
}

function unusableText(path: string, error: unknown): string {
  const why: Readonly<Record<string, string>> = {
    EACCES: 'this user may not write to it',
    EPERM: 'this user may not write to it',
    EROFS: 'its file system is read-only',
    ENOSPC: 'the disk is full',
    EDQUOT: 'the disk quota is used up',
    ENOTDIR: 'a part of the path is a file',
    EEXIST: 'it is a file',
  }
  const reason = why[codeOf(error) ?? ''] ?? messageOf(error)
  const remedy = 'Correct that, or set log.dirs to another folder.'
  return `Cannot use the log dir ${path}: ${reason}. ${remedy}`
}

function refuseTwice(paths: readonly string[]): void {
  const seen = new Map<string, string>()
  for (const path of paths) {
    const real = realpathSync(path)
    const other = seen.get(real)
    if (other !== undefined) {
      throw new BrokerError(
        'ERR_LOG_DIR_TWICE',
        `The log dirs ${other} and ${path} are the same folder. Name it once in log.dirs.`,
      )
    }
    seen.set(real, path)
  }
}

function checkedClusterId(
  metas: ReadonlyMap<string, MetaProperties | undefined>,
  nodeId: number,
): string | undefined {
  let known: { id: string; path: string } | undefined
  for (const [path, meta] of metas) {
    if (meta === undefined) continue
    if (meta.nodeId !== nodeId) throw foreignNode(path, meta.nodeId, nodeId)
    if (meta.clusterId === undefined) continue
    if (known !== undefined && known.id !== meta.clusterId) {
      throw new BrokerError(
        'ERR_CLUSTER_ID_MISMATCH',
        `The log dir ${path} belongs to cluster ${meta.clusterId}, ${known.path} to cluster ` +
          `${known.id}. Set log.dirs to folders of one cluster.`,
      )
    }
    known = { id: meta.clusterId, path }
  }
  return known?.id
}

function foreignNode(path: string, stored: number, nodeId: number): BrokerError {
  return new BrokerError(
    'ERR_NODE_ID_MISMATCH',
    `The log dir ${path} belongs to node ${stored}, but node.id is ${nodeId}. Set ` +
      `node.id=${stored}, or set log.dirs to a folder of this node.`,
  )
}

function copiedDir(path: string, other: string): BrokerError {
  return new BrokerError(
    'ERR_LOG_DIR_TWICE',
    `The log dirs ${other} and ${path} have the same directory.id, so one is a copy of the ` +
      `other. Remove the copy, or delete its ${META_PROPERTIES_FILE} if both are wanted.`,
  )
}
