/** The check of KIP-320: whether a client's leader epoch is the one of this broker's partition. */
import { ErrorCode } from '../protocol/error-codes.js'

/**
 * NONE, or the error for an epoch that is older or newer than ours. -1 is not checked, as in Kafka; other negative
 * epochs are.
 */
export function leaderEpochProblem(currentLeaderEpoch: number, leaderEpoch: number): number {
  if (currentLeaderEpoch === -1 || currentLeaderEpoch === leaderEpoch) return ErrorCode.NONE
  return currentLeaderEpoch < leaderEpoch
    ? ErrorCode.FENCED_LEADER_EPOCH
    : ErrorCode.UNKNOWN_LEADER_EPOCH
}
