/**
 * SaslHandshake picks the SASL mechanism. After v1 the tokens travel in SaslAuthenticate
 * (KIP-152). Never flexible.
 */
import { array, int16, string } from '../schema/field.js'
import { ApiKey } from '../api-keys.js'
import { type Infer, defineRequest, defineResponse } from '../schema/message.js'

const head = { apiKey: ApiKey.SaslHandshake, versions: [0, 1], flexibleSince: null } as const

export const SaslHandshakeRequest = defineRequest(head, {
  mechanism: string({ about: 'Mechanism the client wants to use.' }),
})
export type SaslHandshakeRequest = Infer<typeof SaslHandshakeRequest>

export const SaslHandshakeResponse = defineResponse(head, {
  errorCode: int16({ about: 'Error of the whole request, 0 if none.' }),
  mechanisms: array(string(), { about: 'SASL mechanisms this listener has enabled.' }),
})
export type SaslHandshakeResponse = Infer<typeof SaslHandshakeResponse>
