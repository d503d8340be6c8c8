/** `millrace topics --create`. Prints what kafka-topics prints. */
import { BrokerError } from '../../base/errors.js'
import type { AdminClient } from '../../client/admin-client.js'
import { ErrorCode, errorMessage } from '../../protocol/error-codes.js'
import { CreateTopicsRequest, CreateTopicsResponse } from '../../protocol/messages/create-topics.js'
import { UsageError } from '../failure.js'
import type { TopicsOptions } from './topics.js'

const TIMEOUT_MS = 60_000

export async function createTopic(client: AdminClient, options: TopicsOptions): Promise<void> {
  const name = options.topic!
  const assignments = assignmentsOf(options)
  const topic = {
    name,
    numPartitions: countOf('--partitions', options.partitions),
    replicationFactor: countOf('--replication-factor', options.replicationFactor),
    assignments,
    configs: options.config.map(configOf),
  }
  const api = { request: CreateTopicsRequest, response: CreateTopicsResponse }
  const { topics } = await client.request(
    api,
    { topics: [topic], timeoutMs: TIMEOUT_MS, validateOnly: false },
    TIMEOUT_MS * 2,
  )
  const result = topics[0]
  const code = result?.errorCode ?? ErrorCode.UNKNOWN_SERVER_ERROR
  const existed = code === ErrorCode.TOPIC_ALREADY_EXISTS && options.ifNotExists === true
  if (code !== ErrorCode.NONE && !existed) {
    throw new BrokerError(
      'ERR_TOPIC_CREATE',
      `Error while executing topic command : ${result?.errorMessage ?? errorMessage(code)}`,
    )
  }
  print(name, { existed, topicId: result?.topicId, isJson: options.json === true })
}

interface Outcome {
  readonly existed: boolean
  readonly topicId: string | undefined
  readonly isJson: boolean
}

function print(name: string, { existed, topicId, isJson }: Outcome): void {
  if (isJson) {
    console.log(JSON.stringify({ topic: name, topicId, created: !existed }))
    return
  }
  if (/[._]/.test(name)) {
    console.log(
      "WARNING: Due to limitations in metric names, topics with a period ('.') or underscore " +
        "('_') could collide. To avoid issues it is best to use either, but not both.",
    )
  }
  if (!existed) console.log(`Created topic ${name}.`)
}

function countOf(option: string, text: string | undefined): number {
  if (text === undefined) return -1
  if (/^[0-9]{1,6}$/.test(text) && Number(text) > 0) return Number(text)
  throw new UsageError(`${option} must be a positive number, not "${text}".`)
}

/** `1:2,2:3` gives partition 0 the brokers 1 and 2, partition 1 the brokers 2 and 3. */
function assignmentsOf({ replicaAssignment, partitions, replicationFactor }: TopicsOptions) {
  if (replicaAssignment === undefined) return []
  if (partitions !== undefined || replicationFactor !== undefined) {
    throw new UsageError(
      '--replica-assignment cannot be combined with --partitions or --replication-factor.',
    )
  }
  return replicaAssignment.split(',').map((list, partitionIndex) => ({
    partitionIndex,
    brokerIds: list.split(':').map(text => {
      if (/^ *[0-9]{1,10} *$/.test(text)) return Number(text)
      throw new UsageError(
        `--replica-assignment must be a list of broker ids, as in 1:2,2:3, not "${replicaAssignment}".`,
      )
    }),
  }))
}

function configOf(text: string): { name: string; value: string } {
  const end = text.indexOf('=')
  if (end <= 0) {
    throw new UsageError(`--config must have the form name=value, not "${text}".`)
  }
  return { name: text.slice(0, end).trim(), value: text.slice(end + 1).trim() }
}
