/** Options that make a small data plane, and the closed-over events of it. */
import type {
  ConnectionLimits,
  DataPlaneEvents,
  DataPlaneOptions,
  LogSettings,
  PartitionSpec,
} from '../../src/binding/native-addon.js'

export const LIMITS: ConnectionLimits = {
  connectionsMax: 1000,
  connectionsPerIpMax: 1000,
  connectionsPerIpOverrides: {},
}

export const OPTIONS: DataPlaneOptions = {
  nodeId: 1,
  reactors: 1,
  requestBytesMax: 104_857_600,
  connectionsMaxIdleMs: 600_000,
  quotaWindowNum: 11,
  quotaWindowMs: 1000,
  ...LIMITS,
  sendBufferBytes: -1,
  receiveBufferBytes: -1,
  backlog: 50,
  fetchBytesMax: 57_671_680,
  fetchSessionSlotsMax: 1000,
}

export const SETTINGS: LogSettings = {
  segmentBytes: 1_073_741_824,
  segmentMs: 604_800_000,
  segmentJitterMs: 0,
  segmentIndexBytes: 10_485_760,
  indexIntervalBytes: 4096,
  maxMessageBytes: 1_048_588,
  logAppendTime: false,
  timestampBeforeMaxMs: Number(2n ** 63n - 1n),
  timestampAfterMaxMs: 3_600_000,
  fileDeleteDelayMs: 60_000,
  flushMessages: Number(2n ** 63n - 1n),
  flushMs: Number(2n ** 63n - 1n),
  producerIdExpirationMs: 86_400_000,
  compacted: false,
  acksAllFlush: 'auto',
}

export function silentEvents(): DataPlaneEvents {
  return {
    onRequests() {},
    onConnectionClosed() {},
    onLogDirFailed() {},
    onFlushed() {},
    onLogLine() {},
  }
}

export function specOf(logDir: string, topic: string, partition = 0): PartitionSpec {
  return {
    topic,
    topicId: Buffer.alloc(16, 7),
    partition,
    logDir,
    leaderEpoch: 0,
    cleanShutdown: true,
    recoveryPoint: 0n,
    logStartOffset: 0n,
    settings: SETTINGS,
  }
}
