/** PushTelemetry takes the metrics a client pushes (KIP-714). */
import { bool, bytes, int16, int32, int8, uuid } from '../schema/field.js'
import { ApiKey } from '../api-keys.js'
import { type Infer, defineRequest, defineResponse } from '../schema/message.js'

const head = { apiKey: ApiKey.PushTelemetry, versions: [0, 0], flexibleSince: 0 } as const

export const PushTelemetryRequest = defineRequest(head, {
  clientInstanceId: uuid({ about: 'Id of the client instance; all zero in the first request.' }),
  subscriptionId: int32({ about: 'Id of the set of metrics subscribed to.' }),
  terminating: bool({ about: 'True for the last push before the client closes.' }),
  compressionType: int8({ about: 'Codec of the pushed metrics.' }),
  metrics: bytes({ about: 'The metrics, as OTLP bytes.' }),
})
export type PushTelemetryRequest = Infer<typeof PushTelemetryRequest>

export const PushTelemetryResponse = defineResponse(head, {
  throttleTimeMs: int32({
    about: 'How long a quota makes the client wait before its next request, in milliseconds.',
  }),
  errorCode: int16({ about: 'Error of the whole request, 0 if none.' }),
})
export type PushTelemetryResponse = Infer<typeof PushTelemetryResponse>
