/**
 * Changes the settings of topics, brokers, groups, client metrics and loggers: checks as Kafka does, stores, and tells
 * the parts of the broker what to apply. A change is answered when it is durable and in force.
 */
import { excerptOf } from '../base/printable.js'
import type { BrokerConfig } from '../config/broker-config.js'
import { brokerDefinition, isBrokerConfigKey } from '../config/broker-definitions.js'
import { clientMetricsViolation } from '../config/client-metrics-config.js'
import { dynamicBrokerViolation, parseDynamic } from '../config/dynamic-broker-config.js'
import { groupConfigViolation, groupDefinition, isGroupConfigKey } from '../config/group-config.js'
import type { Definition } from '../config/definition.js'
import type { TopicConfigs } from '../config/topic-config.js'
import { isTopicConfigKey, topicDefinition } from '../config/topic-definitions.js'
import { ErrorCode } from '../protocol/error-codes.js'
import {
  CONFIG_OPERATION,
  type ConfigOperation,
  type ConfigProblem,
  applyOperations,
  brokerOperationProblem,
  invalid,
  isConfigProblem,
  replacement,
} from './config-changes.js'
import { CLUSTER_DEFAULT, type EntityConfig, type EntityConfigs } from './entity-configs.js'
import { topicNameViolation } from './topic-name.js'
import type { TopicRegistry } from './topic-registry.js'

/** Kafka's numbers of what can have settings. */
export const RESOURCE_TYPE = {
  topic: 2,
  broker: 4,
  brokerLogger: 8,
  clientMetrics: 16,
  group: 32,
} as const

export interface ConfigResource {
  readonly resourceType: number
  readonly resourceName: string
}

/** The logger that there is, changed live; its level is gone with the process, as in Kafka. */
export interface RootLogger {
  level: string
}

export interface ConfigAdminParts {
  readonly broker: BrokerConfig
  readonly topicConfigs: TopicConfigs
  readonly registry: TopicRegistry
  readonly entities: EntityConfigs
  readonly rootLogger: RootLogger
  /** The settings of one topic changed. */
  onTopicChanged(topic: string): void
  /** Settings of the broker changed, and with them the defaults of topics. */
  onBrokerChanged(): void
  /** A sentence for the operator. */
  onProblem(message: string): void
}

/** What a kind of resource does with its settings; `after` is what it shall have. */
interface Kind {
  before(): EntityConfig
  violation(after: EntityConfig): ConfigProblem | undefined
  store(after: EntityConfig): Promise<void>
  definitionOf(name: string): Definition | undefined
  /** The items in force of a list that is not set. */
  inherited(name: string): readonly string[]
}

const LOG_LEVELS = ['DEBUG', 'ERROR', 'FATAL', 'INFO', 'TRACE', 'WARN']

export class ConfigAdmin {
  readonly #parts: ConfigAdminParts
  /** Changes are made one after the other: each is judged by what the one before left. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(parts: ConfigAdminParts) {
    this.#parts = parts
  }

  /** Puts what is stored for brokers into force; once, at start. */
  static load(parts: Pick<ConfigAdminParts, 'broker' | 'topicConfigs' | 'entities'>): void {
    const { broker, entities, topicConfigs } = parts
    broker.setDynamic(
      parseDynamic(entities.get('brokers', String(broker.nodeId))),
      parseDynamic(entities.get('brokers', CLUSTER_DEFAULT)),
    )
    topicConfigs.refresh(broker)
  }

