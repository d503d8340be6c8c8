/** AlterClientQuotas changes client quotas (KIP-546). v1 flexible. */
import { array, bool, float64, int16, int32, string, struct } from '../schema/field.js'
import { ApiKey } from '../api-keys.js'
import { type Infer, defineRequest, defineResponse } from '../schema/message.js'

const head = { apiKey: ApiKey.AlterClientQuotas, versions: [0, 1], flexibleSince: 1 } as const

const EntityData = struct('EntityData', {
  entityType: string({ about: 'Kind of the entity: user, client-id or ip.' }),
  entityName: string({ nullableSince: 0, about: 'Name of the entity; null for the default.' }),
})

const OpData = struct('OpData', {
  key: string({ about: 'The key.' }),
  value: float64({ about: 'The value.' }),
  remove: bool({ about: 'True to remove the quota.' }),
})

const EntryData = struct('EntryData', {
  entity: array(EntityData, { about: 'The entity, as a list of type and name.' }),
  ops: array(OpData, { about: 'The quotas to set or remove.' }),
})

export const AlterClientQuotasRequest = defineRequest(head, {
  entries: array(EntryData, { about: 'The entries found or to change.' }),
  validateOnly: bool({ about: 'True to check without doing.' }),
})
export type AlterClientQuotasRequest = Infer<typeof AlterClientQuotasRequest>

const ResponseEntryData = struct('ResponseEntryData', {
  errorCode: int16({ about: 'Error of this entry, 0 if none.' }),
  errorMessage: string({ nullableSince: 0, about: 'What went wrong in words, or null.' }),
  entity: array(EntityData, { about: 'The entity, as a list of type and name.' }),
})

export const AlterClientQuotasResponse = defineResponse(head, {
  throttleTimeMs: int32({
    about: 'How long a quota makes the client wait before its next request, in milliseconds.',
  }),
  entries: array(ResponseEntryData, { about: 'The entries found or to change.' }),
})
export type AlterClientQuotasResponse = Infer<typeof AlterClientQuotasResponse>
