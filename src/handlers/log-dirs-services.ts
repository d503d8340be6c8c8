/** The log dirs of this broker as DescribeLogDirs tells of them. */
export interface LogDirsView {
  /** In the order of log.dirs. */
  list(): readonly LogDirView[]
  /** Bytes of the volume that a dir lies on. Rejects if the file system cannot tell. */
  volume(path: string): Promise<VolumeSpace>
  /** Every log that is served. */
  logs(): Iterable<PlacedLog>
}

export interface LogDirView {
  /** Absolute. */
  readonly path: string
  /** False after it failed, at the start or later. */
  readonly isOnline: boolean
  /** Takes no new partitions (cordoned.log.dirs, KIP-1066). */
  readonly isCordoned: boolean
}

export interface VolumeSpace {
  readonly totalBytes: bigint
  /** Free for a user without privileges. */
  readonly usableBytes: bigint
}

export interface PlacedLog {
  readonly topic: string
  readonly partition: number
  readonly logDir: string
  readonly sizeBytes: number
}
