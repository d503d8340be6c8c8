/**
 * CreateDelegationToken makes a delegation token (KIP-48). v2 flexible, v3 tokens for others
 * (KIP-373).
 */
import { array, bytes, int16, int32, int64, string, struct } from '../schema/field.js'
import { ApiKey } from '../api-keys.js'
import { type Infer, defineRequest, defineResponse } from '../schema/message.js'

const head = { apiKey: ApiKey.CreateDelegationToken, versions: [1, 3], flexibleSince: 2 } as const

const CreatableRenewers = struct('CreatableRenewers', {
  principalType: string({ about: 'Type of the principal.' }),
  principalName: string({ about: 'Name of the principal.' }),
})

export const CreateDelegationTokenRequest = defineRequest(head, {
  ownerPrincipalType: string({
    since: 3,
    nullableSince: 3,
    about: 'Type of the owner; null for the caller.',
  }),
  ownerPrincipalName: string({
    since: 3,
    nullableSince: 3,
    about: 'Name of the owner; null for the caller.',
  }),
  renewers: array(CreatableRenewers, {
    about: 'Principals that may renew the token besides the owner.',
  }),
  maxLifetimeMs: int64({
    about: "How long the token may live with renewals; -1 for the broker's limit.",
  }),
})
export type CreateDelegationTokenRequest = Infer<typeof CreateDelegationTokenRequest>

export const CreateDelegationTokenResponse = defineResponse(head, {
  errorCode: int16({ about: 'Error of the whole request, 0 if none.' }),
  principalType: string({ about: 'Type of the principal.' }),
  principalName: string({ about: 'Name of the principal.' }),
  tokenRequesterPrincipalType: string({
    since: 3,
    about: 'Type of the principal that asked for the token.',
  }),
  tokenRequesterPrincipalName: string({
    since: 3,
    about: 'Name of the principal that asked for the token.',
  }),
  issueTimestampMs: int64({ about: 'When the token was made, in milliseconds.' }),
  expiryTimestampMs: int64({ about: 'When the token ends unless renewed, in milliseconds.' }),
  maxTimestampMs: int64({ about: 'When the token ends for good, in milliseconds.' }),
  tokenId: string({ about: 'Id of the token.' }),
  hmac: bytes({ about: 'The secret of the token.' }),
  throttleTimeMs: int32({
    about: 'How long a quota makes the client wait before its next request, in milliseconds.',
  }),
})
export type CreateDelegationTokenResponse = Infer<typeof CreateDelegationTokenResponse>
