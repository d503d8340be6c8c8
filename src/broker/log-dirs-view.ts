/** What DescribeLogDirs is told of: the log dirs, the volumes below them and the logs in them. */
import { statfs } from 'node:fs/promises'
import type { LogDirsView } from '../handlers/log-dirs-services.js'
import type { LogDirs } from '../replication/log-dirs.js'
import type { ReplicaManager } from '../replication/replica-manager.js'

export function logDirsViewOf(logDirs: LogDirs, replicas: ReplicaManager): LogDirsView {
  return {
    list: () => logDirs.list(),
    async volume(path) {
      const { bavail, blocks, bsize } = await statfs(path, { bigint: true })
      return { totalBytes: blocks * bsize, usableBytes: bavail * bsize }
    },
    *logs() {
      for (const { topic, partition, logDir } of replicas.served()) {
        const state = replicas.offsets(topic, partition)
        if (state !== undefined) yield { topic, partition, logDir, sizeBytes: state.sizeBytes }
      }
    },
  }
}
