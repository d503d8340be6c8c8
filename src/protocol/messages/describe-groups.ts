/**
 * DescribeGroups describes classic groups. v3 authorized operations (KIP-430), v4 static members
 * (KIP-345), v5 flexible, v6 an error instead of state Dead (KIP-1043).
 */
import { array, bool, bytes, int16, int32, string, struct } from '../schema/field.js'
import { ApiKey } from '../api-keys.js'
import { type Infer, defineRequest, defineResponse } from '../schema/message.js'

const head = { apiKey: ApiKey.DescribeGroups, versions: [0, 6], flexibleSince: 5 } as const

export const DescribeGroupsRequest = defineRequest(head, {
  groups: array(string(), { about: 'The groups.' }),
  includeAuthorizedOperations: bool({
    since: 3,
    about: 'Whether to return the operations the caller may do.',
  }),
})
export type DescribeGroupsRequest = Infer<typeof DescribeGroupsRequest>

const DescribedGroupMember = struct('DescribedGroupMember', {
  memberId: string({ about: 'Id of the member.' }),
  groupInstanceId: string({
    since: 4,
    nullableSince: 4,
    default: null,
    ignorable: true,
    about: 'Id of a static member (KIP-345); null for a dynamic one.',
  }),
  clientId: string({ about: 'Client id of the member.' }),
  clientHost: string({ about: 'Host the member connects from.' }),
  memberMetadata: bytes({ about: 'Subscription of the member, opaque to the broker.' }),
  memberAssignment: bytes({ about: 'Assignment of the member, opaque to the broker.' }),
})

const DescribedGroup = struct('DescribedGroup', {
  errorCode: int16({ about: 'Error of this entry, 0 if none.' }),
  errorMessage: string({
    since: 6,
    nullableSince: 6,
    default: null,
    about: 'What went wrong in words, or null.',
  }),
  groupId: string({ about: 'The group.' }),
  groupState: string({ about: 'State of the group, by name.' }),
  protocolType: string({ about: 'Kind of the group, such as consumer.' }),
  protocolData: string({ about: 'Assignor the group uses.' }),
  members: array(DescribedGroupMember, { about: 'Members of the group.' }),
  authorizedOperations: int32({
    since: 3,
    default: -2147483648,
    about: 'Bit field of the operations the caller may do; -2147483648 if not asked for.',
  }),
})

export const DescribeGroupsResponse = defineResponse(head, {
  throttleTimeMs: int32({
    since: 1,
    ignorable: true,
    about: 'How long a quota makes the client wait before its next request, in milliseconds.',
  }),
  groups: array(DescribedGroup, { about: 'One description per group.' }),
})
export type DescribeGroupsResponse = Infer<typeof DescribeGroupsResponse>
