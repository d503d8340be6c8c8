/** DeleteGroups deletes empty groups (KIP-229). v2 flexible, v3 error messages. */
import { array, int16, int32, string, struct } from '../schema/field.js'
import { ApiKey } from '../api-keys.js'
import { type Infer, defineRequest, defineResponse } from '../schema/message.js'

const head = { apiKey: ApiKey.DeleteGroups, versions: [0, 3], flexibleSince: 2 } as const

export const DeleteGroupsRequest = defineRequest(head, {
  groupsNames: array(string(), { about: 'The groups to delete.' }),
})
export type DeleteGroupsRequest = Infer<typeof DeleteGroupsRequest>

const DeletableGroupResult = struct('DeletableGroupResult', {
  groupId: string({ about: 'The group.' }),
  errorCode: int16({ about: 'Error of this entry, 0 if none.' }),
  errorMessage: string({
    since: 3,
    nullableSince: 3,
    default: null,
    ignorable: true,
    about: 'What went wrong in words, or null.',
  }),
})

export const DeleteGroupsResponse = defineResponse(head, {
  throttleTimeMs: int32({
    about: 'How long a quota makes the client wait before its next request, in milliseconds.',
  }),
  results: array(DeletableGroupResult, { about: 'One result per entry of the request.' }),
})
export type DeleteGroupsResponse = Infer<typeof DeleteGroupsResponse>
