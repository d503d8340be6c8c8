/**
 * LeaveGroup takes members out of a classic group. v3 several at once (KIP-345), v4 flexible, v5
 * reasons (KIP-800).
 */
import { array, int16, int32, string, struct } from '../schema/field.js'
import { ApiKey } from '../api-keys.js'
import { type Infer, defineRequest, defineResponse } from '../schema/message.js'

const head = { apiKey: ApiKey.LeaveGroup, versions: [0, 5], flexibleSince: 4 } as const

const MemberIdentity = struct('MemberIdentity', {
  memberId: string({ since: 3, about: 'Id of the member.' }),
  groupInstanceId: string({
    since: 3,
    nullableSince: 3,
    default: null,
    about: 'Id of a static member (KIP-345); null for a dynamic one.',
  }),
  reason: string({
    since: 5,
    nullableSince: 5,
    default: null,
    ignorable: true,
    about: "Why, in words, for the broker's log (KIP-800).",
  }),
})

export const LeaveGroupRequest = defineRequest(head, {
  groupId: string({ about: 'The group.' }),
  memberId: string({ until: 2, about: 'Id of the member.' }),
  members: array(MemberIdentity, { since: 3, about: 'Members to remove (KIP-345).' }),
})
export type LeaveGroupRequest = Infer<typeof LeaveGroupRequest>

const MemberResponse = struct('MemberResponse', {
  memberId: string({ since: 3, about: 'Id of the member.' }),
  groupInstanceId: string({
    since: 3,
    nullableSince: 3,
    about: 'Id of a static member (KIP-345); null for a dynamic one.',
  }),
  errorCode: int16({ since: 3, about: 'Error of this entry, 0 if none.' }),
})

export const LeaveGroupResponse = defineResponse(head, {
  throttleTimeMs: int32({
    since: 1,
    ignorable: true,
    about: 'How long a quota makes the client wait before its next request, in milliseconds.',
  }),
  errorCode: int16({ about: 'Error of the whole request, 0 if none.' }),
  members: array(MemberResponse, { since: 3, about: 'Members of the group.' }),
})
export type LeaveGroupResponse = Infer<typeof LeaveGroupResponse>
