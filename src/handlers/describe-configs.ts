/**
 * DescribeConfigs v1-v4: the settings of topics (type 2), this broker (4), its loggers (8), client metrics (16) and
 * groups (32). v1 synonyms (KIP-226), v3 documentation and types (KIP-569). A broker resource without a name asks for
 * the default of all brokers: what was set for it; another broker's id is refused with 42. An unknown type fails the
 * whole request with 42, as in Kafka.
 * Deviation: there is one logger, `root`.
 */
import { excerptOf } from '../base/printable.js'
import type { BrokerConfig } from '../config/broker-config.js'
import { describeClientMetrics } from '../config/client-metrics-config.js'
import {
  CONFIG_SOURCE,
  type ConfigEntry,
  type DescribeOptions,
  describeBrokerConfig,
  describeBrokerDefault,
  describeTopicConfig,
} from '../config/describe-configs.js'
import { describeForeignConfigs } from '../config/describe-foreign-configs.js'
import { describeGroupConfig } from '../config/group-config.js'
import { RESOURCE_TYPE } from '../metadata/config-admin.js'
import { CLUSTER_DEFAULT } from '../metadata/entity-configs.js'
import { ErrorCode } from '../protocol/error-codes.js'
import type {
  DescribeConfigsRequest,
  DescribeConfigsResponse,
} from '../protocol/messages/describe-configs.js'
import { topicNameViolation } from '../metadata/topic-name.js'
import type { ApiHandler, RequestFailure } from './api-handler.js'
import type { ConfigsView } from './services.js'

const TYPES: readonly number[] = Object.values(RESOURCE_TYPE)

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
    case RESOURCE_TYPE.topic:
      return describeTopic(name, options, configs)
    case RESOURCE_TYPE.broker:
      return (
        (name === '' ? null : wrongBroker(name, configs.broker, ' or empty string,')) ??
        describeBroker(name === '', options, configs)
      )
    case RESOURCE_TYPE.brokerLogger:
      if (name === '') return invalid('Broker id must not be empty')
      return wrongBroker(name, configs.broker, '') ?? rootLogger(configs.logLevel(), options)
    case RESOURCE_TYPE.clientMetrics:
      return name === ''
        ? invalid('Client metrics subscription name must not be empty')
        : describeClientMetrics(configs.entity('client-metrics', name), options)
    case RESOURCE_TYPE.group:
      return name === ''
        ? invalid('Group name must not be empty')
        : describeGroupConfig(configs.entity('groups', name), configs.broker, options)
    default:
      return []
  }
}

function describeBroker(
  isDefault: boolean,
  options: DescribeOptions,
  { broker, entity }: ConfigsView,
): ConfigEntry[] {
  const clusterDefault = entity('brokers', CLUSTER_DEFAULT)
  const own = isDefault ? new Map() : entity('brokers', String(broker.nodeId))
  return [
    ...(isDefault
      ? describeBrokerDefault(broker, clusterDefault, options)
      : describeBrokerConfig(broker, options)),
    ...describeForeignConfigs(broker, { broker: own, clusterDefault }, options),
  ]
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

function rootLogger(value: string, { keys }: DescribeOptions): readonly ConfigEntry[] {
  if (keys !== null && keys !== undefined && !keys.includes('root')) return []
  return [
    {
      name: 'root',
      value,
      readOnly: false,
      configSource: CONFIG_SOURCE.DYNAMIC_BROKER_LOGGER_CONFIG,
      isSensitive: false,
      synonyms: [],
      configType: 0,
      documentation: '',
    },
  ]
}

function invalid(errorMessage: string): RequestFailure {
  return { errorCode: ErrorCode.INVALID_REQUEST, errorMessage }
}
