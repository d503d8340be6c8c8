/** ListPartitionReassignments v0 (KIP-455): on one broker no partition is ever on its way to another. */
import { ErrorCode } from '../protocol/error-codes.js'
import type {
  ListPartitionReassignmentsRequest,
  ListPartitionReassignmentsResponse,
} from '../protocol/messages/list-partition-reassignments.js'
import type { ApiHandler } from './api-handler.js'

export function listPartitionReassignmentsHandler(): ApiHandler<
  typeof ListPartitionReassignmentsRequest,
  typeof ListPartitionReassignmentsResponse
> {
  return {
    handle: () => ({
      throttleTimeMs: 0,
      errorCode: ErrorCode.NONE,
      errorMessage: null,
      topics: [],
    }),
    fail: (_request, failure) => ({ throttleTimeMs: 0, ...failure, topics: [] }),
  }
}
