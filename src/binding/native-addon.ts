/**
 * The contract between the control plane and the native data plane: every function that the addon exports. Nothing
 * else in src/ touches the .node file. test/binding compares this list with the addon's exports.
 *
 * Rules for all of them: arguments are checked again in C++ (TypeError for a wrong type, ERR_INVALID_ARGUMENT for a
 * wrong value); a closed handle gives ERR_CLOSED; failures are errors with `code` (ERR_…, see errors.ts) and a
 * sentence. Functions that return a promise work on a thread of libuv's pool and never block the JavaScript thread;
 * the others return within microseconds. Nothing is called back after `close` has settled.
 */

declare const dataPlaneBrand: unique symbol
/** One data plane: its reactors, logs and committer. Closed by `close`; the finaliser closes one that was forgotten. */
export interface DataPlaneHandle {
  readonly [dataPlaneBrand]: true
}

declare const fileLockBrand: unique symbol
/** An exclusive lock on a file, held until `unlockFile` or the end of the process. */
export interface FileLockHandle {
  readonly [fileLockBrand]: true
}

/** How many connections there may be; those that are open stay. */
export interface ConnectionLimits {
  connectionsMax: number
  connectionsPerIpMax: number
  /** Addresses (no host names) with a limit of their own. */
  connectionsPerIpOverrides: Record<string, number>
}

/** Limits and sizes of one data plane; names follow Kafka's settings. All fields are required. */
export interface DataPlaneOptions extends ConnectionLimits {
  nodeId: number
  /** Reactor threads. */
  reactors: number
  requestBytesMax: number
  /** Milliseconds; 0 or less: never. */
  connectionsMaxIdleMs: number
  /** Over how many windows of which length the rates of quotas are measured. */
  quotaWindowNum: number
  quotaWindowMs: number
  /** Bytes; -1: as the operating system has it. */
  sendBufferBytes: number
  receiveBufferBytes: number
  backlog: number
  fetchBytesMax: number
  fetchSessionSlotsMax: number
}

/** What happens inside the data plane, told on the JavaScript thread. */
export interface DataPlaneEvents {
  /** Requests wait: call `takeRequests` until it returns an empty list. */
  onRequests(): void
  /** A connection that had sent a control request is gone. */
  onConnectionClosed(connection: bigint): void
  /** A write or sync failed: the log dir serves no more appends until the broker is started again. */
  onLogDirFailed(path: string, why: string): void
  /** level: 0 debug, 1 info, 2 warn, 3 error. */
  onLogLine(level: number, message: string): void
  /**
   * An internal topic's partition was synced up to `flushedOffset` (exclusive), or, with `ok` false, its log dir failed
   * and it never will be. Follows `appendBatch` calls that were not durable at once.
   */
  onFlushed(topic: string, partition: number, flushedOffset: bigint, ok: boolean): void
}

/** What happens to the connection once a response is on its way. */
export interface AfterResponse {
  closeAfter: boolean
  /** For so long nothing is read from it. */
  throttleMs: number
}

/** The limits of one entity of client quotas; see src/quotas. */
export interface ByteRateQuota {
  /** null: the default; undefined: the entity has no such part. */
  user: string | null | undefined
  clientId: string | null | undefined
  /** Bytes per second; 0: no such limit. */
  producerByteRate: number
  consumerByteRate: number
}

/** All that the data plane enforces of client quotas. */
export interface EnforcedQuotas {
  byteRates: ByteRateQuota[]
  /** Connections per second from an address of its own limit. */
  connectionRates: Record<string, number>
  /** The same for every other address; 0: no limit. */
  connectionRateDefault: number
}

/** A request that is not Produce or Fetch. */
export interface ControlRequest {
  connection: bigint
  /** Where the response belongs among the responses of the connection. */
  place: bigint
  /** The number given to `listen` for the listener that the connection came in by. */
  listener: number
  /** "127.0.0.1:40312" */
  peer: string
  /** Request header and body. Owned by the receiver. */
  frame: Buffer
}

/** Settings of a log, derived from topic, broker and default values. Numbers above 2^53 are given as they round. */
export interface LogSettings {
  segmentBytes: number
  segmentMs: number
  segmentJitterMs: number
  segmentIndexBytes: number
  indexIntervalBytes: number
  maxMessageBytes: number
  logAppendTime: boolean
  timestampBeforeMaxMs: number
  timestampAfterMaxMs: number
  fileDeleteDelayMs: number
  flushMessages: number
  /** Milliseconds that a record may be in the page cache only; to the second. */
  flushMs: number
  producerIdExpirationMs: number
  compacted: boolean
  acksAllFlush: 'auto' | 'always' | 'never'
}

