/**
 * DescribeConfigs v1-v4: the settings of topics (type 2) and of this broker (4). v1 synonyms (KIP-226), v3
 * documentation and types (KIP-569). A broker resource without a name asks for cluster-wide dynamic settings, of
 * which there are none; another broker's id is refused with 42. Client metrics (16) show Kafka's defaults. An
 * unknown type fails the whole request with 42, as in Kafka.
 * Deviations: broker loggers (8) show the one logger there is; groups (32) have no settings yet, where Kafka lists
 * their defaults.
 */
import { excerptOf } from '../base/printable.js'
import type { BrokerConfig } from '../config/broker-config.js'
import {
  CONFIG_SOURCE,
  type ConfigEntry,
  type DescribeOptions,
  describeBrokerConfig,
  describeTopicConfig,
} from '../config/describe-configs.js'
import { ErrorCode } from '../protocol/error-codes.js'
import type {
  DescribeConfigsRequest,
  DescribeConfigsResponse,
} from '../protocol/messages/describe-configs.js'
import { topicNameViolation } from '../metadata/topic-name.js'
import type { ApiHandler, RequestFailure } from './api-handler.js'
import type { ConfigsView } from './services.js'

const ResourceType = { topic: 2, broker: 4, brokerLogger: 8, clientMetrics: 16, group: 32 } as const
const TYPES: readonly number[] = Object.values(ResourceType)
const DYNAMIC_BROKER_LOGGER_CONFIG = 6

/** Types are those of the message: 3 int, 7 list. */
const CLIENT_METRICS_DEFAULTS: readonly ConfigEntry[] = [
  plainEntry('interval.ms', '300000', 3),
  plainEntry('match', '', 7),
  plainEntry('metrics', '', 7),
]

type Resource = DescribeConfigsRequest['resources'][number]
type Described = readonly ConfigEntry[] | RequestFailure

export function describeConfigsHandler(
  configs: ConfigsView,
): ApiHandler<typeof DescribeConfigsRequest, typeof DescribeConfigsResponse> {
  return {
    handle(request) {
      const unknown = request.resources.find(({ resourceType }) => !TYPES.includes(resourceType))
      if (unknown !== undefined) {
        const failure = invalid(`Unsupported resource type: ${unknown.resourceType}`)
        return answer(request, () => failure)
      }
      return answer(request, resource => describe(resource, optionsOf(resource, request), configs))
    },
    fail: (request, failure) => answer(request, () => failure),
  }
}

function answer(request: DescribeConfigsRequest, described: (resource: Resource) => Described) {
  const results = request.resources.map(resource => {
    const result = described(resource)
    const { resourceType, resourceName } = resource
    return 'errorCode' in result
      ? { ...result, resourceType, resourceName, configs: [] }
      : { ...NO_FAILURE, resourceType, resourceName, configs: result }
  })
  return { throttleTimeMs: 0, results }
}

const NO_FAILURE: RequestFailure = { errorCode: ErrorCode.NONE, errorMessage: '' }

/** Kafka takes an empty list of keys for all of them, too. */
function optionsOf(
  { configurationKeys: keys }: Resource,
  { includeSynonyms, includeDocumentation }: DescribeConfigsRequest,
): DescribeOptions {
  const wanted = keys === null || keys.length === 0 ? null : keys
  return { keys: wanted, includeSynonyms, includeDocumentation }
}

function describe(resource: Resource, options: DescribeOptions, configs: ConfigsView): Described {
  const name = resource.resourceName
  switch (resource.resourceType) {
    case ResourceType.topic:
      return describeTopic(name, options, configs)
    case ResourceType.broker:
      if (name === '') return []
      return (
        wrongBroker(name, configs.broker, ' or empty string,') ??
        describeBrokerConfig(configs.broker, options)
      )
    case ResourceType.brokerLogger:
      if (name === '') return invalid('Broker id must not be empty')
      return wrongBroker(name, configs.broker, '') ?? loggers(configs.broker, options)
    case ResourceType.clientMetrics:
      return name === ''
        ? invalid('Client metrics subscription name must not be empty')
        : wanted(CLIENT_METRICS_DEFAULTS, options)
    case ResourceType.group:
      return name === '' ? invalid('Group name must not be empty') : []
    default:
      return []
  }
}

function describeTopic(name: string, options: DescribeOptions, configs: ConfigsView): Described {
  const topic = configs.topic(name)
  if (topic !== undefined) return describeTopicConfig(topic, configs.broker, options)
  const errorMessage = topicNameViolation(name)
  return errorMessage === undefined
    ? { errorCode: ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, errorMessage: '' }
    : { errorCode: ErrorCode.INVALID_TOPIC_EXCEPTION, errorMessage }
}

function wrongBroker(
  name: string,
  broker: BrokerConfig,
  alternative: string,
): RequestFailure | null {
  if (!/^[+-]?[0-9]+$/.test(name)) {
    return invalid(`Broker id must be an integer, but it is: ${excerptOf(name)}`)
  }
  if (Number(name) === broker.nodeId) return null
  return invalid(
    `Unexpected broker id, expected ${broker.nodeId}${alternative} but received ${excerptOf(name)}`,
  )
}

function loggers(broker: BrokerConfig, options: DescribeOptions): readonly ConfigEntry[] {
  const level = broker.get('logger.level').toUpperCase()
  const root = {
    ...plainEntry('root', level === 'SILENT' ? 'OFF' : level, 0),
    configSource: DYNAMIC_BROKER_LOGGER_CONFIG,
    documentation: '',
  }
  return wanted([root], options)
}

function wanted(entries: readonly ConfigEntry[], { keys }: DescribeOptions) {
  return entries.filter(({ name }) => keys === null || keys === undefined || keys.includes(name))
}

function plainEntry(name: string, value: string, configType: number): ConfigEntry {
  return {
    name,
    value,
    readOnly: false,
    configSource: CONFIG_SOURCE.DEFAULT_CONFIG,
    isSensitive: false,
    synonyms: [],
    configType,
    documentation: null,
  }
}

function invalid(errorMessage: string): RequestFailure {
  return { errorCode: ErrorCode.INVALID_REQUEST, errorMessage }
}
