/** Quotas of users, clients and addresses. */
import {
  AlterClientQuotasRequest,
  AlterClientQuotasResponse,
} from '../../protocol/messages/alter-client-quotas.js'
import {
  DescribeClientQuotasRequest,
  DescribeClientQuotasResponse,
} from '../../protocol/messages/describe-client-quotas.js'
import type { CallOptions, Cluster } from '../cluster/cluster.js'
import { configError, throwIfError } from '../errors.js'
import type { ChangeOptions } from './topic-admin.js'

const DESCRIBE = { request: DescribeClientQuotasRequest, response: DescribeClientQuotasResponse }
const ALTER = { request: AlterClientQuotasRequest, response: AlterClientQuotasResponse }

const ENTITY_TYPES = { user: 'user', clientId: 'client-id', ip: 'ip' } as const
const MATCH_EXACT = 0
const MATCH_DEFAULT = 1
const MATCH_ANY = 2

type EntityType = keyof typeof ENTITY_TYPES

/** Whom a quota is for; null is the default of the kind. */
export type QuotaEntity = { readonly [type in EntityType]?: string | null }

/** What to look for: a name, null for the default, or any. */
export type QuotaFilter = { readonly [type in EntityType]?: string | null | { readonly any: true } }

/** The quotas of one entity, such as `producer_byte_rate`. */
export interface QuotaEntry {
  readonly entity: QuotaEntity
  readonly quotas: Readonly<Record<string, number>>
}

/** See `Admin.quotas`. */
export class QuotaAdmin {
  readonly #cluster: Cluster

  /** @internal */
  constructor(cluster: Cluster) {
    this.#cluster = cluster
  }

  /**
   * The quotas that match; `strict` leaves out entities with more parts than the filter names.
   *
   * @example
   * const entries = await admin.quotas.describe({ clientId: { any: true } })
   */
  async describe(
    filter: QuotaFilter = {},
    options: CallOptions & { readonly strict?: boolean } = {},
  ): Promise<QuotaEntry[]> {
    const components = partsOf(filter).map(([entityType, match]) =>
      typeof match === 'object' && match !== null
        ? { entityType, matchType: MATCH_ANY, match: null }
        : { entityType, matchType: match === null ? MATCH_DEFAULT : MATCH_EXACT, match },
    )
    const answer = await this.#cluster.retrying(
      'Describing quotas',
      async () => {
        const connection = await this.#cluster.any()
        const strict = options.strict === true
        const found = await connection.request(DESCRIBE, { components, strict })
        throwIfError(found.errorCode, 'Describing quotas', found.errorMessage)
        return found
      },
      options,
    )
    return (answer.entries ?? []).map(({ entity, values }) => ({
      entity: Object.fromEntries(entity.map(e => [typeOf(e.entityType), e.entityName])),
      quotas: Object.fromEntries(values.map(({ key, value }) => [key, value])),
    }))
  }

  /**
   * Sets quotas of one entity; null removes one.
   *
   * @example
   * await admin.quotas.alter({ clientId: 'importer' }, { producer_byte_rate: 1_000_000 })
   */
  async alter(
    entity: QuotaEntity,
    quotas: Readonly<Record<string, number | null>>,
    options: ChangeOptions = {},
  ): Promise<void> {
    const parts = partsOf(entity)
    if (parts.length === 0) throw configError('The quota names nobody: set user, clientId or ip.')
    const ops = Object.entries(quotas).map(([key, value]) => ({
      key,
      value: value ?? 0,
      remove: value === null,
    }))
    await this.#cluster.retrying(
      'Altering quotas',
      async () => {
        const answer = await this.#cluster.request(await this.#cluster.controller(), ALTER, {
          entries: [
            { entity: parts.map(([entityType, entityName]) => ({ entityType, entityName })), ops },
          ],
          validateOnly: options.validateOnly === true,
        })
        for (const { errorCode, errorMessage } of answer.entries) {
          throwIfError(errorCode, 'Altering quotas', errorMessage)
        }
      },
      options,
    )
  }
}

function partsOf<V>(entity: { readonly [type in EntityType]?: V }): [string, V][] {
  return (Object.keys(ENTITY_TYPES) as EntityType[])
    .filter(type => entity[type] !== undefined)
    .map(type => [ENTITY_TYPES[type], entity[type] as V])
}

function typeOf(entityType: string): string {
  return entityType === ENTITY_TYPES.clientId ? 'clientId' : entityType
}
