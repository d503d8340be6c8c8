/** Heartbeat keeps a member of a classic group alive. v3 static members (KIP-345), v4 flexible. */
import { int16, int32, string } from '../schema/field.js'
import { ApiKey } from '../api-keys.js'
import { type Infer, defineRequest, defineResponse } from '../schema/message.js'

const head = { apiKey: ApiKey.Heartbeat, versions: [0, 4], flexibleSince: 4 } as const

export const HeartbeatRequest = defineRequest(head, {
  groupId: string({ about: 'The group.' }),
  generationId: int32({ about: 'Generation the member believes in.' }),
  memberId: string({ about: 'Id of the member.' }),
  groupInstanceId: string({
    since: 3,
    nullableSince: 3,
    default: null,
    about: 'Id of a static member (KIP-345); null for a dynamic one.',
  }),
})
export type HeartbeatRequest = Infer<typeof HeartbeatRequest>

export const HeartbeatResponse = defineResponse(head, {
  throttleTimeMs: int32({
    since: 1,
    ignorable: true,
    about: 'How long a quota makes the client wait before its next request, in milliseconds.',
  }),
  errorCode: int16({ about: 'Error of the whole request, 0 if none.' }),
})
export type HeartbeatResponse = Infer<typeof HeartbeatResponse>
