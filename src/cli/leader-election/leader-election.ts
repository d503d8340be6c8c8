/** `millrace leader-election`: checks its options and prints its results as kafka-leader-election does. */
import { BrokerError } from '../../base/errors.js'
import { ErrorCode, errorMessage, errorName } from '../../protocol/error-codes.js'
import { ElectLeadersRequest, ElectLeadersResponse } from '../../protocol/messages/elect-leaders.js'
import { type ConnectionOptions, withAdmin } from '../admin-connection.js'
import { UsageError } from '../failure.js'
import { readPartitions } from './partitions-file.js'

export interface LeaderElectionOptions extends ConnectionOptions {
  readonly 'admin.config'?: string
  readonly electionType?: string
  readonly topic?: string
  readonly partition?: string
  readonly allTopicPartitions?: boolean
  readonly pathToJsonFile?: string
}

export interface TopicPartition {
  readonly topic: string
  readonly partition: number
}

interface Result extends TopicPartition {
  readonly errorCode: number
  readonly errorMessage: string | null
}

const ELECTION_TYPES = ['preferred', 'unclean']

export async function leaderElection(options: LeaderElectionOptions): Promise<void> {
  const electionType = electionTypeOf(options)
  const wanted = partitionsOf(options)
  const commandConfig = options.commandConfig ?? options['admin.config']
  const connection = { ...options, ...(commandConfig !== undefined && { commandConfig }) }
  await withAdmin('leader-election', connection, async client => {
    const api = { request: ElectLeadersRequest, response: ElectLeadersResponse }
    const topicPartitions = wanted === null ? null : byTopic(wanted)
    const answer = await client.request(api, { electionType, topicPartitions })
    if (answer.errorCode !== ErrorCode.NONE) {
      throw new BrokerError('ERR_ELECTION', errorMessage(answer.errorCode))
    }
    report(resultsOf(answer), ELECTION_TYPES[electionType]!.toUpperCase())
  })
}

function electionTypeOf({ electionType }: LeaderElectionOptions): number {
  if (electionType === undefined) throw new UsageError('Missing required option(s): election-type')
  const type = ELECTION_TYPES.indexOf(electionType.toLowerCase())
  if (type >= 0) return type
  throw new UsageError(`--election-type must be preferred or unclean, not "${electionType}".`)
}

/** Null: all. */
function partitionsOf(options: LeaderElectionOptions): TopicPartition[] | null {
  const { topic, partition, allTopicPartitions, pathToJsonFile } = options
  const given = [topic, allTopicPartitions, pathToJsonFile].filter(each => each !== undefined)
  if (given.length !== 1) {
    throw new UsageError(
      'One and only one of the following options is required: topic, all-topic-partitions, path-to-json-file',
    )
  }
  if (topic === undefined) {
    if (partition !== undefined) {
      throw new UsageError('Option partition is only allowed if topic is used')
    }
    return pathToJsonFile === undefined ? null : readPartitions(pathToJsonFile)
  }
  if (partition === undefined) throw new UsageError('Missing required option(s): partition')
  if (!/^[0-9]{1,9}$/.test(partition)) {
    throw new UsageError(`Cannot parse argument '${partition}' of option partition`)
  }
  return [{ topic, partition: Number(partition) }]
}

function byTopic(wanted: readonly TopicPartition[]) {
  const topics = new Map<string, number[]>()
  for (const { topic, partition } of wanted) {
    topics.set(topic, [...(topics.get(topic) ?? []), partition])
  }
  return [...topics].map(([topic, partitions]) => ({ topic, partitions }))
}

function resultsOf({
  replicaElectionResults,
}: Pick<ElectLeadersResponse, 'replicaElectionResults'>) {
  return replicaElectionResults.flatMap(({ topic, partitionResult }) =>
    partitionResult.map(({ partitionId, errorCode, errorMessage: message }) => ({
      topic,
      partition: partitionId,
      errorCode,
      errorMessage: message,
    })),
  )
}

/** Throws if an election failed. */
export function report(results: readonly Result[], electionType: string): void {
  const elected = results.filter(({ errorCode }) => errorCode === ErrorCode.NONE)
  const kept = results.filter(({ errorCode }) => errorCode === ErrorCode.ELECTION_NOT_NEEDED)
  const failed = results.filter(each => !elected.includes(each) && !kept.includes(each))
  if (elected.length > 0) {
    console.log(
      `Successfully completed leader election (${electionType}) for partitions ${names(elected)}`,
    )
  }
  if (kept.length > 0) console.log(`Valid replica already elected for partitions ${names(kept)}`)
  for (const { topic, partition, errorCode, errorMessage: message } of failed) {
    console.log(
      `Error completing leader election (${electionType}) for partition: ${topic}-${partition}: ` +
        `${errorName(errorCode)}: ${message ?? errorMessage(errorCode)}`,
    )
  }
  if (failed.length > 0) {
    throw new BrokerError('ERR_ELECTION', `${failed.length} replica(s) could not be elected`)
  }
}

function names(partitions: readonly TopicPartition[]): string {
  return partitions.map(({ topic, partition }) => `${topic}-${partition}`).join(', ')
}
