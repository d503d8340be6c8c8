/**
 * IncrementalAlterConfigs v0-v1 (KIP-339): sets, deletes, appends to and subtracts from single settings of topics,
 * brokers, loggers, client metrics and groups. An answer of 0 says that the change is durable and in force.
 */
import { RESOURCE_TYPE } from '../metadata/config-admin.js'
import type {
  IncrementalAlterConfigsRequest,
  IncrementalAlterConfigsResponse,
} from '../protocol/messages/incremental-alter-configs.js'
import type { ApiHandler } from './api-handler.js'
import { REPLACEABLE, alterEach, failEach } from './config-resources.js'
import type { ConfigChanges } from './services.js'

const TYPES = [...REPLACEABLE, RESOURCE_TYPE.brokerLogger]

export function incrementalAlterConfigsHandler(
  changes: ConfigChanges,
): ApiHandler<typeof IncrementalAlterConfigsRequest, typeof IncrementalAlterConfigsResponse> {
  return {
    handle: ({ resources, validateOnly }) =>
      alterEach(resources, TYPES, resource =>
        changes.alter(resource, resource.configs, validateOnly),
      ),
    fail: ({ resources }, failure) => failEach(resources, failure),
  }
}
