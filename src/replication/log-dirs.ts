/**
 * The log dirs of a running broker: whose they are, which partition lies where, what they remember from the last
 * run, and which have failed. Files and folders are read and written by src/log; this keeps the state.
 */
import { resolve } from 'node:path'
import { BrokerError, codeOf } from '../base/errors.js'
import { NativeErrorCode } from '../binding/errors.js'
import type { NativeAddon } from '../binding/native-addon.js'
import type { BrokerConfig } from '../config/broker-config.js'
import {
  CheckpointFile,
  type CheckpointEntry,
  type CheckpointName,
} from '../log/checkpoint-file.js'
import { takeCleanShutdownMarker, writeCleanShutdownMarker } from '../log/clean-shutdown.js'
import { type OpenedLogDirs, claimLogDirs, openLogDirs } from '../log/log-dir.js'
import {
  type PartitionDirectory,
  createPartitionDirectory,
  leastLoadedLogDir,
  renameForDeletion,
  scanLogDir,
  setAsideAsStray,
} from '../log/partition-directories.js'
import { writePartitionMetadata } from '../log/partition-metadata.js'
import type { Topic } from '../metadata/topic.js'
import type { DeletedFolders } from './deleted-folders.js'
import type { LogPlacement } from './topic-lifecycle.js'

/** A partition's folder, and what its log dir remembers of it. */
export interface KnownPartition extends PartitionDirectory {
  readonly logDir: string
  readonly cleanShutdown: boolean
  readonly recoveryPoint: bigint
  readonly logStartOffset: bigint
}

export class LogDirs implements LogPlacement {
  readonly #config: BrokerConfig
  readonly #opened: OpenedLogDirs
  readonly #deletedFolders: DeletedFolders
  readonly #checkpoints = new Map<string, CheckpointFile>()
  /** The folder of each partition, by `topic-partition`, and its log dir. */
  readonly #folders = new Map<string, { readonly path: string; readonly logDir: string }>()
  readonly #partitionCounts = new Map<string, number>()
  readonly #failed = new Set<string>()
  /** Log dirs whose next start must check its logs, although this run ends in order. */
  readonly #unclean = new Set<string>()

  private constructor(config: BrokerConfig, opened: OpenedLogDirs, deletedFolders: DeletedFolders) {
    this.#config = config
    this.#opened = opened
    this.#deletedFolders = deletedFolders
    for (const path of opened.paths) this.#partitionCounts.set(path, 0)
    for (const path of opened.unusable.keys()) this.#failed.add(path)
  }

  /** Creates, checks and locks the log dirs. Throws as openLogDirs, or ERR_LOG_DIR_LOCKED. */
  static open(config: BrokerConfig, addon: NativeAddon, deletedFolders: DeletedFolders): LogDirs {
    const opened = openLogDirs(config.logDirs, config.nodeId, path => lock(path, addon))
    return new LogDirs(config, opened, deletedFolders)
  }

  /** Those that could be used at the start. */
  get paths(): readonly string[] {
    return this.#opened.paths
  }

  /** Those that could not, each with the reason. */
  get unusable(): ReadonlyMap<string, string> {
    return this.#opened.unusable
  }

  /** All of log.dirs, in their order. */
  list(): { path: string; isOnline: boolean; isCordoned: boolean }[] {
    const paths = this.#config.logDirs.map(dir => resolve(dir))
    return paths.map(path => ({
      path,
      isOnline: !this.#failed.has(path),
      isCordoned: this.#isCordoned(path),
    }))
  }

