/** `millrace configs --describe`, in the lines of kafka-configs. */
import type { AdminClient } from '../../client/admin-client.js'
import { topicNameViolation } from '../../metadata/topic-name.js'
import { UsageError } from '../failure.js'
import { type ConfigEntry, readConfigs } from './config-resource.js'
import type { ConfigsOptions } from './configs.js'
import { BROKERS, type Entity, type EntityKind, TOPICS } from './entities.js'
import { existingEntities } from './existing-entities.js'

/** The source of what was set for all brokers. */
const CLUSTER_DEFAULT_SOURCE = 3

/** Kafka's names of where a value comes from, by number; 0 is unknown. */
export const SOURCE_NAMES = [
  'UNKNOWN',
  'DYNAMIC_TOPIC_CONFIG',
  'DYNAMIC_BROKER_CONFIG',
  'DYNAMIC_DEFAULT_BROKER_CONFIG',
  'STATIC_BROKER_CONFIG',
  'DEFAULT_CONFIG',
  'DYNAMIC_BROKER_LOGGER_CONFIG',
  'DYNAMIC_CLIENT_METRICS_CONFIG',
  'DYNAMIC_GROUP_CONFIG',
] as const

export async function describeConfigs(
  client: AdminClient,
  entity: Entity,
  options: ConfigsOptions,
): Promise<void> {
  const names = await namesOf(client, entity, options)
  const described: object[] = []
  for (const name of names) {
    const configs = (await readConfigs(client, entity.kind, name)).filter(config =>
      isShown(config, entity.kind, name, options),
    )
    if (options.json === true) described.push(jsonOf(entity.kind, name, configs))
    else for (const line of linesOf(entity.kind, name, configs, options)) console.log(line)
  }
  if (options.json === true) console.log(JSON.stringify(described, null, 2))
}

/** The entities to describe; the empty name stands for the default of all brokers. */
async function namesOf(
  client: AdminClient,
  { kind, name }: Entity,
  options: ConfigsOptions,
): Promise<string[]> {
  if (name === null) return ['']
  if (name === undefined) {
    const found = await existingEntities(client, kind)
    return kind === BROKERS ? [...found, ''] : found
  }
  if (options.all === true) return [name]
  const badName = kind === TOPICS ? topicNameViolation(name) : undefined
  if (badName !== undefined) throw new UsageError(badName)
  if ((await existingEntities(client, kind)).includes(name)) return [name]
  const sentence = `The ${oneOf(kind)} '${name}' doesn't exist and doesn't have dynamic config.`
  if (options.json === true) console.error(sentence)
  else console.log(sentence)
  return []
}

function isShown(
  { configSource }: ConfigEntry,
  { ownSource }: EntityKind,
  name: string,
  { all }: ConfigsOptions,
): boolean {
  if (all === true || ownSource === null) return true
  return configSource === (name === '' ? CLUSTER_DEFAULT_SOURCE : ownSource)
}

/** Exported for its test. */
export function linesOf(
  kind: EntityKind,
  name: string,
  configs: readonly ConfigEntry[],
  { all }: Pick<ConfigsOptions, 'all'>,
): string[] {
  const head =
    name === ''
      ? `Default configs for ${kind.type} in the cluster are:`
      : `${all === true ? 'All' : 'Dynamic'} configs for ${oneOf(kind)} ${name} are:`
  return [
    head,
    ...configs.map(config => {
      const synonyms = config.synonyms
        .map(({ name: key, value, source }) => `${sourceName(source)}:${key}=${value ?? 'null'}`)
        .join(', ')
      const value = `${config.name}=${config.value ?? 'null'}`
      return `  ${value} sensitive=${config.isSensitive} synonyms={${synonyms}}`
    }),
  ]
}

function jsonOf({ type }: EntityKind, name: string, configs: readonly ConfigEntry[]): object {
  return {
    entityType: type,
    entityName: name === '' ? null : name,
    configs: configs.map(config => ({
      name: config.name,
      value: config.value,
      source: sourceName(config.configSource),
      sensitive: config.isSensitive,
      readOnly: config.readOnly,
      synonyms: config.synonyms.map(({ name: key, value, source }) => ({
        source: sourceName(source),
        name: key,
        value,
      })),
    })),
  }
}

function sourceName(source: number): string {
  return SOURCE_NAMES[source] ?? SOURCE_NAMES[0]
}

function oneOf({ type }: EntityKind): string {
  return type.slice(0, -1)
}
