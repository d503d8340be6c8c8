/**
 * CreatePartitions v0-v3: gives topics more partitions, or only checks with validateOnly (KIP-195). Answered when the
 * new partitions can be produced to (Kafka 4.4 answers before); later than timeoutMs it is REQUEST_TIMED_OUT (7), and
 * the partitions appear all the same. A topic named twice is refused as a whole with INVALID_REQUEST (42). From v3 on a
 * quota on topic changes refuses (KIP-599), also with validateOnly.
 */
import { ErrorCode } from '../protocol/error-codes.js'
import type {
  CreatePartitionsRequest,
  CreatePartitionsResponse,
} from '../protocol/messages/create-partitions.js'
import type { TopicProblem } from '../replication/new-topic.js'
import type { ApiHandler } from './api-handler.js'
import { type Distinct, distinctByName } from './distinct-names.js'
import type { MutationQuotas } from './quota-services.js'
import type { TopicLifecycle, TopicsView } from './services.js'
import { THROTTLED } from './throttled.js'
import { withinTime } from './within-time.js'

const STRICT_QUOTA_SINCE = 3

type Requested = CreatePartitionsRequest['topics'][number]

const LATE: TopicProblem = {
  errorCode: ErrorCode.REQUEST_TIMED_OUT,
  errorMessage: 'The partitions were not ready in time; they may still appear.',
}
const REPEATED: TopicProblem = {
  errorCode: ErrorCode.INVALID_REQUEST,
  errorMessage: 'Duplicate topic name.',
}

export interface CreatePartitionsParts {
  readonly topics: TopicsView
  readonly lifecycle: TopicLifecycle
  readonly mutationQuotas: MutationQuotas
}

export function createPartitionsHandler({
  topics,
  lifecycle,
  mutationQuotas,
}: CreatePartitionsParts): ApiHandler<
  typeof CreatePartitionsRequest,
  typeof CreatePartitionsResponse
> {
  return {
    async handle(request, { apiVersion, clientId }) {
      const quota = mutationQuotas.allowanceOf(clientId, apiVersion >= STRICT_QUOTA_SINCE)
      const grow = async ({ entry, isRepeated }: Distinct<Requested>) => {
        if (isRepeated) return resultOf(entry.name, REPEATED)
        if (quota.isLimited) {
          const added = entry.count - (topics.topic(entry.name)?.partitions.length ?? 0)
          const problem = await lifecycle.addPartitions(entry, true)
          if (problem !== null) return resultOf(entry.name, problem)
          if (!quota.take(added)) return resultOf(entry.name, THROTTLED)
        }
        const work = lifecycle.addPartitions(entry, request.validateOnly)
        return resultOf(entry.name, await withinTime(work, request.timeoutMs, LATE))
      }
      const results = await Promise.all(distinctByName(request.topics).map(grow))
      return { throttleTimeMs: quota.throttleTimeMs, results }
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
