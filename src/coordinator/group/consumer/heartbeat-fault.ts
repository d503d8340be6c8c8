/** What is wrong with a ConsumerGroupHeartbeat as such, before any group is looked at. */
import { ErrorCode } from '../../../protocol/error-codes.js'
import type { ConsumerGroupHeartbeatRequest } from '../../../protocol/messages/consumer-group-heartbeat.js'
import { AWAY_EPOCH, LEAVING_EPOCH } from './consumer-member.js'
import { Refusal } from './refusal.js'

/** From here on members make their own ids (KIP-1082). */
const FIRST_VERSION_WITH_OWN_ID = 1

export function heartbeatFault(
  request: ConsumerGroupHeartbeatRequest,
  apiVersion: number,
  assignors: readonly string[],
): Refusal | null {
  const message = emptyText(request, apiVersion) ?? epochFault(request)
  if (message !== null) return new Refusal(ErrorCode.INVALID_REQUEST, message)
  const { serverAssignor } = request
  if (serverAssignor === null || assignors.includes(serverAssignor)) return null
  return new Refusal(
    ErrorCode.UNSUPPORTED_ASSIGNOR,
    `ServerAssignor ${serverAssignor} is not supported. Supported assignors: ${assignors.join(', ')}.`,
  )
}

function emptyText(
  { memberId, memberEpoch, groupId, instanceId, rackId }: ConsumerGroupHeartbeatRequest,
  apiVersion: number,
): string | null {
  const needsId =
    apiVersion >= FIRST_VERSION_WITH_OWN_ID || memberEpoch > 0 || memberEpoch === LEAVING_EPOCH
  if (needsId && memberId.trim() === '') return "MemberId can't be empty."
  if (groupId.trim() === '') return "GroupId can't be empty."
  if (instanceId?.trim() === '') return "InstanceId can't be empty."
  if (rackId?.trim() === '') return "RackId can't be empty."
  return null
}

function epochFault(request: ConsumerGroupHeartbeatRequest): string | null {
  const { memberEpoch, instanceId } = request
  if (memberEpoch === 0) return firstRequestFault(request)
  if (memberEpoch === AWAY_EPOCH && instanceId === null) return "InstanceId can't be null."
  return memberEpoch < AWAY_EPOCH ? 'MemberEpoch is invalid.' : null
}

function firstRequestFault({
  rebalanceTimeoutMs,
  topicPartitions,
  subscribedTopicNames,
  subscribedTopicRegex,
}: ConsumerGroupHeartbeatRequest): string | null {
  if (rebalanceTimeoutMs === -1) return 'RebalanceTimeoutMs must be provided in first request.'
  if (topicPartitions?.length !== 0) return 'TopicPartitions must be empty when (re-)joining.'
  if (subscribedTopicNames === null && subscribedTopicRegex === null) {
    return 'Either SubscribedTopicNames or SubscribedTopicRegex must be non-null when (re-)joining.'
  }
  return null
}
