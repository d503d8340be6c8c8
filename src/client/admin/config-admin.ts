/** Settings of topics, brokers and groups. */
import {
  DescribeConfigsRequest,
  DescribeConfigsResponse,
} from '../../protocol/messages/describe-configs.js'
import {
  IncrementalAlterConfigsRequest,
  IncrementalAlterConfigsResponse,
} from '../../protocol/messages/incremental-alter-configs.js'
import { ErrorCode } from '../../protocol/error-codes.js'
import type { Address } from '../bootstrap-servers.js'
import type { CallOptions, Cluster } from '../cluster/cluster.js'
import { brokerError } from '../errors.js'
import { perItem } from './per-item.js'
import type { ChangeOptions } from './topic-admin.js'

const DESCRIBE = { request: DescribeConfigsRequest, response: DescribeConfigsResponse }
const ALTER = { request: IncrementalAlterConfigsRequest, response: IncrementalAlterConfigsResponse }

const RESOURCE_TYPES = {
  topic: 2,
  broker: 4,
  brokerLogger: 8,
  clientMetrics: 16,
  group: 32,
} as const
const OPERATIONS = { set: 0, delete: 1, append: 2, subtract: 3 } as const
const SOURCES = [
  'unknown',
  'dynamicTopic',
  'dynamicBroker',
  'dynamicDefaultBroker',
  'staticBroker',
  'default',
  'dynamicBrokerLogger',
  'clientMetrics',
  'group',
] as const
const TYPES = [
  'unknown',
  'boolean',
  'string',
  'int',
  'short',
  'long',
  'double',
  'list',
  'class',
  'password',
] as const

/** Whose settings; a broker's name is its id, or empty for the default of all brokers. */
export interface ConfigResource {
  readonly type: keyof typeof RESOURCE_TYPES
  readonly name: string
}

/** One setting. */
export interface ConfigEntry {
  readonly name: string
  /** null where it is sensitive. */
  readonly value: string | null
  readonly source: (typeof SOURCES)[number]
  readonly type: (typeof TYPES)[number]
  readonly isReadOnly: boolean
  readonly isSensitive: boolean
  /** The values that count where this one is not set, nearest first; if asked for. */
  readonly synonyms: readonly { readonly name: string; readonly value: string | null }[]
  /** What it means; null unless asked for. */
  readonly documentation: string | null
}

/** A change to one setting; `append` and `subtract` are for lists. */
export interface ConfigChange {
  readonly name: string
  readonly operation?: keyof typeof OPERATIONS
  /** null with `delete`. */
  readonly value?: string | null
}

/** See `Admin.configs`. */
export class ConfigAdmin {
  readonly #cluster: Cluster

  /** @internal */
  constructor(cluster: Cluster) {
    this.#cluster = cluster
  }

  /**
   * The settings of one resource by name.
   *
   * @example
   * const configs = await admin.configs.describe({ type: 'topic', name: 'orders' })
   * const retention = configs.get('retention.ms')?.value
   */
  async describe(
    resource: ConfigResource,
    options: CallOptions & {
      /** Only these settings. */
      readonly keys?: readonly string[]
      readonly synonyms?: boolean
      readonly documentation?: boolean
    } = {},
  ): Promise<Map<string, ConfigEntry>> {
    const name = nameOf(resource)
    const found = await perItem(
      this.#cluster,
      `Describing the settings of ${name}`,
      [resource],
      nameOf,
      async () => {
        const answer = await this.#cluster.request(await this.#nodeOf(resource), DESCRIBE, {
          resources: [
            {
              resourceType: RESOURCE_TYPES[resource.type],
              resourceName: resource.name,
              configurationKeys: options.keys === undefined ? null : [...options.keys],
            },
          ],
          includeSynonyms: options.synonyms === true,
          includeDocumentation: options.documentation === true,
        })
        return new Map(
          answer.results.map(({ errorCode, errorMessage, configs }) => [
            name,
            errorCode === ErrorCode.NONE
              ? configs
              : brokerError(errorCode, `The settings of ${name}`, errorMessage),
          ]),
        )
      },
      options,
    )
    return new Map((found.get(name) ?? []).map(config => [config.name, entryOf(config)]))
  }

  /**
   * Changes single settings of one resource and leaves the others. A plain object sets; null in it removes.
   *
   * @example
   * await admin.configs.alter({ type: 'topic', name: 'orders' }, { 'retention.ms': '86400000' })
   */
  async alter(
    resource: ConfigResource,
    changes: Readonly<Record<string, string | null>> | readonly ConfigChange[],
    options: ChangeOptions = {},
  ): Promise<void> {
    const name = nameOf(resource)
    const configs = changesOf(changes).map(({ name: key, operation = 'set', value = null }) => ({
      name: key,
      configOperation: OPERATIONS[operation],
      value,
    }))
    await perItem(
      this.#cluster,
      `Altering the settings of ${name}`,
      [resource],
      nameOf,
      async () => {
        const answer = await this.#cluster.request(await this.#nodeOf(resource), ALTER, {
          resources: [
            { resourceType: RESOURCE_TYPES[resource.type], resourceName: resource.name, configs },
          ],
          validateOnly: options.validateOnly === true,
        })
        return new Map(
          answer.responses.map(({ errorCode, errorMessage }) => [
            name,
            errorCode === ErrorCode.NONE
              ? undefined
              : brokerError(errorCode, `Altering the settings of ${name}`, errorMessage),
          ]),
        )
      },
      options,
    )
  }

  /** A broker's own settings are asked of itself, all else of any. */
  async #nodeOf({ type, name }: ConfigResource): Promise<Address> {
    if ((type === 'broker' || type === 'brokerLogger') && name !== '') {
      return this.#cluster.node(Number(name))
    }
    return (await this.#cluster.any()).address
  }
}

function nameOf({ type, name }: ConfigResource): string {
  return `${type} "${name}"`
}

function changesOf(
  changes: Readonly<Record<string, string | null>> | readonly ConfigChange[],
): readonly ConfigChange[] {
  if (Array.isArray(changes)) return changes as readonly ConfigChange[]
  return Object.entries(changes as Readonly<Record<string, string | null>>).map(
    ([name, value]): ConfigChange =>
      value === null ? { name, operation: 'delete' } : { name, operation: 'set', value },
  )
}

function entryOf(
  config: DescribeConfigsResponse['results'][number]['configs'][number],
): ConfigEntry {
  const { name, value, readOnly, isSensitive, documentation } = config
  return {
    name,
    value,
    source: SOURCES[config.configSource] ?? 'unknown',
    type: TYPES[config.configType] ?? 'unknown',
    isReadOnly: readOnly,
    isSensitive,
    synonyms: config.synonyms.map(synonym => ({ name: synonym.name, value: synonym.value })),
    documentation,
  }
}
