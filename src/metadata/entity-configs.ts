/**
 * Settings of brokers, groups and client metrics subscriptions: durable in the metadata store at the paths of Kafka's
 * ZooKeeper layout, and in memory. Settings of topics are topic-registry.ts's.
 */
import { BrokerError } from '../base/errors.js'
import { ANY_VERSION, type MetadataStore, ensurePaths } from './metadata-store.js'
import { decodeConfig, encodeConfig } from './topic-nodes.js'

/** The folders under /config. */
export const ENTITY_TYPES = ['brokers', 'groups', 'client-metrics'] as const
export type EntityType = (typeof ENTITY_TYPES)[number]

/** The entity that stands for all brokers. */
export const CLUSTER_DEFAULT = '<default>'

export type EntityConfig = ReadonlyMap<string, string>

const NOTHING: EntityConfig = new Map()
/** What a path of the store may hold, less the folders in front. */
const NAME_BYTES_MAX = 1800

export class EntityConfigs {
  readonly #store: MetadataStore
  readonly #entities = new Map<EntityType, Map<string, EntityConfig>>()

  private constructor(store: MetadataStore) {
    this.#store = store
  }

  static async open(store: MetadataStore): Promise<EntityConfigs> {
    await ensurePaths(store, ...ENTITY_TYPES.map(folderOf))
    const configs = new EntityConfigs(store)
    for (const type of ENTITY_TYPES) {
      const entities = new Map<string, EntityConfig>()
      for (const child of await store.children(folderOf(type))) {
        const path = `${folderOf(type)}/${child}`
        const node = await store.find(path)
        if (node !== undefined) entities.set(nameOf(child), decodeConfig(node.data, path))
      }
      configs.#entities.set(type, entities)
    }
    return configs
  }

  /** What was set; empty: nothing. */
  get(type: EntityType, name: string): EntityConfig {
    return this.#entities.get(type)?.get(name) ?? NOTHING
  }

  /** The entities of which something is set. */
  names(type: EntityType): string[] {
    return [...(this.#entities.get(type)?.keys() ?? [])]
  }

  /** Replaces what is set; nothing removes the entity. Resolves once durable. Rejects ERR_CONFIG_NAME_TOO_LONG. */
  async set(type: EntityType, name: string, config: EntityConfig): Promise<void> {
    const path = pathOf(type, name)
    const known = this.#entities.get(type)!
    if (config.size === 0) {
      if (known.delete(name)) await this.#store.delete(path, ANY_VERSION)
      return
    }
    const data = encodeConfig(config)
    const isNew = !known.has(name)
    known.set(name, new Map(config))
    if (isNew) await this.#store.create(path, data)
    else await this.#store.set(path, data, ANY_VERSION)
  }
}

function folderOf(type: EntityType): string {
  return `/config/${type}`
}

/** Names may hold anything, so they are written as in an address. */
function pathOf(type: EntityType, name: string): string {
  const encoded = name === CLUSTER_DEFAULT ? name : encodeURIComponent(name).replaceAll('.', '%2E')
  if (encoded.length <= NAME_BYTES_MAX) return `${folderOf(type)}/${encoded}`
  throw new BrokerError(
    'ERR_CONFIG_NAME_TOO_LONG',
    `A name of ${name.length} characters is too long to have settings of its own; use a shorter one.`,
  )
}

function nameOf(child: string): string {
  return decodeURIComponent(child)
}
