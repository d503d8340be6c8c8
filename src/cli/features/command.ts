/** The commands of `millrace features`: those of kafka-features. */
import { Command } from 'commander'
import { type Change, type ChangeOptions, changeFeatures, describeFeatures } from './features.js'
import { featureDependencies, versionMapping } from './look-up.js'

export function featuresCommand(): Command {
  const features = new Command()
    .exitOverride()
    .description('Shows and changes which versions of features are in force in a cluster.')
    .option('--bootstrap-server <host:port>', 'broker to ask')
    .option('--command-config <file>', 'properties file of client settings')
  features
    .command('describe')
    .description('show the features')
    .action((_options, command: Command) => describeFeatures(command.optsWithGlobals()))
  for (const change of ['upgrade', 'downgrade'] as const) {
    changing(features, change)
      .option('--metadata <version>', 'metadata.version by the name of a release (deprecated)')
      .option('--release-version <version>', 'all features as a release of Kafka begins with them')
  }
  changing(features, 'disable')
  features
    .command('version-mapping')
    .description('show the levels that a release of Kafka begins with')
    .option('--release-version <version>', 'the release; default: the newest')
    .action(versionMapping)
  features
    .command('feature-dependencies')
    .description('show what levels of features need')
    .requiredOption('--feature <feature=level>', 'a level; repeatable', append, [])
    .action(featureDependencies)
  return features
}

function changing(parent: Command, change: Change): Command {
  const command = parent
    .command(change)
    .description(`${change} features`)
    .option(
      change === 'disable' ? '--feature <feature>' : '--feature <feature=level>',
      'the feature; repeatable',
      append,
      [],
    )
    .option('--dry-run', 'only check')
    .action((_options, self: Command) =>
      changeFeatures(change, self.optsWithGlobals<ChangeOptions>()),
    )
  if (change !== 'upgrade') command.option('--unsafe', 'accept the loss of metadata')
  return command
}

function append(value: string, earlier: string[]): string[] {
  return [...earlier, value]
}
