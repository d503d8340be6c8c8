/**
 * AlterConfigs v0-v2: replaces all settings of a resource; what the request does not name falls back to its default.
 * Deviation: Kafka 4.4 never answers a request that names a resource twice; here each gets INVALID_REQUEST.
 */
import type {
  AlterConfigsRequest,
  AlterConfigsResponse,
} from '../protocol/messages/alter-configs.js'
import type { ApiHandler } from './api-handler.js'
import { REPLACEABLE, alterEach, failEach } from './config-resources.js'
import type { ConfigChanges } from './services.js'

export function alterConfigsHandler(
  changes: ConfigChanges,
): ApiHandler<typeof AlterConfigsRequest, typeof AlterConfigsResponse> {
  return {
    handle: ({ resources, validateOnly }) =>
      alterEach(resources, REPLACEABLE, resource =>
        changes.replace(resource, resource.configs, validateOnly),
      ),
    fail: ({ resources }, failure) => failEach(resources, failure),
  }
}
