/** UnregisterController removes a controller's registration. */
import { int16, int32, string } from '../schema/field.js'
import { ApiKey } from '../api-keys.js'
import { type Infer, defineRequest, defineResponse } from '../schema/message.js'

const head = { apiKey: ApiKey.UnregisterController, versions: [0, 0], flexibleSince: 0 } as const

export const UnregisterControllerRequest = defineRequest(head, {
  controllerId: int32({ about: 'Broker that is the controller; -1 if none is known.' }),
})
export type UnregisterControllerRequest = Infer<typeof UnregisterControllerRequest>

export const UnregisterControllerResponse = defineResponse(head, {
  throttleTimeMs: int32({
    about: 'How long a quota makes the client wait before its next request, in milliseconds.',
  }),
  errorCode: int16({ about: 'Error of the whole request, 0 if none.' }),
  errorMessage: string({ nullableSince: 0, about: 'What went wrong in words, or null.' }),
})
export type UnregisterControllerResponse = Infer<typeof UnregisterControllerResponse>
