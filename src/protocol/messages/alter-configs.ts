/**
 * AlterConfigs replaces the whole configuration of a resource; IncrementalAlterConfigs is its
 * successor. v2 flexible.
 */
import { array, bool, int16, int32, int8, string, struct } from '../schema/field.js'
import { ApiKey } from '../api-keys.js'
import { type Infer, defineRequest, defineResponse } from '../schema/message.js'

const head = { apiKey: ApiKey.AlterConfigs, versions: [0, 2], flexibleSince: 2 } as const

const AlterableConfig = struct('AlterableConfig', {
  name: string({ about: 'The name.' }),
  value: string({ nullableSince: 0, about: 'New value; null to unset.' }),
})

const AlterConfigsResource = struct('AlterConfigsResource', {
  resourceType: int8({ about: 'Kind of the resource.' }),
  resourceName: string({ about: 'Name of the resource.' }),
  configs: array(AlterableConfig, { about: 'Configuration entries.' }),
})

export const AlterConfigsRequest = defineRequest(head, {
  resources: array(AlterConfigsResource, { about: 'The resources.' }),
  validateOnly: bool({ about: 'True to check without doing.' }),
})
export type AlterConfigsRequest = Infer<typeof AlterConfigsRequest>

const AlterConfigsResourceResponse = struct('AlterConfigsResourceResponse', {
  errorCode: int16({ about: 'Error of this entry, 0 if none.' }),
  errorMessage: string({ nullableSince: 0, about: 'What went wrong in words, or null.' }),
  resourceType: int8({ about: 'Kind of the resource.' }),
  resourceName: string({ about: 'Name of the resource.' }),
})

export const AlterConfigsResponse = defineResponse(head, {
  throttleTimeMs: int32({
    about: 'How long a quota makes the client wait before its next request, in milliseconds.',
  }),
  responses: array(AlterConfigsResourceResponse, { about: 'One result per entry of the request.' }),
})
export type AlterConfigsResponse = Infer<typeof AlterConfigsResponse>
