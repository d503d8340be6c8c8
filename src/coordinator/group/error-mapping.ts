/** What clients are told when the log refuses the records of a group. */
import type { BrokerError } from '../../base/errors.js'
import { ErrorCode } from '../../protocol/error-codes.js'
import { CoordinatorErrorCode } from '../runtime/partition-runtime.js'

/** For all requests but OffsetCommit, which knows a word of its own for records that are too large. */
export function errorCodeOf({ code }: BrokerError): number {
  switch (code) {
    case CoordinatorErrorCode.loading:
      return ErrorCode.COORDINATOR_LOAD_IN_PROGRESS
    case CoordinatorErrorCode.notCoordinator:
    case CoordinatorErrorCode.notLeader:
      return ErrorCode.NOT_COORDINATOR
    case CoordinatorErrorCode.storage:
      return ErrorCode.COORDINATOR_NOT_AVAILABLE
    default:
      return ErrorCode.UNKNOWN_SERVER_ERROR
  }
}
