/** GetTelemetrySubscriptions tells a client which metrics to push (KIP-714). */
import { array, bool, int16, int32, int8, string, uuid } from '../schema/field.js'
import { ApiKey } from '../api-keys.js'
import { type Infer, defineRequest, defineResponse } from '../schema/message.js'

const head = {
  apiKey: ApiKey.GetTelemetrySubscriptions,
  versions: [0, 0],
  flexibleSince: 0,
} as const

export const GetTelemetrySubscriptionsRequest = defineRequest(head, {
  clientInstanceId: uuid({ about: 'Id of the client instance; all zero in the first request.' }),
})
export type GetTelemetrySubscriptionsRequest = Infer<typeof GetTelemetrySubscriptionsRequest>

export const GetTelemetrySubscriptionsResponse = defineResponse(head, {
  throttleTimeMs: int32({
    about: 'How long a quota makes the client wait before its next request, in milliseconds.',
  }),
  errorCode: int16({ about: 'Error of the whole request, 0 if none.' }),
  clientInstanceId: uuid({ about: 'Id of the client instance; all zero in the first request.' }),
  subscriptionId: int32({ about: 'Id of the set of metrics subscribed to.' }),
  acceptedCompressionTypes: array(int8(), {
    about: 'Codecs the broker takes for pushed metrics, best first.',
  }),
  pushIntervalMs: int32({ about: 'How often to push, in milliseconds.' }),
  telemetryMaxBytes: int32({ about: 'Most bytes of one push.' }),
  deltaTemporality: bool({ about: 'True for deltas, false for running totals.' }),
  requestedMetrics: array(string(), {
    about: 'Prefixes of the metrics wanted; one empty string for all.',
  }),
})
export type GetTelemetrySubscriptionsResponse = Infer<typeof GetTelemetrySubscriptionsResponse>
