/**
 * The bit fields that Metadata, DescribeCluster, DescribeTopicPartitions and DescribeGroups return when a
 * client asks what it may do. Bit n stands for Kafka's AclOperation n. Without an authorizer everything that
 * applies to the kind of resource is allowed, as in Kafka.
 */

const AclOperation = {
  read: 3,
  write: 4,
  create: 5,
  delete: 6,
  alter: 7,
  describe: 8,
  clusterAction: 9,
  describeConfigs: 10,
  alterConfigs: 11,
  idempotentWrite: 12,
} as const

/** What the fields hold when the client did not ask. */
export const OPERATIONS_NOT_ASKED = -2147483648

/** All operations on a topic. */
export const TOPIC_OPERATIONS = bitsOf(
  AclOperation.read,
  AclOperation.write,
  AclOperation.create,
  AclOperation.delete,
  AclOperation.alter,
  AclOperation.describe,
  AclOperation.describeConfigs,
  AclOperation.alterConfigs,
)

/** All operations on the cluster. */
export const CLUSTER_OPERATIONS = bitsOf(
  AclOperation.create,
  AclOperation.alter,
  AclOperation.describe,
  AclOperation.clusterAction,
  AclOperation.describeConfigs,
  AclOperation.alterConfigs,
  AclOperation.idempotentWrite,
)

/** All operations on a group. */
export const GROUP_OPERATIONS = bitsOf(
  AclOperation.read,
  AclOperation.delete,
  AclOperation.describe,
  AclOperation.describeConfigs,
  AclOperation.alterConfigs,
)

function bitsOf(...operations: number[]): number {
  return operations.reduce((bits, operation) => bits | (1 << operation), 0)
}
