/**
 * DescribeAcls lists access rules. v1 pattern types (KIP-290), v2 flexible, v3 user resources
 * (KIP-373).
 */
import { array, int16, int32, int8, string, struct } from '../schema/field.js'
import { ApiKey } from '../api-keys.js'
import { type Infer, defineRequest, defineResponse } from '../schema/message.js'

const head = { apiKey: ApiKey.DescribeAcls, versions: [1, 3], flexibleSince: 2 } as const

export const DescribeAclsRequest = defineRequest(head, {
  resourceTypeFilter: int8({ about: 'Kind of resource to match.' }),
  resourceNameFilter: string({ nullableSince: 1, about: 'Name to match; null for any.' }),
  patternTypeFilter: int8({
    default: 3,
    about: 'Pattern type to match: 1 any, 2 match, 3 literal, 4 prefixed.',
  }),
  principalFilter: string({ nullableSince: 1, about: 'Principal to match; null for any.' }),
  hostFilter: string({ nullableSince: 1, about: 'Host to match; null for any.' }),
  operation: int8({ about: 'The ACL operation.' }),
  permissionType: int8({ about: '2 deny, 3 allow; in filters 1 for any.' }),
})
export type DescribeAclsRequest = Infer<typeof DescribeAclsRequest>

const AclDescription = struct('AclDescription', {
  principal: string({ about: 'The principal, such as User:alice.' }),
  host: string({ about: 'Host name.' }),
  operation: int8({ about: 'The ACL operation.' }),
  permissionType: int8({ about: '2 deny, 3 allow; in filters 1 for any.' }),
})

const DescribeAclsResource = struct('DescribeAclsResource', {
  resourceType: int8({ about: 'Kind of the resource.' }),
  resourceName: string({ about: 'Name of the resource.' }),
  patternType: int8({ default: 3, about: '3 literal, 4 prefixed.' }),
  acls: array(AclDescription, { about: 'The entries found.' }),
})

export const DescribeAclsResponse = defineResponse(head, {
  throttleTimeMs: int32({
    about: 'How long a quota makes the client wait before its next request, in milliseconds.',
  }),
  errorCode: int16({ about: 'Error of the whole request, 0 if none.' }),
  errorMessage: string({ nullableSince: 1, about: 'What went wrong in words, or null.' }),
  resources: array(DescribeAclsResource, { about: 'The resources.' }),
})
export type DescribeAclsResponse = Infer<typeof DescribeAclsResponse>
