/** What Metadata and DescribeTopicPartitions say alike of a partition, and of a name that no topic has. */
import { isInternalTopic, topicNameViolation } from '../metadata/topic-name.js'
import { ErrorCode } from '../protocol/error-codes.js'
import type { PartitionView } from './services.js'

export function describePartition(partition: PartitionView) {
  return {
    errorCode: partition.leaderId < 0 ? ErrorCode.LEADER_NOT_AVAILABLE : ErrorCode.NONE,
    partitionIndex: partition.partitionIndex,
    leaderId: partition.leaderId,
    leaderEpoch: partition.leaderEpoch,
    replicaNodes: partition.replicas,
    isrNodes: partition.isr,
    offlineReplicas: partition.offlineReplicas,
  }
}

export function describeUnknownTopic(name: string) {
  return {
    errorCode:
      topicNameViolation(name) === undefined
        ? ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
        : ErrorCode.INVALID_TOPIC_EXCEPTION,
    name,
    isInternal: isInternalTopic(name),
    partitions: [],
  }
}
