/**
 * FindCoordinator finds the broker that coordinates a group, transaction or share partition. v1
 * key types, v4 many keys at once (KIP-699), v6 share partitions (KIP-932).
 */
import { array, int16, int32, int8, string, struct } from '../schema/field.js'
import { ApiKey } from '../api-keys.js'
import { type Infer, defineRequest, defineResponse } from '../schema/message.js'

const head = { apiKey: ApiKey.FindCoordinator, versions: [0, 6], flexibleSince: 3 } as const

export const FindCoordinatorRequest = defineRequest(head, {
  key: string({ until: 3, about: 'The key whose coordinator is wanted (one, below version 4).' }),
  keyType: int8({ since: 1, default: 0, about: '0 group, 1 transaction, 2 share partition.' }),
  coordinatorKeys: array(string(), {
    since: 4,
    about: 'Keys whose coordinators are wanted (KIP-699).',
  }),
})
export type FindCoordinatorRequest = Infer<typeof FindCoordinatorRequest>

const Coordinator = struct('Coordinator', {
  key: string({ since: 4, about: 'The key.' }),
  nodeId: int32({ since: 4, about: 'The broker.' }),
  host: string({ since: 4, about: 'Host name.' }),
  port: int32({ since: 4, about: 'Port.' }),
  errorCode: int16({ since: 4, about: 'Error of this entry, 0 if none.' }),
  errorMessage: string({
    since: 4,
    nullableSince: 4,
    ignorable: true,
    about: 'What went wrong in words, or null.',
  }),
})

export const FindCoordinatorResponse = defineResponse(head, {
  throttleTimeMs: int32({
    since: 1,
    ignorable: true,
    about: 'How long a quota makes the client wait before its next request, in milliseconds.',
  }),
  errorCode: int16({ until: 3, about: 'Error of the whole request, 0 if none.' }),
  errorMessage: string({
    since: 1,
    until: 3,
    nullableSince: 1,
    ignorable: true,
    about: 'What went wrong in words, or null.',
  }),
  nodeId: int32({ until: 3, about: 'The broker.' }),
  host: string({ until: 3, about: 'Host name.' }),
  port: int32({ until: 3, about: 'Port.' }),
  coordinators: array(Coordinator, { since: 4, about: 'One answer per key.' }),
})
export type FindCoordinatorResponse = Infer<typeof FindCoordinatorResponse>
