/**
 * DescribeDelegationToken lists delegation tokens (KIP-48). v2 flexible, v3 the requester
 * (KIP-373).
 */
import { array, bytes, int16, int32, int64, string, struct } from '../schema/field.js'
import { ApiKey } from '../api-keys.js'
import { type Infer, defineRequest, defineResponse } from '../schema/message.js'

const head = { apiKey: ApiKey.DescribeDelegationToken, versions: [1, 3], flexibleSince: 2 } as const

const DescribeDelegationTokenOwner = struct('DescribeDelegationTokenOwner', {
  principalType: string({ about: 'Type of the principal.' }),
  principalName: string({ about: 'Name of the principal.' }),
})

export const DescribeDelegationTokenRequest = defineRequest(head, {
  owners: array(DescribeDelegationTokenOwner, {
    nullableSince: 1,
    about: 'Owners whose tokens are wanted; null for all.',
  }),
})
export type DescribeDelegationTokenRequest = Infer<typeof DescribeDelegationTokenRequest>

const DescribedDelegationTokenRenewer = struct('DescribedDelegationTokenRenewer', {
  principalType: string({ about: 'Type of the principal.' }),
  principalName: string({ about: 'Name of the principal.' }),
})

const DescribedDelegationToken = struct('DescribedDelegationToken', {
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
  issueTimestamp: int64({ about: 'When the token was made, in milliseconds.' }),
  expiryTimestamp: int64({ about: 'When the token ends unless renewed, in milliseconds.' }),
  maxTimestamp: int64({ about: 'When the token ends for good, in milliseconds.' }),
  tokenId: string({ about: 'Id of the token.' }),
  hmac: bytes({ about: 'The secret of the token.' }),
  renewers: array(DescribedDelegationTokenRenewer, {
    about: 'Principals that may renew the token besides the owner.',
  }),
})

export const DescribeDelegationTokenResponse = defineResponse(head, {
  errorCode: int16({ about: 'Error of the whole request, 0 if none.' }),
  tokens: array(DescribedDelegationToken, { about: 'The tokens.' }),
  throttleTimeMs: int32({
    about: 'How long a quota makes the client wait before its next request, in milliseconds.',
  }),
})
export type DescribeDelegationTokenResponse = Infer<typeof DescribeDelegationTokenResponse>
