/**
 * UpdateFeatures changes finalized feature levels (KIP-584). v1 upgrade types, v2 no results per
 * feature (KIP-1022).
 */
import { array, bool, int16, int32, int8, string, struct } from '../schema/field.js'
import { ApiKey } from '../api-keys.js'
import { type Infer, defineRequest, defineResponse } from '../schema/message.js'

const head = { apiKey: ApiKey.UpdateFeatures, versions: [0, 2], flexibleSince: 0 } as const

const FeatureUpdateKey = struct('FeatureUpdateKey', {
  feature: string({ about: 'Name of the feature.' }),
  maxVersionLevel: int16({ about: 'Highest level.' }),
  allowDowngrade: bool({
    until: 0,
    about: 'Older form of upgradeType: true allows a lower level.',
  }),
  upgradeType: int8({
    since: 1,
    default: 1,
    about: '1 upgrade, 2 safe downgrade, 3 unsafe downgrade.',
  }),
})

export const UpdateFeaturesRequest = defineRequest(head, {
  timeoutMs: int32({ default: 60000, about: 'How long the broker may take, in milliseconds.' }),
  featureUpdates: array(FeatureUpdateKey, { about: 'The features to change.' }),
  validateOnly: bool({ since: 1, default: false, about: 'True to check without doing.' }),
})
export type UpdateFeaturesRequest = Infer<typeof UpdateFeaturesRequest>

const UpdatableFeatureResult = struct('UpdatableFeatureResult', {
  feature: string({ about: 'Name of the feature.' }),
  errorCode: int16({ about: 'Error of this entry, 0 if none.' }),
  errorMessage: string({ nullableSince: 0, about: 'What went wrong in words, or null.' }),
})

export const UpdateFeaturesResponse = defineResponse(head, {
  throttleTimeMs: int32({
    about: 'How long a quota makes the client wait before its next request, in milliseconds.',
  }),
  errorCode: int16({ about: 'Error of the whole request, 0 if none.' }),
  errorMessage: string({ nullableSince: 0, about: 'What went wrong in words, or null.' }),
  results: array(UpdatableFeatureResult, {
    until: 1,
    ignorable: true,
    about: 'One result per entry of the request.',
  }),
})
export type UpdateFeaturesResponse = Infer<typeof UpdateFeaturesResponse>