export interface PartitionSpec {
  topic: string
  /** 16 bytes. */
  topicId: Buffer
  partition: number
  /** A path given to `addLogDir`. */
  logDir: string
  leaderEpoch: number
  /** The dir had a clean-shutdown marker: nothing is scanned. */
  cleanShutdown: boolean
  recoveryPoint: bigint
  logStartOffset: bigint
  settings: LogSettings
}

/** The result for each partition of `openPartitions`, in order: null when it serves. */
export type OpenFailure = { code: string; message: string } | null

export interface PartitionState {
  logStartOffset: bigint
  highWatermark: bigint
  lastStableOffset: bigint
  logEndOffset: bigint
  /** Everything below is on disk: the recovery point. */
  flushedOffset: bigint
  leaderEpoch: number
  sizeBytes: number
  segmentCount: number
  /** Its log dir failed. */
  offline: boolean
}

export interface AppendedBatch {
  baseOffset: bigint
  lastOffset: bigint
  durable: boolean
}

export interface EpochEndOffset {
  /** -1: unknown. */
  leaderEpoch: number
  endOffset: bigint
}

/** A segment as retention looks at it. */
export interface SegmentInfo {
  baseOffset: bigint
  sizeBytes: number
  /** Of its records; when it was last written if they have none. */
  largestTimestampMs: number
}

/** What a log remembers of an idempotent producer (KIP-664); fields are named as in DescribeProducers. */
export interface ActiveProducer {
  producerId: bigint
  producerEpoch: number
  /** -1: none. */
  lastSequence: number
  /** Largest timestamp of its last batch, in milliseconds. */
  lastTimestamp: bigint
  /** -1: it wrote no transaction marker. */
  coordinatorEpoch: number
  /** -1n: no open transaction. */
  currentTxnStartOffset: bigint
}

export interface Counters {
  connectionsOpen: number
  connectionsAccepted: number
  connectionsRefused: number
  badFrames: number
  bytesReceived: number
  bytesSent: number
}

export interface NativeAddon {
  /** Raised with every incompatible change; `load` refuses another one. */
  readonly interfaceVersion: number

  /** Starts the reactors. Nothing listens yet. Throws ERR_IO. */
  createDataPlane(options: DataPlaneOptions, events: DataPlaneEvents): DataPlaneHandle
  /** Binds and listens; port 0 lets the system choose. Returns the port. Throws ERR_IO (with `errno`). */
  listen(dataPlane: DataPlaneHandle, host: string, port: number, listener: number): number

  /** Changes the limits for connections that come from now on. */
  setConnectionLimits(dataPlane: DataPlaneHandle, limits: ConnectionLimits): void

  /** Replaces all quotas; what clients used so far still counts. */
  setQuotas(dataPlane: DataPlaneHandle, quotas: EnforcedQuotas): void

  /** Names a log dir, before partitions in it are opened. */
  addLogDir(dataPlane: DataPlaneHandle, path: string): void
  /** Opens and recovers logs, several at a time, and puts them into service as leader. */
  openPartitions(dataPlane: DataPlaneHandle, partitions: PartitionSpec[]): Promise<OpenFailure[]>
  /** Takes a partition out of service without flushing; its folder may then be renamed. Rejects ERR_NOT_FOUND. */
  removePartition(dataPlane: DataPlaneHandle, topic: string, partition: number): Promise<void>
  /** Gives all partitions of a topic new settings. Throws ERR_NOT_FOUND. */
  updateSettings(dataPlane: DataPlaneHandle, topic: string, settings: LogSettings): void
  /** Undefined: no such partition here. */
  partitionState(
    dataPlane: DataPlaneHandle,
    topic: string,
    partition: number,
  ): PartitionState | undefined

