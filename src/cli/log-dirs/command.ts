/** `millrace log-dirs` with the options and the JSON of kafka-log-dirs. */
import { Command } from 'commander'
import { AdminClient } from '../../client/admin-client.js'
import { UsageError } from '../failure.js'
import { checkClientConfig } from '../topics/client-config.js'
import { describeLogDirs } from './describe.js'

export interface LogDirsOptions {
  readonly bootstrapServer?: string
  readonly commandConfig?: string
  readonly describe?: boolean
  readonly topicList?: string
  readonly brokerList?: string
}

const REQUEST_TIMEOUT_MS = 60_000

export function logDirsCommand(): Command {
  return new Command('log-dirs')
    .description(
      'Shows the log dirs of brokers and the logs in them as JSON, with the options of kafka-log-dirs.',
    )
    .option(
      '--bootstrap-server <host:port>',
      'broker to ask (required); several separated by commas',
    )
    .option('--command-config <file>', 'properties file of client settings')
    .option('--describe', 'describe the log dirs (required)')
    .option('--topic-list <names>', 'only these topics, as in topic1,topic2')
    .option('--broker-list <ids>', 'only these brokers, as in 0,1,2')
    .action(logDirs)
}

/** Runs the command. Rejects with a UsageError or what the cluster refused. */
export async function logDirs(options: LogDirsOptions): Promise<void> {
  if (options.bootstrapServer === undefined) {
    throw new UsageError('--bootstrap-server is missing; name a broker, as in 127.0.0.1:9092.')
  }
  if (options.describe !== true) throw new UsageError('--describe is missing.')
  if (options.commandConfig !== undefined) checkClientConfig(options.commandConfig)
  const settings = { clientId: 'millrace-log-dirs', timeoutMs: REQUEST_TIMEOUT_MS }
  const client = await AdminClient.connect(options.bootstrapServer, settings)
  try {
    await describeLogDirs(client, options, settings)
  } finally {
    client.close()
  }
}
