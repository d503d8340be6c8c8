/**
 * What has settings, as kafka-configs names it: by --entity-type with --entity-name or --entity-default, or by a
 * shortcut such as --topic.
 */
import { UsageError } from '../failure.js'

export interface EntityKind {
  /** As --entity-type has it; without its last letter it names one entity. */
  readonly type: string
  readonly shortcut: string
  readonly shortcutMeaning: string
  /** Whether there is an entity that stands for all of the type. */
  readonly hasDefault: boolean
  /** Kafka's number of the config resource. */
  readonly resourceType: number
  /** The source of values that were set on an entity of this kind itself; null: all values count as set. */
  readonly ownSource: number | null
}

const kind = (
  type: string,
  shortcut: string,
  resourceType: number,
  ownSource: number | null,
  shortcutMeaning: string,
  hasDefault = false,
): EntityKind => ({ type, shortcut, resourceType, ownSource, shortcutMeaning, hasDefault })

export const TOPICS = kind('topics', 'topic', 2, 1, 'the topic')
export const BROKERS = kind('brokers', 'broker', 4, 2, 'the broker, by its id', true)
export const BROKER_LOGGERS = kind(
  'broker-loggers',
  'broker-logger',
  8,
  null,
  'the broker whose loggers are meant, by its id',
)
export const CLIENT_METRICS = kind(
  'client-metrics',
  'client-metrics',
  16,
  7,
  'the client metrics subscription',
)
export const GROUPS = kind('groups', 'group', 32, 8, 'the group')

export const ENTITY_KINDS: readonly EntityKind[] = [
  TOPICS,
  BROKERS,
  BROKER_LOGGERS,
  CLIENT_METRICS,
  GROUPS,
]

/** What the command line says about entities, in its order; a name of null is the default of all. */
export interface EntityOptions {
  readonly types: string[]
  readonly names: (string | null)[]
  readonly shortcuts: { readonly kind: EntityKind; readonly name: string | null }[]
}

export interface Entity {
  readonly kind: EntityKind
  /** Null: the default of all; undefined: none is named, all are meant. */
  readonly name: string | null | undefined
}

/** The entity that the options name. Throws a UsageError in Kafka's words. */
export function entityOf({ types, names, shortcuts }: EntityOptions): Entity {
  const kinds = [...types.map(kindOf), ...shortcuts.map(shortcut => shortcut.kind)]
  const twice = kinds.find((found, index) => kinds.indexOf(found) < index)
  if (twice !== undefined) throw new UsageError(`Duplicate entity type(s) specified: ${twice.type}`)
  const [found, ...more] = kinds
  if (found === undefined) throw new UsageError('At least one entity type must be specified')
  if (more.length > 0) {
    throw new UsageError("Only 'users' and 'clients' entity types may be specified together")
  }
  const named = [...names, ...shortcuts.map(({ name }) => name)]
  if (named.length > 1) throw new UsageError('Name one entity, not several, or none for all.')
  const name = named[0]
  if (found === BROKERS || found === BROKER_LOGGERS) checkBrokerId(name, found)
  return { kind: found, name }
}

function kindOf(type: string): EntityKind {
  const found = ENTITY_KINDS.find(candidate => candidate.type === type)
  if (found !== undefined) return found
  const types = ENTITY_KINDS.map(candidate => candidate.type).join(', ')
  throw new UsageError(`Invalid entity type ${type}, the entity type must be one of ${types}`)
}

function checkBrokerId(name: string | null | undefined, { type }: EntityKind): void {
  if (name === null || name === undefined || /^[+-]?[0-9]+$/.test(name)) return
  throw new UsageError(
    `The entity name for ${type} must be a valid integer broker id, but it is: ${name}`,
  )
}