  /** No log dir takes new partitions, although some are online: cordoned.log.dirs names them all (KIP-1066). */
  get isCordoned(): boolean {
    const online = this.onlinePaths()
    return online.length > 0 && online.every(path => this.#isCordoned(path))
  }

  /** A failed dir may hold partitions that seem to be missing. */
  get hasFailed(): boolean {
    return this.#failed.size > 0
  }

  /** The cluster id the dirs bear already; undefined when all are new. */
  get clusterId(): string | undefined {
    return this.#opened.clusterId
  }

  /** Marks new dirs as this broker's. */
  claim(nodeId: number, clusterId: string): void {
    claimLogDirs(this.#opened, nodeId, clusterId)
  }

  /**
   * Finds the partitions of all dirs with what the last run left for them, and takes the clean-shutdown markers
   * away. Folders of deleted topics are handed on for removal.
   */
  scan(): KnownPartition[] {
    return this.paths.flatMap(logDir => {
      const cleanShutdown = takeCleanShutdownMarker(logDir)
      const { live, deleted } = scanLogDir(logDir)
      const recoveryPoints = this.#read(logDir, 'recoveryPoint')
      const logStarts = this.#read(logDir, 'logStart')
      for (const path of deleted) this.#deletedFolders.add(path)
      for (const { topic, partition, path } of live) this.#place(topic, partition, path, logDir)
      return live.map(folder => {
        const key = keyOf(folder.topic, folder.partition)
        return {
          ...folder,
          logDir,
          cleanShutdown,
          recoveryPoint: recoveryPoints.get(key) ?? 0n,
          logStartOffset: logStarts.get(key) ?? 0n,
        }
      })
    })
  }

  async prepare({ name, topicId }: Topic, partition: number): Promise<string> {
    const online = this.onlinePaths()
    // All of them cordoned: only a manual assignment comes here, and somewhere it must go.
    const open = this.isCordoned ? online : online.filter(path => !this.#isCordoned(path))
    const logDir = leastLoadedLogDir(new Map(open.map(path => [path, this.#partitionsOf(path)])))
    const path = createPartitionDirectory(logDir, name, partition)
    this.#place(name, partition, path, logDir)
    await writePartitionMetadata(path, topicId)
    return logDir
  }

  async discard(topic: string, partition: number, delayMs: number): Promise<void> {
    const folder = this.#displace(topic, partition)
    // A failed dir is not touched: when it is back, the folder belongs to no known topic and is set aside.
    if (folder === undefined || this.#failed.has(folder.logDir)) return
    const renamed = await renameForDeletion(folder.path, topic, partition)
    if (renamed !== undefined) this.#deletedFolders.add(renamed, delayMs)
  }

  /** Renames a folder that belongs to no known topic; resolves to its new path. */
  setAside({ topic, partition, path }: PartitionDirectory): Promise<string> {
    this.#displace(topic, partition)
    return setAsideAsStray(path, topic, partition)
  }

  /** A write or sync failed there: nothing is written to it any more, and its partitions are offline. */
  markFailed(logDir: string): void {
    this.#failed.add(logDir)
  }

  /** A log in it could not be opened: its next start must not trust a clean stop. */
  markUnclean(logDir: string): void {
    this.#unclean.add(logDir)
  }

  onlinePaths(): readonly string[] {
    return this.paths.filter(path => !this.#failed.has(path))
  }

  /** Replaces a checkpoint file of a log dir, durably. */
  writeCheckpoint(
    logDir: string,
    name: CheckpointName,
    entries: readonly CheckpointEntry[],
  ): Promise<void> {
    return this.#checkpoint(logDir, name).write(entries)
  }

  /** The last thing of a clean stop. */
  writeCleanMarkers(): void {
    for (const path of this.onlinePaths()) {
      if (!this.#unclean.has(path)) writeCleanShutdownMarker(path)
    }
  }

  unlock(): void {
    this.#opened.lock.release()
  }

  #isCordoned(path: string): boolean {
    const cordoned = this.#config.get('cordoned.log.dirs')
    return cordoned.some(dir => dir === '*' || resolve(dir) === path)
  }

  #partitionsOf(path: string): number {
    return this.#partitionCounts.get(path)!
  }

  #read(logDir: string, name: CheckpointName): Map<string, bigint> {
    const entries = this.#checkpoint(logDir, name).read()
    return new Map(entries.map(({ topic, partition, offset }) => [keyOf(topic, partition), offset]))
  }

  #checkpoint(logDir: string, name: CheckpointName): CheckpointFile {
    const key = `${name} ${logDir}`
    const known = this.#checkpoints.get(key) ?? new CheckpointFile(logDir, name)
    this.#checkpoints.set(key, known)
    return known
  }

  #place(topic: string, partition: number, path: string, logDir: string): void {
    this.#folders.set(keyOf(topic, partition), { path, logDir })
    this.#partitionCounts.set(logDir, this.#partitionsOf(logDir) + 1)
  }

  #displace(topic: string, partition: number) {
    const key = keyOf(topic, partition)
    const folder = this.#folders.get(key)
    if (folder === undefined) return undefined
    this.#folders.delete(key)
    this.#partitionCounts.set(folder.logDir, this.#partitionsOf(folder.logDir) - 1)
    return folder
  }
}

function lock(path: string, addon: NativeAddon): { release(): void } {
  try {
    const held = addon.lockFile(path)
    return { release: () => addon.unlockFile(held) }
  } catch (error) {
    if (codeOf(error) !== NativeErrorCode.locked) throw error
    throw new BrokerError(
      'ERR_LOG_DIR_LOCKED',
      `Another broker uses the data folder ${path.replace(/\/\.lock$/, '')}. Stop it, or set ` +
        'log.dirs to another folder.',
      { cause: error },
    )
  }
}

function keyOf(topic: string, partition: number): string {
  return `${topic}-${partition}`
}
