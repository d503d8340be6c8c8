/** SaslAuthenticate carries SASL tokens (KIP-152). v1 session lifetime (KIP-368), v2 flexible. */
import { bytes, int16, int64, string } from '../schema/field.js'
import { ApiKey } from '../api-keys.js'
import { type Infer, defineRequest, defineResponse } from '../schema/message.js'

const head = { apiKey: ApiKey.SaslAuthenticate, versions: [0, 2], flexibleSince: 2 } as const

export const SaslAuthenticateRequest = defineRequest(head, {
  authBytes: bytes({ about: 'The SASL bytes, opaque to the protocol.' }),
})
export type SaslAuthenticateRequest = Infer<typeof SaslAuthenticateRequest>

export const SaslAuthenticateResponse = defineResponse(head, {
  errorCode: int16({ about: 'Error of the whole request, 0 if none.' }),
  errorMessage: string({ nullableSince: 0, about: 'What went wrong in words, or null.' }),
  authBytes: bytes({ about: 'The SASL bytes, opaque to the protocol.' }),
  sessionLifetimeMs: int64({
    since: 1,
    default: 0n,
    ignorable: true,
    about: 'When to authenticate again, in milliseconds; 0 for never (KIP-368).',
  }),
})
export type SaslAuthenticateResponse = Infer<typeof SaslAuthenticateResponse>
