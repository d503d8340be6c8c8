/**
 * WriteTxnMarkers writes commit and abort markers, sent by the transaction coordinator. v1
 * flexible, v2 the transaction version (KIP-1228).
 */
import { array, bool, int16, int32, int64, int8, string, struct } from '../schema/field.js'
import { ApiKey } from '../api-keys.js'
import { type Infer, defineRequest, defineResponse } from '../schema/message.js'

const head = { apiKey: ApiKey.WriteTxnMarkers, versions: [1, 2], flexibleSince: 1 } as const

const WritableTxnMarkerTopic = struct('WritableTxnMarkerTopic', {
  name: string({ about: 'The name.' }),
  partitionIndexes: array(int32(), { about: 'The partitions.' }),
})

const WritableTxnMarker = struct('WritableTxnMarker', {
  producerId: int64({ about: 'Id of the producer; -1 if it has none.' }),
  producerEpoch: int16({ about: 'Epoch of the producer; -1 if it has none.' }),
  transactionResult: bool({ about: 'True commits, false aborts.' }),
  topics: array(WritableTxnMarkerTopic, { about: 'Partitions to write the marker to.' }),
  coordinatorEpoch: int32({ about: 'Epoch of the transaction coordinator that sends this.' }),
  transactionVersion: int8({
    since: 2,
    default: 0,
    ignorable: true,
    about: 'Transaction protocol of the marker: 0, 1 or 2 (KIP-890).',
  }),
})

export const WriteTxnMarkersRequest = defineRequest(head, {
  markers: array(WritableTxnMarker, { about: 'Markers to write.' }),
})
export type WriteTxnMarkersRequest = Infer<typeof WriteTxnMarkersRequest>

const WritableTxnMarkerPartitionResult = struct('WritableTxnMarkerPartitionResult', {
  partitionIndex: int32({ about: 'The partition.' }),
  errorCode: int16({ about: 'Error of this entry, 0 if none.' }),
})

const WritableTxnMarkerTopicResult = struct('WritableTxnMarkerTopicResult', {
  name: string({ about: 'The name.' }),
  partitions: array(WritableTxnMarkerPartitionResult, { about: 'The partitions.' }),
})

const WritableTxnMarkerResult = struct('WritableTxnMarkerResult', {
  producerId: int64({ about: 'Id of the producer; -1 if it has none.' }),
  topics: array(WritableTxnMarkerTopicResult, { about: 'The topics.' }),
})

export const WriteTxnMarkersResponse = defineResponse(head, {
  markers: array(WritableTxnMarkerResult, { about: 'Markers to write.' }),
})
export type WriteTxnMarkersResponse = Infer<typeof WriteTxnMarkersResponse>
