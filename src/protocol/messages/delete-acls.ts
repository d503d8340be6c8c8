/**
 * DeleteAcls deletes access rules. v1 pattern types (KIP-290), v2 flexible, v3 user resources
 * (KIP-373).
 */
import { array, int16, int32, int8, string, struct } from '../schema/field.js'
import { ApiKey } from '../api-keys.js'
import { type Infer, defineRequest, defineResponse } from '../schema/message.js'

const head = { apiKey: ApiKey.DeleteAcls, versions: [1, 3], flexibleSince: 2 } as const

const DeleteAclsFilter = struct('DeleteAclsFilter', {
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

export const DeleteAclsRequest = defineRequest(head, {
  filters: array(DeleteAclsFilter, {
    about: 'The filters; an entry that matches any of them is meant.',
  }),
})
export type DeleteAclsRequest = Infer<typeof DeleteAclsRequest>

const DeleteAclsMatchingAcl = struct('DeleteAclsMatchingAcl', {
  errorCode: int16({ about: 'Error of this entry, 0 if none.' }),
  errorMessage: string({ nullableSince: 1, about: 'What went wrong in words, or null.' }),
  resourceType: int8({ about: 'Kind of the resource.' }),
  resourceName: string({ about: 'Name of the resource.' }),
  patternType: int8({ default: 3, about: '3 literal, 4 prefixed.' }),
  principal: string({ about: 'The principal, such as User:alice.' }),
  host: string({ about: 'Host name.' }),
  operation: int8({ about: 'The ACL operation.' }),
  permissionType: int8({ about: '2 deny, 3 allow; in filters 1 for any.' }),
})

const DeleteAclsFilterResult = struct('DeleteAclsFilterResult', {
  errorCode: int16({ about: 'Error of this entry, 0 if none.' }),
  errorMessage: string({ nullableSince: 1, about: 'What went wrong in words, or null.' }),
  matchingAcls: array(DeleteAclsMatchingAcl, { about: 'The entries the filter matched.' }),
})

export const DeleteAclsResponse = defineResponse(head, {
  throttleTimeMs: int32({
    about: 'How long a quota makes the client wait before its next request, in milliseconds.',
  }),
  filterResults: array(DeleteAclsFilterResult, { about: 'One result per filter.' }),
})
export type DeleteAclsResponse = Infer<typeof DeleteAclsResponse>
