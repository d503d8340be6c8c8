/**
 * CreatePartitions v0-v3: gives topics more partitions, or only checks with validateOnly (KIP-195). Answered when the
 * new partitions can be produced to (Kafka 4.4 answers before); later than timeoutMs it is REQUEST_TIMED_OUT (7), and
 * the partitions appear all the same. A topic named twice is refused as a whole with INVALID_REQUEST (42).
 */
import { ErrorCode } from '../protocol/error-codes.js'
import type {
  CreatePartitionsRequest,
  CreatePartitionsResponse,
} from '../protocol/messages/create-partitions.js'
import type { TopicProblem } from '../replication/new-topic.js'
import type { ApiHandler } from './api-handler.js'
import { type Distinct, distinctByName } from './distinct-names.js'
import type { TopicLifecycle } from './services.js'
import { withinTime } from './within-time.js'

type Requested = CreatePartitionsRequest['topics'][number]

const LATE: TopicProblem = {
  errorCode: ErrorCode.REQUEST_TIMED_OUT,
  errorMessage: 'The partitions were not ready in time; they may still appear.',
}
const REPEATED: TopicProblem = {
  errorCode: ErrorCode.INVALID_REQUEST,
  errorMessage: 'Duplicate topic name.',
}

export function createPartitionsHandler(
  lifecycle: TopicLifecycle,
): ApiHandler<typeof CreatePartitionsRequest, typeof CreatePartitionsResponse> {
  return {
    async handle(request) {
      const grow = async ({ entry, isRepeated }: Distinct<Requested>) => {
        if (isRepeated) return resultOf(entry.name, REPEATED)
        const work = lifecycle.addPartitions(entry, request.validateOnly)
        return resultOf(entry.name, await withinTime(work, request.timeoutMs, LATE))
      }
      const results = await Promise.all(distinctByName(request.topics).map(grow))
      return { throttleTimeMs: 0, results }
    },
    fail(request, failure) {
      const names = distinctByName(request.topics).map(({ entry }) => entry.name)
      const results = names.map(name => resultOf(name, failure))
      return { throttleTimeMs: 0, results }
    },
  }
}

function resultOf(name: string, problem: TopicProblem | null) {
  return {
    name,
    errorCode: problem?.errorCode ?? ErrorCode.NONE,
    errorMessage: problem?.errorMessage ?? null,
  }
}
