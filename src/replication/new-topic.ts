/**
 * What may be created: counts and manual assignments of a new topic or of more partitions, by the rules and with
 * the messages of Kafka's ReplicationControlManager. Pure; topic-lifecycle.ts applies it.
 */
import type { Uuid } from '../base/uuid.js'
import type { ConfigEntry } from '../config/describe-configs.js'
import { ErrorCode } from '../protocol/error-codes.js'

/** A refused topic operation: Kafka's code, and why in words. */
export interface TopicProblem {
  readonly errorCode: number
  readonly errorMessage: string | null
}

export interface ManualAssignment {
  readonly partitionIndex: number
  readonly brokerIds: readonly number[]
}

export interface NewTopic {
  readonly name: string
  /** -1: the broker's default. */
  readonly numPartitions: number
  /** -1: the broker's default. */
  readonly replicationFactor: number
  /** Replicas by partition; empty: the broker places them. */
  readonly assignments: readonly ManualAssignment[]
  /** A value of null is refused. */
  readonly configs: readonly { readonly name: string; readonly value: string | null }[]
}

/** More partitions for a topic that exists. */
export interface NewPartitions {
  readonly name: string
  /** How many the topic shall have in all. */
  readonly count: number
  /** Replicas of each new partition in order; null: the broker places them. */
  readonly assignments: readonly { readonly brokerIds: readonly number[] }[] | null
}

export interface CreatedTopic {
  readonly topicId: Uuid
  readonly numPartitions: number
  readonly replicationFactor: number
  readonly configs: readonly ConfigEntry[]
}

export interface TopicDefaults {
  readonly numPartitions: number
  readonly replicationFactor: number
  /** Registered brokers. */
  readonly brokerIds: readonly number[]
}

/** The replicas of each partition, in order, or why the topic is refused. */
export function replicasOf(
  topic: NewTopic,
  defaults: TopicDefaults,
): readonly (readonly number[])[] | TopicProblem {
  return topic.assignments.length > 0
    ? manualReplicas(topic, defaults.brokerIds)
    : placedReplicas(topic, defaults)
}

/** The replicas of each partition that is added, in order, or why the request is refused. */
export function addedReplicas(
  wanted: NewPartitions,
  existing: readonly (readonly number[])[],
  brokerIds: readonly number[],
): readonly (readonly number[])[] | TopicProblem {
  const { name, count, assignments } = wanted
  const added = count - existing.length
  if (added <= 0) {
    const message =
      added === 0
        ? `Topic already has ${existing.length} partition(s).`
        : `The topic ${name} currently has ${existing.length} partition(s); ${count} would not ` +
          'be an increase.'
    return problem(ErrorCode.INVALID_PARTITIONS, message)
  }
  if (assignments === null) {
    const factor = existing[0]?.length ?? 1
    return tooFewBrokers(factor, brokerIds) ?? placed(existing.length, count, factor, brokerIds)
  }
  if (assignments.length !== added) {
    return invalidAssignment(
      `Attempted to add ${added} additional partition(s), but only ${assignments.length} ` +
        'assignment(s) were specified.',
    )
  }
  for (const { brokerIds: assigned } of assignments) {
    const violation = assignmentViolation(assigned, existing[0], brokerIds)
    if (violation !== null) return invalidAssignment(violation)
  }
  return assignments.map(({ brokerIds: assigned }) => assigned)
}

export function isTopicProblem(result: object): result is TopicProblem {
  return 'errorCode' in result
}

function placedReplicas(topic: NewTopic, defaults: TopicDefaults) {
  if (topic.replicationFactor === 0 || topic.replicationFactor < -1) {
    return problem(
      ErrorCode.INVALID_REPLICATION_FACTOR,
      'Replication factor must be larger than 0, or -1 to use the default value.',
    )
  }
  if (topic.numPartitions === 0 || topic.numPartitions < -1) {
    return problem(
      ErrorCode.INVALID_PARTITIONS,
      'Number of partitions was set to an invalid non-positive value.',
    )
  }
  const count = topic.numPartitions === -1 ? defaults.numPartitions : topic.numPartitions
  const factor =
    topic.replicationFactor === -1 ? defaults.replicationFactor : topic.replicationFactor
  const brokers = defaults.brokerIds
  return tooFewBrokers(factor, brokers) ?? placed(0, count, factor, brokers)
}

function tooFewBrokers(factor: number, brokers: readonly number[]): TopicProblem | null {
  if (factor <= brokers.length) return null
  return problem(
    ErrorCode.INVALID_REPLICATION_FACTOR,
    `Unable to replicate the partition ${factor} time(s): The target replication factor of ` +
      `${factor} cannot be reached because only ${brokers.length} broker(s) are registered ` +
      'or some brokers have all their log directories cordoned.',
  )
}

/** Replicas of the partitions [from, to), each beginning with the next broker. */
function placed(from: number, to: number, factor: number, brokers: readonly number[]): number[][] {
  return Array.from({ length: to - from }, (_, i) =>
    Array.from({ length: factor }, (_, replica) => brokers[(from + i + replica) % brokers.length]!),
  )
}

function manualReplicas(topic: NewTopic, brokerIds: readonly number[]) {
  if (topic.replicationFactor !== -1) {
    return problem(
      ErrorCode.INVALID_REQUEST,
      'A manual partition assignment was specified, but replication factor was not set to -1.',
    )
  }
  if (topic.numPartitions !== -1) {
    return problem(
      ErrorCode.INVALID_REQUEST,
      'A manual partition assignment was specified, but numPartitions was not set to -1.',
    )
  }
  const replicas = new Map<number, readonly number[]>()
  for (const { partitionIndex, brokerIds: assigned } of topic.assignments) {
    if (replicas.has(partitionIndex)) {
      return invalidAssignment(
        `Found multiple manual partition assignments for partition ${partitionIndex}`,
      )
    }
    const violation = assignmentViolation(assigned, replicas.values().next().value, brokerIds)
    if (violation !== null) return invalidAssignment(violation)
    replicas.set(partitionIndex, assigned)
  }
  const ordered: (readonly number[])[] = []
  for (let partition = 0; partition < replicas.size; partition++) {
    const assigned = replicas.get(partition)
    if (assigned === undefined) {
      return invalidAssignment('partitions should be a consecutive 0-based integer sequence')
    }
    ordered.push(assigned)
  }
  return ordered
}

/** Why these brokers cannot hold a partition, in Kafka's words; `first`: the replicas of another one of the topic. */
export function assignmentViolation(
  assigned: readonly number[],
  first: readonly number[] | undefined,
  brokerIds: readonly number[],
): string | null {
  if (assigned.length === 0) {
    return 'The manual partition assignment includes an empty replica list.'
  }
  const ordered = [...assigned].sort((left, right) => left - right)
  for (const [index, id] of ordered.entries()) {
    if (!brokerIds.includes(id)) {
      return (
        `The manual partition assignment includes broker ${id}, but no such broker is ` +
        'registered.'
      )
    }
    if (id === ordered[index - 1]) {
      return `The manual partition assignment includes the broker ${id} more than once.`
    }
  }
  if (first !== undefined && first.length !== assigned.length) {
    return (
      `The manual partition assignment includes a partition with ${assigned.length} replica(s), ` +
      `but this is not consistent with previous partitions, which have ${first.length} replica(s).`
    )
  }
  return null
}

function invalidAssignment(errorMessage: string): TopicProblem {
  return problem(ErrorCode.INVALID_REPLICA_ASSIGNMENT, errorMessage)
}

export function problem(errorCode: number, errorMessage: string): TopicProblem {
  return { errorCode, errorMessage }
}
