/**
 * OffsetForLeaderEpoch v2-v4: where a leader epoch ends (KIP-101, KIP-279), for consumers that check for
 * truncation (KIP-320) and for followers. An epoch above all known ones is answered with -1 and -1, the latest
 * with the log end offset.
 */
import { ErrorCode } from '../protocol/error-codes.js'
import type {
  OffsetForLeaderEpochRequest,
  OffsetForLeaderEpochResponse,
} from '../protocol/messages/offset-for-leader-epoch.js'
import type { ApiHandler } from './api-handler.js'
import { leaderEpochProblem } from './leader-epoch.js'
import type { LogsView } from './services.js'

type RequestPartition = OffsetForLeaderEpochRequest['topics'][number]['partitions'][number]

export function offsetForLeaderEpochHandler(
  logs: LogsView,
): ApiHandler<typeof OffsetForLeaderEpochRequest, typeof OffsetForLeaderEpochResponse> {
  return {
    handle: request => answer(request, (topic, partition) => endOf(topic, partition, logs)),
    fail: (request, { errorCode }) =>
      answer(request, (_topic, { partition }) => ({ errorCode, partition })),
  }
}

function answer(
  request: OffsetForLeaderEpochRequest,
  answerPartition: (topic: string, partition: RequestPartition) => PartitionAnswer,
) {
  const topics = request.topics.map(({ topic, partitions }) => ({
    topic,
    partitions: partitions.map(partition => answerPartition(topic, partition)),
  }))
  return { throttleTimeMs: 0, topics }
}

interface PartitionAnswer {
  readonly errorCode: number
  readonly partition: number
  readonly leaderEpoch?: number
  readonly endOffset?: bigint
}

function endOf(topic: string, wanted: RequestPartition, logs: LogsView): PartitionAnswer {
  const { partition } = wanted
  const offsets = logs.offsets(topic, partition)
  if (offsets === undefined) return { errorCode: logs.absence(topic, partition), partition }
  const problem = leaderEpochProblem(wanted.currentLeaderEpoch, offsets.leaderEpoch)
  if (problem !== ErrorCode.NONE) return { errorCode: problem, partition }
  const end = logs.endOffsetForEpoch(topic, partition, wanted.leaderEpoch)
  if (end === undefined) return { errorCode: logs.absence(topic, partition), partition }
  return { errorCode: ErrorCode.NONE, partition, ...end }
}