  /** Null: done, or possible with validateOnly. */
  alter(
    resource: ConfigResource,
    operations: readonly ConfigOperation[],
    validateOnly: boolean,
  ): Promise<ConfigProblem | null> {
    if (resource.resourceType === RESOURCE_TYPE.brokerLogger) {
      return Promise.resolve(this.#alterLogger(resource.resourceName, operations, validateOnly))
    }
    const isBroker = resource.resourceType === RESOURCE_TYPE.broker
    return this.#change(resource, validateOnly, kind => {
      const typeOf = (name: string) => kind.definitionOf(name)?.type
      const refusal = isBroker ? brokerOperationProblem(operations, typeOf) : null
      const isList = (name: string) => typeOf(name) === 'list'
      const itemsOf = (name: string) => kind.inherited(name)
      return refusal ?? applyOperations(kind.before(), operations, { isList, itemsOf })
    })
  }

  /** Replaces all settings of a resource. Null: done, or possible with validateOnly. */
  replace(
    resource: ConfigResource,
    settings: readonly { readonly name: string; readonly value: string | null }[],
    validateOnly: boolean,
  ): Promise<ConfigProblem | null> {
    return this.#change(resource, validateOnly, () => replacement(settings))
  }

  #change(
    resource: ConfigResource,
    validateOnly: boolean,
    after: (kind: Kind) => Map<string, string> | ConfigProblem,
  ): Promise<ConfigProblem | null> {
    const work = async (): Promise<ConfigProblem | null> => {
      const kind = this.#kindOf(resource)
      if (isConfigProblem(kind)) return kind
      const wanted = after(kind)
      if (isConfigProblem(wanted)) return wanted
      const violation = kind.violation(wanted)
      if (violation !== undefined) return violation
      if (!validateOnly) await kind.store(wanted)
      return null
    }
    const mine = this.#last.then(work, work)
    this.#last = mine
    return mine
  }

  #kindOf({ resourceType, resourceName }: ConfigResource): Kind | ConfigProblem {
    switch (resourceType) {
      case RESOURCE_TYPE.topic:
        return this.#topic(resourceName)
      case RESOURCE_TYPE.broker:
        return this.#broker(resourceName)
      case RESOURCE_TYPE.clientMetrics:
        return this.#clientMetrics(resourceName)
      case RESOURCE_TYPE.group:
        return this.#group(resourceName)
      default:
        return invalid(`Unknown resource type ${resourceType}`)
    }
  }

  #topic(name: string): Kind | ConfigProblem {
    const { registry, topicConfigs, onTopicChanged } = this.#parts
    if (name === '') return invalid('Default topic resources are not allowed.')
    const badName = topicNameViolation(name)
    if (badName !== undefined) {
      return { errorCode: ErrorCode.INVALID_TOPIC_EXCEPTION, errorMessage: badName }
    }
    const topic = registry.getByName(name)
    if (topic === undefined) {
      const errorMessage = `The topic '${name}' does not exist.`
      return { errorCode: ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, errorMessage }
    }
    return {
      before: () => topic.configs,
      violation: after => invalidConfig(topicConfigs.violation(after)),
      async store(after) {
        await registry.setConfigs(name, after)
        onTopicChanged(name)
      },
      definitionOf: key => (isTopicConfigKey(key) ? topicDefinition(key) : undefined),
      inherited: key => listOf(isTopicConfigKey(key) ? topicConfigs.defaults.value(key) : null),
    }
  }

  #broker(name: string): Kind | ConfigProblem {
    const { broker } = this.#parts
    const wrong = name === '' ? undefined : wrongNode(name, broker.nodeId, 'Unexpected broker id')
    if (wrong !== undefined) return wrong
    const entity = name === '' ? CLUSTER_DEFAULT : String(broker.nodeId)
    const scope = name === '' ? 'default' : 'broker'
    return {
      before: () => this.#parts.entities.get('brokers', entity),
      violation: after => {
        const why = dynamicBrokerViolation(after, scope, broker)
        return why === undefined ? undefined : invalid(why)
      },
      store: after => this.#storeBroker(entity, after),
      definitionOf: key => (isBrokerConfigKey(key) ? brokerDefinition(key) : undefined),
      inherited: key => listOf(isBrokerConfigKey(key) ? broker.value(key) : null),
    }
  }

  async #storeBroker(entity: string, after: EntityConfig): Promise<void> {
    const { entities, onBrokerChanged, onProblem } = this.#parts
    await entities.set('brokers', entity, after)
    ConfigAdmin.load(this.#parts)
    onBrokerChanged()
    const unknown = [...after.keys()].filter(key => !isBrokerConfigKey(key))
    if (unknown.length > 0) {
      onProblem(`Stored, but no setting of this broker: ${excerptOf(unknown.join(', '))}.`)
    }
  }

  #clientMetrics(name: string): Kind | ConfigProblem {
    const { entities } = this.#parts
    if (name === '') return invalid("Subscription name can't be empty")
    return {
      before: () => entities.get('client-metrics', name),
      violation: after => {
        const found = clientMetricsViolation(after)
        if (found === undefined) return undefined
        return found.isRequestInvalid ? invalid(found.message) : invalidConfig(found.message)
      },
      store: after => entities.set('client-metrics', name, after),
      definitionOf: key => LISTS.get(key),
      inherited: () => [],
    }
  }

  #group(name: string): Kind | ConfigProblem {
    const { broker, entities } = this.#parts
    if (name === '') return invalid('Default group resources are not allowed.')
    return {
      before: () => entities.get('groups', name),
      violation: after => invalidConfig(groupConfigViolation(after, broker)),
      store: after => entities.set('groups', name, after),
      definitionOf: key => (isGroupConfigKey(key) ? groupDefinition(key) : undefined),
      inherited: () => [],
    }
  }

  #alterLogger(
    name: string,
    operations: readonly ConfigOperation[],
    validateOnly: boolean,
  ): ConfigProblem | null {
    const { broker, rootLogger } = this.#parts
    const wrong = wrongNode(name, broker.nodeId, 'Unexpected node id')
    if (wrong !== undefined) return wrong
    for (const operation of operations) {
      const problem = loggerProblem(operation)
      if (problem !== null) return problem
    }
    if (!validateOnly) for (const { value } of operations) rootLogger.level = value!
    return null
  }
}

