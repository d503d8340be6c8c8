/** Why settings that the broker accepts change nothing (yet). Shown in the docs and at start. */

export const EFFECTIVE = 'effective'

export const NO_EFFECT = {
  groupProtocols: 'no effect yet: the classic and the consumer protocol are always enabled',
  coordinatorLinger: 'no effect: writes are appended at once and synced in groups',
  coordinatorBuffers: 'no effect: the coordinator keeps no buffers for reuse',
  coordinatorCodec: 'no effect yet: the coordinator writes without compression',
  share: 'no effect yet: share groups are not built',
  streams: 'no effect yet: streams groups are not built',
  transactions: 'no effect yet: transactions are not built',
  replicationQuotas: 'no effect yet: quotas of replication are not built',
  compaction: 'no effect yet: compaction is not built',
  recompression: 'no effect yet: batches are stored as they were sent',
  replication: 'no effect yet: clusters of several brokers are not built',
  security: 'no effect yet: SASL and TLS are not built',
  tieredStorage: 'no effect yet: tiered storage is not built',
  metrics: 'no effect yet: metrics are not built',
  telemetry: 'no effect yet: client telemetry is not built',
  startCheckpoint: 'no effect: log start offsets are written together with the recovery points',
  recoveryThreads: 'no effect yet: how many partitions load at once is fixed',
  kraft: 'no effect: there is no KRaft quorum; the broker keeps its own metadata store',
  java: 'no effect: Java classes cannot be loaded',
  handlerThreads: 'no effect: there is no thread pool of this kind',
  requestQueue: 'no effect: what may wait is bounded per connection, not by a shared queue',
  purgatory: 'no effect: completed operations leave the purgatory at once',
  preallocation: 'no effect: the active segment is always preallocated',
  decompression: 'no effect: batches are not decompressed on the way in',
} as const

export const PARTLY = {
  flushScheduler:
    'in part: it is the default of log.flush.interval.ms; partitions are looked at every second',
  cleanupPolicy:
    'in part: delete removes old records; compact makes records need keys and removes none yet',
} as const

export const REFUSED = {
  topicPolicy: 'any value stops the start: Java policies cannot be loaded',
  configProviders: 'any value stops the start: placeholders cannot be resolved',
  quotaCallback: 'any value stops the start: Java quota callbacks cannot be loaded',
  authorizer: 'any value stops the start: authorisation is not built yet',
  tieredStorage: 'true stops the start: tiered storage is not built yet',
} as const
