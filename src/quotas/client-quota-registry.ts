/**
 * All client quotas: durable in the metadata store, and in memory for lookups without waiting. A node may hold other
 * settings of the same entity (credentials of a user); those are kept as they are.
 */
import {
  ANY_VERSION,
  type MetadataStore,
  ensurePaths,
  isStoreError,
} from '../metadata/metadata-store.js'
import { decodeConfig, encodeConfig } from '../metadata/topic-nodes.js'
import {
  type ClientQuota,
  type QuotaEntity,
  type QuotaKey,
  type QuotaValues,
  isQuotaKey,
} from './client-quota.js'
import {
  CLIENTS_PATH,
  IPS_PATH,
  USERS_PATH,
  decodeName,
  quotaPath,
  userClientsPath,
} from './quota-nodes.js'

/** null removes a limit. */
export type QuotaChanges = ReadonlyMap<string, number | null>

export class ClientQuotaRegistry {
  readonly #store: MetadataStore
  readonly #quotas = new Map<string, ClientQuota>()
  readonly #listeners: (() => Promise<void>)[] = []
  /** Changes are made one after the other, since each rewrites a whole node. */
  #last: Promise<unknown> = Promise.resolve()

  private constructor(store: MetadataStore) {
    this.#store = store
  }

  static async open(store: MetadataStore): Promise<ClientQuotaRegistry> {
    await ensurePaths(store, USERS_PATH, CLIENTS_PATH, IPS_PATH)
    const registry = new ClientQuotaRegistry(store)
    await registry.#loadAll()
    return registry
  }

  /** All that have a limit. */
  entries(): ClientQuota[] {
    return [...this.#quotas.values()]
  }

  /** The limit that was set for exactly this entity. */
  limitOf(entity: QuotaEntity, key: QuotaKey): number | undefined {
    return this.#quotas.get(quotaPath(entity))?.values.get(key)
  }

  valuesOf(entity: QuotaEntity): QuotaValues {
    return this.#quotas.get(quotaPath(entity))?.values ?? new Map()
  }

  /** `listener` is called after each change, once it is durable; whoever asked for the change waits for it too. */
  onChange(listener: () => Promise<void>): void {
    this.#listeners.push(listener)
  }

  /** Sets and removes limits, which the caller has checked. Resolves once durable. */
  alter(entity: QuotaEntity, changes: QuotaChanges): Promise<void> {
    const altered = this.#last.then(() => this.#alter(entity, changes))
    this.#last = altered.catch(() => undefined)
    return altered
  }

  async #alter(entity: QuotaEntity, changes: QuotaChanges): Promise<void> {
    const path = quotaPath(entity)
    const node = await this.#store.find(path)
    const data = node?.data ?? null
    const config = data === null ? new Map<string, string>() : decodeConfig(data, path)
    for (const [key, value] of changes) {
      if (value === null) config.delete(key)
      else config.set(key, String(value))
    }
    if (config.size > 0 || node !== undefined) await this.#write(path, config, node !== undefined)
    this.#remember(entity, config)
    for (const listener of this.#listeners) await listener()
  }

  async #write(path: string, config: ReadonlyMap<string, string>, exists: boolean): Promise<void> {
    const data = encodeConfig(config)
    if (!exists) {
      await ensurePaths(this.#store, path.slice(0, path.lastIndexOf('/')))
      await this.#store.create(path, data)
      return
    }
    if (config.size === 0 && (await this.#delete(path))) return
    await this.#store.set(path, data, ANY_VERSION)
  }

  /** False: the node has children and stays. */
  async #delete(path: string): Promise<boolean> {
    try {
      await this.#store.delete(path, ANY_VERSION)
      return true
    } catch (error) {
      if (isStoreError(error, 'ERR_NOT_EMPTY')) return false
      throw error
    }
  }

  #remember(entity: QuotaEntity, config: ReadonlyMap<string, string>): void {
    const values = new Map<string, number>()
    for (const [key, value] of config) if (isQuotaKey(key)) values.set(key, Number(value))
    const path = quotaPath(entity)
    if (values.size === 0) this.#quotas.delete(path)
    else this.#quotas.set(path, { entity, values })
  }

  async #loadAll(): Promise<void> {
    await this.#loadFolder(CLIENTS_PATH, clientId => ({ clientId }))
    await this.#loadFolder(IPS_PATH, ip => ({ ip }))
    await this.#loadFolder(USERS_PATH, user => ({ user }))
    for (const encoded of await this.#store.children(USERS_PATH)) {
      const folder = userClientsPath(encoded)
      const user = decodeName(encoded)
      if (!(await this.#store.exists(folder))) continue
      await this.#loadFolder(folder, clientId => ({ user, clientId }))
    }
  }

  async #loadFolder(folder: string, entityOf: (name: string | null) => QuotaEntity): Promise<void> {
    for (const child of await this.#store.children(folder)) {
      const path = `${folder}/${child}`
      const node = await this.#store.find(path)
      const data = node?.data ?? null
      if (data !== null) this.#remember(entityOf(decodeName(child)), decodeConfig(data, path))
    }
  }
}
