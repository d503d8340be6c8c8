/** The commands of `millrace cluster`: those of kafka-cluster that concern brokers. */
import { Command } from 'commander'
import { clusterId, listEndpoints, unregister } from './cluster.js'

export function clusterCommand(): Command {
  const cluster = new Command().exitOverride().description('Asks about a cluster and its brokers.')
  connected(cluster, 'cluster-id', 'print the id of the cluster').action(clusterId)
  connected(cluster, 'unregister', 'unregister a broker that is gone')
    .requiredOption('-i, --id <id>', 'id of the broker')
    .action(unregister)
  connected(cluster, 'list-endpoints', 'list the brokers and where they listen')
    .option('--include-fenced-brokers', 'list fenced brokers too')
    .action(listEndpoints)
  return cluster
}

function connected(parent: Command, name: string, about: string): Command {
  return parent
    .command(name)
    .description(about)
    .option('-b, --bootstrap-server <host:port>', 'broker to ask (required)')
    .option('-c, --config <file>', 'properties file of client settings')
}
