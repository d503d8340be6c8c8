/** RemoveRaftVoter removes a voter from the Raft quorum (KIP-853). */
import { int16, int32, string, uuid } from '../schema/field.js'
import { ApiKey } from '../api-keys.js'
import { type Infer, defineRequest, defineResponse } from '../schema/message.js'

const head = { apiKey: ApiKey.RemoveRaftVoter, versions: [0, 0], flexibleSince: 0 } as const

export const RemoveRaftVoterRequest = defineRequest(head, {
  clusterId: string({ nullableSince: 0, about: 'The id of the cluster.' }),
  voterId: int32({ about: 'Node id of the voter.' }),
  voterDirectoryId: uuid({ about: 'Log directory of the voter (KIP-853).' }),
})
export type RemoveRaftVoterRequest = Infer<typeof RemoveRaftVoterRequest>

export const RemoveRaftVoterResponse = defineResponse(head, {
  throttleTimeMs: int32({
    about: 'How long a quota makes the client wait before its next request, in milliseconds.',
  }),
  errorCode: int16({ about: 'Error of the whole request, 0 if none.' }),
  errorMessage: string({
    nullableSince: 0,
    ignorable: true,
    about: 'What went wrong in words, or null.',
  }),
})
export type RemoveRaftVoterResponse = Infer<typeof RemoveRaftVoterResponse>
