/** `millrace configs` with the options of kafka-configs. Neighbours: entities.ts, describe.ts and alter.ts. */
import { Command } from 'commander'
import { ENTITY_KINDS, type EntityOptions } from './entities.js'
import { configs, type ConfigsOptions } from './configs.js'

export function configsCommand(): Command {
  const command = new Command('configs')
    .description(
      'Describes and alters the settings of topics, brokers, loggers, groups and client metrics,\n' +
        "with kafka-configs' options.",
    )
    .option(
      '--bootstrap-server <host:port>',
      'broker to ask (required); several separated by commas',
    )
    .option('--command-config <file>', 'properties file of client settings')
    .option('--describe', 'list the settings of entities')
    .option('--alter', 'change the settings of an entity')
    .option(
      '--add-config <pairs>',
      "settings to add, as in 'k1=v1,k2=[v1,v2]'; brackets keep the commas of a value",
    )
    .option('--add-config-file <file>', 'properties file of settings to add')
    .option('--delete-config <names>', "settings to remove, as in 'k1,k2'")
    .option('--all', 'with --describe: also what was set at the start, and defaults')
    .option('--json', 'with --describe: print JSON')
    .option('--entity-type <type>', `type of entity: ${ENTITY_KINDS.map(k => k.type).join(', ')}`)
    .option('--entity-name <name>', 'name of the entity')
    .option('--entity-default', 'the default of all entities of the type')
  const asked: EntityOptions = { types: [], names: [], shortcuts: [] }
  for (const kind of ENTITY_KINDS) {
    command.option(`--${kind.shortcut} <name>`, kind.shortcutMeaning)
    command.on(`option:${kind.shortcut}`, (name: string) => asked.shortcuts.push({ kind, name }))
    if (!kind.hasDefault) continue
    const defaults = `${kind.shortcut}-defaults`
    command.option(`--${defaults}`, `the defaults of all ${kind.type}`)
    command.on(`option:${defaults}`, () => asked.shortcuts.push({ kind, name: null }))
  }
  command.on('option:entity-type', (type: string) => asked.types.push(type))
  command.on('option:entity-name', (name: string) => asked.names.push(name))
  command.on('option:entity-default', () => asked.names.push(null))
  return command.action((options: Omit<ConfigsOptions, 'entities'>) =>
    configs({ ...options, entities: asked }),
  )
}
