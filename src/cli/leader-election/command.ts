/** The options of `millrace leader-election`: those of kafka-leader-election. */
import { Command } from 'commander'
import { leaderElection } from './leader-election.js'

export function leaderElectionCommand(): Command {
  return new Command()
    .description(
      'Elects leaders for partitions: the preferred replicas, or any where there is none.',
    )
    .option('--bootstrap-server <host:port>', 'broker to ask (required)')
    .option('--command-config <file>', 'properties file of client settings')
    .option('--admin.config <file>', 'the same, by its old name')
    .option('--election-type <type>', 'preferred or unclean (required)')
    .option('--topic <name>', 'the topic of one partition')
    .option('--partition <id>', 'the partition of --topic')
    .option('--all-topic-partitions', 'all partitions that an election is for')
    .option(
      '--path-to-json-file <file>',
      'partitions as {"partitions":[{"topic":"a","partition":1}]}',
    )
    .action(leaderElection)
}
