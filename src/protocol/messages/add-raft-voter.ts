/**
 * AddRaftVoter adds a voter to the Raft quorum (KIP-853). v1 may answer before the commit
 * (KIP-1186).
 */
import { array, bool, int16, int32, string, struct, uint16, uuid } from '../schema/field.js'
import { ApiKey } from '../api-keys.js'
import { type Infer, defineRequest, defineResponse } from '../schema/message.js'

const head = { apiKey: ApiKey.AddRaftVoter, versions: [0, 1], flexibleSince: 0 } as const

const Listener = struct('Listener', {
  name: string({ about: 'The name.' }),
  host: string({ about: 'Host name.' }),
  port: uint16({ about: 'Port.' }),
})

export const AddRaftVoterRequest = defineRequest(head, {
  clusterId: string({ nullableSince: 0, about: 'The id of the cluster.' }),
  timeoutMs: int32({ about: 'How long the broker may take, in milliseconds.' }),
  voterId: int32({ about: 'Node id of the voter.' }),
  voterDirectoryId: uuid({ about: 'Log directory of the voter (KIP-853).' }),
  listeners: array(Listener, { about: 'Endpoints of the voter.' }),
  ackWhenCommitted: bool({
    since: 1,
    default: true,
    about: 'True to answer only when the change is committed.',
  }),
})
export type AddRaftVoterRequest = Infer<typeof AddRaftVoterRequest>

export const AddRaftVoterResponse = defineResponse(head, {
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
export type AddRaftVoterResponse = Infer<typeof AddRaftVoterResponse>
