/** The options of `millrace broker-api-versions`: those of kafka-broker-api-versions. */
import { Command } from 'commander'
import { brokerApiVersions } from './broker-api-versions.js'

export function brokerApiVersionsCommand(): Command {
  return new Command()
    .description('Prints which versions of which APIs the brokers of a cluster serve.')
    .option('--bootstrap-server <host:port>', 'broker to ask (required)')
    .option('--command-config <file>', 'properties file of client settings')
    .action(brokerApiVersions)
}