  /**
   * The first whole batch between `from` and `below` (exclusive) whose largest timestamp is at least `timestamp`;
   * null: none. The caller looks for the record inside. Rejects ERR_NOT_FOUND, ERR_IO, ERR_CORRUPT.
   */
  batchByTimestamp(
    dataPlane: DataPlaneHandle,
    topic: string,
    partition: number,
    timestamp: bigint,
    from: bigint,
    below: bigint,
  ): Promise<Buffer | null>
  /** The first batch that holds the largest timestamp of the log; null: an empty log. Rejects like the above. */
  batchWithMaxTimestamp(
    dataPlane: DataPlaneHandle,
    topic: string,
    partition: number,
  ): Promise<Buffer | null>
  /** Where an epoch ends (KIP-101, KIP-279). Undefined: no such partition. */
  endOffsetForEpoch(
    dataPlane: DataPlaneHandle,
    topic: string,
    partition: number,
    leaderEpoch: number,
  ): EpochEndOffset | undefined
  /** The epoch that wrote an offset; -1: unknown. Undefined: no such partition. */
  epochForOffset(
    dataPlane: DataPlaneHandle,
    topic: string,
    partition: number,
    offset: bigint,
  ): number | undefined

  /** The idempotent producers that the partition remembers. Undefined: no such partition. */
  activeProducers(
    dataPlane: DataPlaneHandle,
    topic: string,
    partition: number,
  ): ActiveProducer[] | undefined

  /**
   * Appends one whole batch of magic 2 that the broker made itself, as leader; base offset and leader epoch are written
   * into `batch`. Readers see it when this returns; unless `durable`, onFlushed follows. Throws ERR_NOT_FOUND,
   * ERR_INVALID_ARGUMENT (too large, or no valid batch), ERR_IO (the log dir failed or is full).
   */
  appendBatch(
    dataPlane: DataPlaneHandle,
    topic: string,
    partition: number,
    batch: Buffer,
  ): AppendedBatch
  /**
   * Batches from the one that holds `offset` on, about `bytesMax`, the first whole and the last perhaps cut off; empty
   * at the log's end. Rejects ERR_NOT_FOUND, ERR_INVALID_ARGUMENT (the offset is outside of the log), ERR_IO.
   */
  readBatches(
    dataPlane: DataPlaneHandle,
    topic: string,
    partition: number,
    offset: bigint,
    bytesMax: number,
  ): Promise<Buffer>

  /** What the segments of a log hold, the active one last. Rejects ERR_NOT_FOUND, ERR_IO, ERR_CLOSED. */
  segments(dataPlane: DataPlaneHandle, topic: string, partition: number): Promise<SegmentInfo[]>
  /**
   * Moves the log start to `offset` (negative: to the high watermark) and removes the segments below it; resolves with
   * the log start. Rejects ERR_INVALID_ARGUMENT above the high watermark, ERR_NOT_FOUND, ERR_IO, ERR_CLOSED.
   */
  deleteRecords(
    dataPlane: DataPlaneHandle,
    topic: string,
    partition: number,
    offset: bigint,
  ): Promise<bigint>
  /** As deleteRecords; at the log end the active segment goes too, and a new one is begun. */
  deleteSegments(
    dataPlane: DataPlaneHandle,
    topic: string,
    partition: number,
    offset: bigint,
    nowMs: number,
  ): Promise<bigint>

  /** Moves out the control requests that wait, at most 256 a call. */
  takeRequests(dataPlane: DataPlaneHandle): ControlRequest[]
  /**
   * Answers a control request. `frame` holds response header and body without the size in front; it is lent until the
   * call returns. null: no response bytes. Answers for closed connections are dropped.
   */
  respond(
    dataPlane: DataPlaneHandle,
    connection: bigint,
    place: bigint,
    frame: Buffer | null,
    after: AfterResponse,
  ): void
  closeConnection(dataPlane: DataPlaneHandle, connection: bigint, reason: string): void

  counters(dataPlane: DataPlaneHandle): Counters

  /** Stops listening and reading; resolves true when every taken request was answered, false at the deadline. */
  drain(dataPlane: DataPlaneHandle, timeoutMs: number): Promise<boolean>
  /** Flushes and closes all logs. Rejects with the first failure after closing the rest. */
  closeLogs(dataPlane: DataPlaneHandle): Promise<void>
  /** Closes connections, stops threads, frees memory. Logs still open are abandoned unflushed, as at a crash. */
  close(dataPlane: DataPlaneHandle): Promise<void>

  /** Takes an exclusive lock, making the file if it is absent. Throws ERR_LOCKED if another process has it, ERR_IO. */
  lockFile(path: string): FileLockHandle
  unlockFile(lock: FileLockHandle): void
}
