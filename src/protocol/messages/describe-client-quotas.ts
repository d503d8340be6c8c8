/** DescribeClientQuotas reads client quotas (KIP-546). v1 flexible. */
import { array, bool, float64, int16, int32, int8, string, struct } from '../schema/field.js'
import { ApiKey } from '../api-keys.js'
import { type Infer, defineRequest, defineResponse } from '../schema/message.js'

const head = { apiKey: ApiKey.DescribeClientQuotas, versions: [0, 1], flexibleSince: 1 } as const

const ComponentData = struct('ComponentData', {
  entityType: string({ about: 'Kind of the entity: user, client-id or ip.' }),
  matchType: int8({ about: '0 exact name, 1 the default entity, 2 any name.' }),
  match: string({
    nullableSince: 0,
    about: 'What to match: a name, or null with the kinds that need none.',
  }),
})

export const DescribeClientQuotasRequest = defineRequest(head, {
  components: array(ComponentData, { about: 'Parts of the entity that must match.' }),
  strict: bool({ about: 'True to fail if any of the entities has a component that is not named.' }),
})
export type DescribeClientQuotasRequest = Infer<typeof DescribeClientQuotasRequest>

const EntityData = struct('EntityData', {
  entityType: string({ about: 'Kind of the entity: user, client-id or ip.' }),
  entityName: string({ nullableSince: 0, about: 'Name of the entity; null for the default.' }),
})

const ValueData = struct('ValueData', {
  key: string({ about: 'The key.' }),
  value: float64({ about: 'The value.' }),
})

const EntryData = struct('EntryData', {
  entity: array(EntityData, { about: 'The entity, as a list of type and name.' }),
  values: array(ValueData, { about: 'The quotas.' }),
})

export const DescribeClientQuotasResponse = defineResponse(head, {
  throttleTimeMs: int32({
    about: 'How long a quota makes the client wait before its next request, in milliseconds.',
  }),
  errorCode: int16({ about: 'Error of the whole request, 0 if none.' }),
  errorMessage: string({ nullableSince: 0, about: 'What went wrong in words, or null.' }),
  entries: array(EntryData, { nullableSince: 0, about: 'The entries found or to change.' }),
})
export type DescribeClientQuotasResponse = Infer<typeof DescribeClientQuotasResponse>
