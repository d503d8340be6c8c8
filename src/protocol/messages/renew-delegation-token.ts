/** RenewDelegationToken extends a delegation token (KIP-48). v2 flexible. */
import { bytes, int16, int32, int64 } from '../schema/field.js'
import { ApiKey } from '../api-keys.js'
import { type Infer, defineRequest, defineResponse } from '../schema/message.js'

const head = { apiKey: ApiKey.RenewDelegationToken, versions: [1, 2], flexibleSince: 2 } as const

export const RenewDelegationTokenRequest = defineRequest(head, {
  hmac: bytes({ about: 'The secret of the token.' }),
  renewPeriodMs: int64({ about: 'How long to extend the token, in milliseconds.' }),
})
export type RenewDelegationTokenRequest = Infer<typeof RenewDelegationTokenRequest>

export const RenewDelegationTokenResponse = defineResponse(head, {
  errorCode: int16({ about: 'Error of the whole request, 0 if none.' }),
  expiryTimestampMs: int64({ about: 'When the token ends unless renewed, in milliseconds.' }),
  throttleTimeMs: int32({
    about: 'How long a quota makes the client wait before its next request, in milliseconds.',
  }),
})
export type RenewDelegationTokenResponse = Infer<typeof RenewDelegationTokenResponse>