/** Settings of client metrics that are lists; only their type is asked for. */
const LISTS: ReadonlyMap<string, Definition> = new Map(
  ['match', 'metrics'].map(name => [name, { type: 'list' } as Definition]),
)

function loggerProblem({ name, configOperation, value }: ConfigOperation): ConfigProblem | null {
  if (
    configOperation === CONFIG_OPERATION.append ||
    configOperation === CONFIG_OPERATION.subtract
  ) {
    const operation = configOperation === CONFIG_OPERATION.append ? 'APPEND' : 'SUBTRACT'
    return invalid(`${operation} operation is not allowed for the BROKER_LOGGER resource`)
  }
  const isSet = configOperation === CONFIG_OPERATION.set
  if (isSet && value === null) return invalid(`Null value not supported for : ${name}`)
  if (name !== 'root') return invalidConfig(`Logger ${excerptOf(name)} does not exist!`)!
  if (!isSet) return invalid('Removing the log level of the root logger is not allowed')
  if (LOG_LEVELS.includes(value!)) return null
  return invalidConfig(
    `Cannot set the log level of root to ${excerptOf(value!)} as it is not a supported log level. ` +
      `Valid log levels are ${LOG_LEVELS.join(', ')}`,
  )!
}

function wrongNode(name: string, nodeId: number, what: string): ConfigProblem | undefined {
  if (!/^[+-]?[0-9]+$/.test(name)) {
    return invalid(`Node id must be an integer, but it is: ${excerptOf(name)}`)
  }
  if (Number(name) === nodeId) return undefined
  const separator = what === 'Unexpected node id' ? '. Expected' : ', expected'
  return invalid(`${what}${separator} ${nodeId}, but received ${excerptOf(name)}`)
}

function invalidConfig(errorMessage: string | undefined): ConfigProblem | undefined {
  return errorMessage === undefined
    ? undefined
    : { errorCode: ErrorCode.INVALID_CONFIG, errorMessage }
}

function listOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : []
}
