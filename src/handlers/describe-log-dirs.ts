/**
 * DescribeLogDirs v1-v5 (KIP-113): size and place of each log, the space on each volume (v4, KIP-827), and which dirs
 * take no new partitions (v5, KIP-1066). A dir that failed is listed with KAFKA_STORAGE_ERROR and without its logs;
 * partitions that are not here are left out.
 */
import { ErrorCode } from '../protocol/error-codes.js'
import type {
  DescribeLogDirsRequest,
  DescribeLogDirsResponse,
} from '../protocol/messages/describe-log-dirs.js'
import type { ApiHandler } from './api-handler.js'
import type { LogDirView, LogDirsView } from './log-dirs-services.js'

type Result = DescribeLogDirsResponse['results'][number]
type DescribedTopic = Result['topics'][number]

/** A leader's log is its own measure, and no copy is under way. */
const NO_LAG = 0n
const UNKNOWN_BYTES = -1n

export function describeLogDirsHandler(
  logDirs: LogDirsView,
): ApiHandler<typeof DescribeLogDirsRequest, typeof DescribeLogDirsResponse> {
  return {
    async handle(request) {
      const topics = topicsByDir(logDirs, wantedOf(request))
      const describe = async (dir: LogDirView): Promise<Result> => {
        const { path, isCordoned } = dir
        if (!dir.isOnline) return failed(path, isCordoned)
        try {
          const space = await logDirs.volume(path)
          const errorCode = ErrorCode.NONE
          return { errorCode, logDir: path, topics: topics.get(path) ?? [], ...space, isCordoned }
        } catch {
          return failed(path, isCordoned)
        }
      }
      const results = await Promise.all(logDirs.list().map(describe))
      return { throttleTimeMs: 0, errorCode: ErrorCode.NONE, results }
    },
    fail: (_request, { errorCode }) => ({ throttleTimeMs: 0, errorCode, results: [] }),
  }
}

type IsWanted = (topic: string, partition: number) => boolean

function wantedOf({ topics }: DescribeLogDirsRequest): IsWanted {
  if (topics === null) return () => true
  const wanted = new Map<string, Set<number>>()
  for (const { topic, partitions } of topics) {
    wanted.set(topic, new Set([...(wanted.get(topic) ?? []), ...partitions]))
  }
  return (topic, partition) => wanted.get(topic)?.has(partition) === true
}

function topicsByDir(logDirs: LogDirsView, isWanted: IsWanted): Map<string, DescribedTopic[]> {
  const byDir = new Map<string, Map<string, DescribedTopic>>()
  for (const { topic, partition, logDir, sizeBytes } of logDirs.logs()) {
    if (!isWanted(topic, partition)) continue
    const inDir = byDir.get(logDir) ?? new Map<string, DescribedTopic>()
    byDir.set(logDir, inDir)
    const described = inDir.get(topic) ?? { name: topic, partitions: [] }
    inDir.set(topic, described)
    described.partitions.push({
      partitionIndex: partition,
      partitionSize: BigInt(sizeBytes),
      offsetLag: NO_LAG,
      isFutureKey: false,
    })
  }
  return new Map([...byDir].map(([logDir, topics]) => [logDir, [...topics.values()]]))
}

function failed(logDir: string, isCordoned: boolean): Result {
  return {
    errorCode: ErrorCode.KAFKA_STORAGE_ERROR,
    logDir,
    topics: [],
    totalBytes: UNKNOWN_BYTES,
    usableBytes: UNKNOWN_BYTES,
    isCordoned,
  }
}
