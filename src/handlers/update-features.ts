/**
 * UpdateFeatures v0-v2 (KIP-584, KIP-1022): changes the levels of the cluster's features, all or none. v1 validateOnly
 * and the kind of change, v2 one error for the whole request instead of one for each feature.
 */
import { ErrorCode } from '../protocol/error-codes.js'
import type {
  UpdateFeaturesRequest,
  UpdateFeaturesResponse,
} from '../protocol/messages/update-features.js'
import type { Features } from '../metadata/features.js'
import { UPGRADE_TYPE } from '../metadata/features.js'
import type { ApiHandler, RequestFailure } from './api-handler.js'

const FIRST_VERSION_WITH_ONE_ERROR = 2

export function updateFeaturesHandler(
  features: Pick<Features, 'update'>,
): ApiHandler<typeof UpdateFeaturesRequest, typeof UpdateFeaturesResponse> {
  return {
    async handle(request, { apiVersion }) {
      const updates = request.featureUpdates.map(update => ({
        ...update,
        // Kafka ignores allowDowngrade, which version 0 has instead.
        upgradeType: apiVersion > 0 ? update.upgradeType : UPGRADE_TYPE.upgrade,
      }))
      const names = new Set(updates.map(({ feature }) => feature))
      const problem = await features.update(updates, request.validateOnly)
      return answer([...names], problem ?? DONE, apiVersion)
    },
    fail: (request, failure, { apiVersion }) =>
      answer(
        request.featureUpdates.map(({ feature }) => feature),
        failure,
        apiVersion,
      ),
  }
}

const DONE: RequestFailure = { errorCode: ErrorCode.NONE, errorMessage: null }

function answer(features: readonly string[], failure: RequestFailure, apiVersion: number) {
  const isWhole = apiVersion >= FIRST_VERSION_WITH_ONE_ERROR || failure.errorCode !== ErrorCode.NONE
  // Kafka names the error of each feature even if there is none.
  const errorMessage = 'NONE'
  const results = isWhole ? [] : features.map(feature => ({ ...DONE, feature, errorMessage }))
  return { throttleTimeMs: 0, ...failure, results }
}
