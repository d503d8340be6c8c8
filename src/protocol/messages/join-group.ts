/**
 * JoinGroup makes a client a member of a classic group. v1 rebalance timeout, v4 member id first
 * (KIP-394), v5 static members (KIP-345), v6 flexible, v7 protocol type, v8 reasons (KIP-800), v9
 * skipAssignment (KIP-814).
 */
import { array, bool, bytes, int16, int32, string, struct } from '../schema/field.js'
import { ApiKey } from '../api-keys.js'
import { type Infer, defineRequest, defineResponse } from '../schema/message.js'

const head = { apiKey: ApiKey.JoinGroup, versions: [0, 9], flexibleSince: 6 } as const

const JoinGroupRequestProtocol = struct('JoinGroupRequestProtocol', {
  name: string({ about: 'The name.' }),
  metadata: bytes({ about: 'Opaque data of the client.' }),
})

export const JoinGroupRequest = defineRequest(head, {
  groupId: string({ about: 'The group.' }),
  sessionTimeoutMs: int32({ about: 'How long the member may be silent, in milliseconds.' }),
  rebalanceTimeoutMs: int32({
    since: 1,
    default: -1,
    ignorable: true,
    about: 'How long the member may take to rejoin or to give partitions up, in milliseconds.',
  }),
  memberId: string({ about: 'Id given by the coordinator; empty at the first join.' }),
  groupInstanceId: string({
    since: 5,
    nullableSince: 5,
    default: null,
    about: 'Id of a static member (KIP-345); null for a dynamic one.',
  }),
  protocolType: string({ about: 'Kind of the group, such as consumer.' }),
  protocols: array(JoinGroupRequestProtocol, {
    about: 'Protocols the member supports, best first.',
  }),
  reason: string({
    since: 8,
    nullableSince: 8,
    default: null,
    ignorable: true,
    about: "Why, in words, for the broker's log (KIP-800).",
  }),
})
export type JoinGroupRequest = Infer<typeof JoinGroupRequest>

const JoinGroupResponseMember = struct('JoinGroupResponseMember', {
  memberId: string({ about: 'Id of the member.' }),
  groupInstanceId: string({
    since: 5,
    nullableSince: 5,
    default: null,
    ignorable: true,
    about: 'Id of a static member (KIP-345); null for a dynamic one.',
  }),
  metadata: bytes({ about: 'Opaque data of the client.' }),
})

export const JoinGroupResponse = defineResponse(head, {
  throttleTimeMs: int32({
    since: 2,
    ignorable: true,
    about: 'How long a quota makes the client wait before its next request, in milliseconds.',
  }),
  errorCode: int16({ about: 'Error of the whole request, 0 if none.' }),
  generationId: int32({ default: -1, about: 'Generation the member believes in.' }),
  protocolType: string({
    since: 7,
    nullableSince: 7,
    default: null,
    ignorable: true,
    about: 'Kind of the group, such as consumer.',
  }),
  protocolName: string({
    nullableSince: 7,
    about: 'Protocol, that is the assignor, that was chosen.',
  }),
  leader: string({ about: 'Member that computes the assignment.' }),
  skipAssignment: bool({
    since: 9,
    default: false,
    about: 'True if the leader shall keep the assignment instead of computing one.',
  }),
  memberId: string({ about: 'Id of the member.' }),
  members: array(JoinGroupResponseMember, {
    about: 'All members and their subscriptions, for the leader only.',
  }),
})
export type JoinGroupResponse = Infer<typeof JoinGroupResponse>
