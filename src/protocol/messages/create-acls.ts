/**
 * CreateAcls creates access rules. v1 pattern types (KIP-290), v2 flexible, v3 user resources
 * (KIP-373).
 */
import { array, int16, int32, int8, string, struct } from '../schema/field.js'
import { ApiKey } from '../api-keys.js'
import { type Infer, defineRequest, defineResponse } from '../schema/message.js'

const head = { apiKey: ApiKey.CreateAcls, versions: [1, 3], flexibleSince: 2 } as const

const AclCreation = struct('AclCreation', {
  resourceType: int8({ about: 'Kind of the resource.' }),
  resourceName: string({ about: 'Name of the resource.' }),
  resourcePatternType: int8({ default: 3, about: '3 literal, 4 prefixed.' }),
  principal: string({ about: 'The principal, such as User:alice.' }),
  host: string({ about: 'Host name.' }),
  operation: int8({ about: 'The ACL operation.' }),
  permissionType: int8({ about: '2 deny, 3 allow; in filters 1 for any.' }),
})

export const CreateAclsRequest = defineRequest(head, {
  creations: array(AclCreation, { about: 'The entries to create.' }),
})
export type CreateAclsRequest = Infer<typeof CreateAclsRequest>

const AclCreationResult = struct('AclCreationResult', {
  errorCode: int16({ about: 'Error of this entry, 0 if none.' }),
  errorMessage: string({ nullableSince: 1, about: 'What went wrong in words, or null.' }),
})

export const CreateAclsResponse = defineResponse(head, {
  throttleTimeMs: int32({
    about: 'How long a quota makes the client wait before its next request, in milliseconds.',
  }),
  results: array(AclCreationResult, { about: 'One result per entry of the request.' }),
})
export type CreateAclsResponse = Infer<typeof CreateAclsResponse>
