/** Asks each broker for its log dirs and prints what they answered, in the lines of kafka-log-dirs. */
import { BrokerError } from '../../base/errors.js'
import type { AdminClient } from '../../client/admin-client.js'
import { Connection, type ConnectionOptions } from '../../client/connection.js'
import { ErrorCode, errorMessage, errorName } from '../../protocol/error-codes.js'
import {
  DescribeLogDirsRequest,
  DescribeLogDirsResponse,
} from '../../protocol/messages/describe-log-dirs.js'
import { MetadataRequest, MetadataResponse } from '../../protocol/messages/metadata.js'
import { UsageError } from '../failure.js'
import type { LogDirsOptions } from './command.js'

type Broker = MetadataResponse['brokers'][number]
type Metadata = Pick<MetadataResponse, 'brokers' | 'topics'>

const METADATA = { request: MetadataRequest, response: MetadataResponse }
const LOG_DIRS = { request: DescribeLogDirsRequest, response: DescribeLogDirsResponse }

export async function describeLogDirs(
  client: AdminClient,
  options: LogDirsOptions,
  connectionOptions: ConnectionOptions,
): Promise<void> {
  const metadata = await client.request(METADATA, { topics: null, allowAutoTopicCreation: false })
  const brokers = selectBrokers(metadata, options.brokerList)
  const topics = listOf(options.topicList)
  console.log('Querying brokers for log directories information')
  const answers = await Promise.all(
    brokers.map(async broker => {
      const results = await ask(broker, connectionOptions)
      return { broker: broker.nodeId, results }
    }),
  )
  const ids = brokers.map(({ nodeId }) => nodeId).join(',')
  console.log(`Received log directory information from brokers ${ids}`)
  console.log(jsonOf(answers, topics))
}

/** The brokers asked for, all without a list. Throws if one of them is not there. */
export function selectBrokers({ brokers }: Metadata, list: string | undefined): Broker[] {
  const sorted = brokers.toSorted((left, right) => left.nodeId - right.nodeId)
  const wanted = new Set(listOf(list).map(brokerIdOf))
  if (wanted.size === 0) return sorted
  const missing = [...wanted].filter(id => !brokers.some(({ nodeId }) => nodeId === id))
  if (missing.length > 0) {
    throw new BrokerError(
      'ERR_BROKER_UNKNOWN',
      `ERROR: The given brokers do not exist from --broker-list: ${missing.join(',')}. ` +
        `Current existent brokers: ${sorted.map(({ nodeId }) => nodeId).join(',')}`,
    )
  }
  return sorted.filter(({ nodeId }) => wanted.has(nodeId))
}

export interface BrokerLogDirs {
  readonly broker: number
  readonly results: DescribeLogDirsResponse['results']
}

/** One line in the layout of kafka-log-dirs; no topics: all of them. */
export function jsonOf(answers: readonly BrokerLogDirs[], topics: readonly string[]): string {
  const isWanted = (name: string) => topics.length === 0 || topics.includes(name)
  const brokers = answers.map(({ broker, results }) => ({
    broker,
    logDirs: results.map(({ errorCode, logDir, topics: inDir }) => ({
      partitions: inDir
        .filter(({ name }) => isWanted(name))
        .flatMap(({ name, partitions }) =>
          partitions.map(({ partitionIndex, partitionSize, offsetLag, isFutureKey }) => ({
            partition: `${name}-${partitionIndex}`,
            size: Number(partitionSize),
            offsetLag: Number(offsetLag),
            isFuture: isFutureKey,
          })),
        ),
      error:
        errorCode === ErrorCode.NONE ? null : `${errorName(errorCode)}: ${errorMessage(errorCode)}`,
      logDir,
    })),
  }))
  return JSON.stringify({ brokers, version: 1 })
}

async function ask(
  { host, port, nodeId }: Broker,
  options: ConnectionOptions,
): Promise<DescribeLogDirsResponse['results']> {
  const connection = await Connection.open({ host, port }, options)
  try {
    const { errorCode, results } = await connection.request(LOG_DIRS, { topics: null })
    if (errorCode === ErrorCode.NONE) return results
    throw new BrokerError(
      'ERR_LOG_DIRS',
      `Broker ${nodeId} does not describe its log dirs: ${errorMessage(errorCode)}`,
    )
  } finally {
    connection.close()
  }
}

function brokerIdOf(text: string): number {
  if (/^\d+$/.test(text)) return Number(text)
  throw new UsageError(`--broker-list "${text}" is not the id of a broker; write ids as in 0,1,2.`)
}

function listOf(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map(item => item.trim())
    .filter(item => item !== '')
}
