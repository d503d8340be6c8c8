/**
 * ListConfigResources lists resources that have configuration (KIP-1142); v0 lists client-metrics
 * only (KIP-714).
 */
import { array, int16, int32, int8, string, struct } from '../schema/field.js'
import { ApiKey } from '../api-keys.js'
import { type Infer, defineRequest, defineResponse } from '../schema/message.js'

const head = { apiKey: ApiKey.ListConfigResources, versions: [0, 1], flexibleSince: 0 } as const

export const ListConfigResourcesRequest = defineRequest(head, {
  resourceTypes: array(int8(), { since: 1, about: 'Kinds to list; empty for all.' }),
})
export type ListConfigResourcesRequest = Infer<typeof ListConfigResourcesRequest>

const ConfigResource = struct('ConfigResource', {
  resourceName: string({ about: 'Name of the resource.' }),
  resourceType: int8({ since: 1, default: 16, ignorable: true, about: 'Kind of the resource.' }),
})

export const ListConfigResourcesResponse = defineResponse(head, {
  throttleTimeMs: int32({
    about: 'How long a quota makes the client wait before its next request, in milliseconds.',
  }),
  errorCode: int16({ about: 'Error of the whole request, 0 if none.' }),
  configResources: array(ConfigResource, { about: 'The resources that have configuration.' }),
})
export type ListConfigResourcesResponse = Infer<typeof ListConfigResourcesResponse>
