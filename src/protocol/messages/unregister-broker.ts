/** UnregisterBroker removes a broker's registration (KIP-500). */
import { int16, int32, string } from '../schema/field.js'
import { ApiKey } from '../api-keys.js'
import { type Infer, defineRequest, defineResponse } from '../schema/message.js'

const head = { apiKey: ApiKey.UnregisterBroker, versions: [0, 0], flexibleSince: 0 } as const

export const UnregisterBrokerRequest = defineRequest(head, {
  brokerId: int32({ about: 'The broker.' }),
})
export type UnregisterBrokerRequest = Infer<typeof UnregisterBrokerRequest>

export const UnregisterBrokerResponse = defineResponse(head, {
  throttleTimeMs: int32({
    about: 'How long a quota makes the client wait before its next request, in milliseconds.',
  }),
  errorCode: int16({ about: 'Error of the whole request, 0 if none.' }),
  errorMessage: string({ nullableSince: 0, about: 'What went wrong in words, or null.' }),
})
export type UnregisterBrokerResponse = Infer<typeof UnregisterBrokerResponse>
