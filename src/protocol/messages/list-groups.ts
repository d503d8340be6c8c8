/**
 * ListGroups lists the groups a broker coordinates. v3 flexible, v4 states (KIP-518), v5 types
 * (KIP-848).
 */
import { array, int16, int32, string, struct } from '../schema/field.js'
import { ApiKey } from '../api-keys.js'
import { type Infer, defineRequest, defineResponse } from '../schema/message.js'

const head = { apiKey: ApiKey.ListGroups, versions: [0, 5], flexibleSince: 3 } as const

export const ListGroupsRequest = defineRequest(head, {
  statesFilter: array(string(), {
    since: 4,
    about: 'Only groups in these states; empty for all (KIP-518).',
  }),
  typesFilter: array(string(), {
    since: 5,
    about: 'Only groups of these types; empty for all (KIP-848).',
  }),
})
export type ListGroupsRequest = Infer<typeof ListGroupsRequest>

const ListedGroup = struct('ListedGroup', {
  groupId: string({ about: 'The group.' }),
  protocolType: string({ about: 'Kind of the group, such as consumer.' }),
  groupState: string({ since: 4, ignorable: true, about: 'State of the group, by name.' }),
  groupType: string({
    since: 5,
    ignorable: true,
    about: 'Type of the group: classic, consumer, share or streams.',
  }),
})

export const ListGroupsResponse = defineResponse(head, {
  throttleTimeMs: int32({
    since: 1,
    ignorable: true,
    about: 'How long a quota makes the client wait before its next request, in milliseconds.',
  }),
  errorCode: int16({ about: 'Error of the whole request, 0 if none.' }),
  groups: array(ListedGroup, { about: 'The groups.' }),
})
export type ListGroupsResponse = Infer<typeof ListGroupsResponse>
