/** AlterUserScramCredentials creates, replaces and deletes SCRAM credentials (KIP-554). */
import { array, bytes, int16, int32, int8, string, struct } from '../schema/field.js'
import { ApiKey } from '../api-keys.js'
import { type Infer, defineRequest, defineResponse } from '../schema/message.js'

const head = {
  apiKey: ApiKey.AlterUserScramCredentials,
  versions: [0, 0],
  flexibleSince: 0,
} as const

const ScramCredentialDeletion = struct('ScramCredentialDeletion', {
  name: string({ about: 'The name.' }),
  mechanism: int8({ about: 'SASL or SCRAM mechanism.' }),
})

const ScramCredentialUpsertion = struct('ScramCredentialUpsertion', {
  name: string({ about: 'The name.' }),
  mechanism: int8({ about: 'SASL or SCRAM mechanism.' }),
  iterations: int32({ about: 'Rounds of the SCRAM hash.' }),
  salt: bytes({ about: 'Random bytes of the SCRAM hash.' }),
  saltedPassword: bytes({ about: 'The salted and hashed password.' }),
})

export const AlterUserScramCredentialsRequest = defineRequest(head, {
  deletions: array(ScramCredentialDeletion, { about: 'The entries to delete.' }),
  upsertions: array(ScramCredentialUpsertion, { about: 'The entries to create or replace.' }),
})
export type AlterUserScramCredentialsRequest = Infer<typeof AlterUserScramCredentialsRequest>

const AlterUserScramCredentialsResult = struct('AlterUserScramCredentialsResult', {
  user: string({ about: 'The user.' }),
  errorCode: int16({ about: 'Error of this entry, 0 if none.' }),
  errorMessage: string({ nullableSince: 0, about: 'What went wrong in words, or null.' }),
})

export const AlterUserScramCredentialsResponse = defineResponse(head, {
  throttleTimeMs: int32({
    about: 'How long a quota makes the client wait before its next request, in milliseconds.',
  }),
  results: array(AlterUserScramCredentialsResult, {
    about: 'One result per entry of the request.',
  }),
})
export type AlterUserScramCredentialsResponse = Infer<typeof AlterUserScramCredentialsResponse>
