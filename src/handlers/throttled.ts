/** The refusal of what would exceed a quota on topic changes; the response's throttle time says when to try again. */
import { ErrorCode } from '../protocol/error-codes.js'
import type { TopicProblem } from '../replication/new-topic.js'

export const THROTTLED: TopicProblem = {
  errorCode: ErrorCode.THROTTLING_QUOTA_EXCEEDED,
  errorMessage: null,
}
