/** DescribeUserScramCredentials lists SCRAM users without their secrets (KIP-554). */
import { array, int16, int32, int8, string, struct } from '../schema/field.js'
import { ApiKey } from '../api-keys.js'
import { type Infer, defineRequest, defineResponse } from '../schema/message.js'

const head = {
  apiKey: ApiKey.DescribeUserScramCredentials,
  versions: [0, 0],
  flexibleSince: 0,
} as const

const UserName = struct('UserName', {
  name: string({ about: 'The name.' }),
})

export const DescribeUserScramCredentialsRequest = defineRequest(head, {
  users: array(UserName, { nullableSince: 0, about: 'The users asked about; null for all.' }),
})
export type DescribeUserScramCredentialsRequest = Infer<typeof DescribeUserScramCredentialsRequest>

const CredentialInfo = struct('CredentialInfo', {
  mechanism: int8({ about: 'SASL or SCRAM mechanism.' }),
  iterations: int32({ about: 'Rounds of the SCRAM hash.' }),
})

const DescribeUserScramCredentialsResult = struct('DescribeUserScramCredentialsResult', {
  user: string({ about: 'The user.' }),
  errorCode: int16({ about: 'Error of this entry, 0 if none.' }),
  errorMessage: string({ nullableSince: 0, about: 'What went wrong in words, or null.' }),
  credentialInfos: array(CredentialInfo, { about: 'Mechanism and iterations of each credential.' }),
})

export const DescribeUserScramCredentialsResponse = defineResponse(head, {
  throttleTimeMs: int32({
    about: 'How long a quota makes the client wait before its next request, in milliseconds.',
  }),
  errorCode: int16({ about: 'Error of the whole request, 0 if none.' }),
  errorMessage: string({ nullableSince: 0, about: 'What went wrong in words, or null.' }),
  results: array(DescribeUserScramCredentialsResult, {
    about: 'One result per entry of the request.',
  }),
})
export type DescribeUserScramCredentialsResponse = Infer<
  typeof DescribeUserScramCredentialsResponse
>
