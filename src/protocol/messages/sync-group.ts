/**
 * SyncGroup hands the leader's assignment to the members of a classic group. v3 static members
 * (KIP-345), v4 flexible, v5 protocol type and name (KIP-559).
 */
import { array, bytes, int16, int32, string, struct } from '../schema/field.js'
import { ApiKey } from '../api-keys.js'
import { type Infer, defineRequest, defineResponse } from '../schema/message.js'

const head = { apiKey: ApiKey.SyncGroup, versions: [0, 5], flexibleSince: 4 } as const

const SyncGroupRequestAssignment = struct('SyncGroupRequestAssignment', {
  memberId: string({ about: 'Id of the member.' }),
  assignment: bytes({ about: 'What is assigned to the member.' }),
})

export const SyncGroupRequest = defineRequest(head, {
  groupId: string({ about: 'The group.' }),
  generationId: int32({ about: 'Generation the member believes in.' }),
  memberId: string({ about: 'Id of the member.' }),
  groupInstanceId: string({
    since: 3,
    nullableSince: 3,
    default: null,
    about: 'Id of a static member (KIP-345); null for a dynamic one.',
  }),
  protocolType: string({
    since: 5,
    nullableSince: 5,
    default: null,
    ignorable: true,
    about: 'Kind of the group, such as consumer.',
  }),
  protocolName: string({
    since: 5,
    nullableSince: 5,
    default: null,
    ignorable: true,
    about: 'Protocol, that is the assignor, that was chosen.',
  }),
  assignments: array(SyncGroupRequestAssignment, {
    about: 'Assignment of each member, from the leader only.',
  }),
})
export type SyncGroupRequest = Infer<typeof SyncGroupRequest>

export const SyncGroupResponse = defineResponse(head, {
  throttleTimeMs: int32({
    since: 1,
    ignorable: true,
    about: 'How long a quota makes the client wait before its next request, in milliseconds.',
  }),
  errorCode: int16({ about: 'Error of the whole request, 0 if none.' }),
  protocolType: string({
    since: 5,
    nullableSince: 5,
    default: null,
    ignorable: true,
    about: 'Kind of the group, such as consumer.',
  }),
  protocolName: string({
    since: 5,
    nullableSince: 5,
    default: null,
    ignorable: true,
    about: 'Protocol, that is the assignor, that was chosen.',
  }),
  assignment: bytes({ about: 'What is assigned to the member.' }),
})
export type SyncGroupResponse = Infer<typeof SyncGroupResponse>
