/** `millrace get-offsets` with the options and lines of kafka-get-offsets. */
import { Command } from 'commander'
import { UsageError } from '../failure.js'
import { checkClientConfig } from '../topics/client-config.js'
import { type FilterOptions, partitionFilterOf } from './partition-filter.js'
import { printOffsets } from './offsets.js'
import { timestampOf } from './time.js'

export interface GetOffsetsOptions extends FilterOptions {
  readonly bootstrapServer?: string
  readonly commandConfig?: string
  readonly time?: string
  readonly excludeInternalTopics?: boolean
}

export function getOffsetsCommand(): Command {
  return new Command('get-offsets')
    .description('Prints topic:partition:offset, with the options of kafka-get-offsets.')
    .option(
      '--bootstrap-server <host:port>',
      'broker to ask (required); several separated by commas',
    )
    .option('--command-config <file>', 'properties file of client settings')
    .option('--topic <name>', 'only these topics; a regular expression')
    .option('--partitions <ids>', 'only these partitions, as in 0,1,2')
    .option(
      '--topic-partitions <rules>',
      'topics with their partitions, as in a:1,b:0-3,c,d:5-,e:-3; upper bounds are exclusive',
    )
    .option(
      '--time <time>',
      'a timestamp in ms, or -1/latest, -2/earliest, -3/max-timestamp, -4/earliest-local,\n' +
        '-5/latest-tiered, -6/earliest-pending-upload',
      'latest',
    )
    .option('--exclude-internal-topics', 'leave out the internal topics')
    .action(getOffsets)
}

/** Runs the command. Rejects with a UsageError or ERR_TOPIC_UNKNOWN; partitions that fail are named and passed over. */
export async function getOffsets(options: GetOffsetsOptions): Promise<void> {
  if (options.bootstrapServer === undefined) {
    throw new UsageError('--bootstrap-server is missing; name a broker, as in 127.0.0.1:9092.')
  }
  const isWanted = partitionFilterOf(options)
  const timestamp = timestampOf(options.time ?? 'latest')
  if (options.commandConfig !== undefined) checkClientConfig(options.commandConfig)
  await printOffsets({
    bootstrapServers: options.bootstrapServer,
    isWanted,
    timestamp,
    excludeInternal: options.excludeInternalTopics === true,
  })
}
