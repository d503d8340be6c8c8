/** DeleteRecords moves the log start offset forward (KIP-107). v2 flexible. */
import { array, int16, int32, int64, string, struct } from '../schema/field.js'
import { ApiKey } from '../api-keys.js'
import { type Infer, defineRequest, defineResponse } from '../schema/message.js'

const head = { apiKey: ApiKey.DeleteRecords, versions: [0, 2], flexibleSince: 2 } as const

const DeleteRecordsPartition = struct('DeleteRecordsPartition', {
  partitionIndex: int32({ about: 'The partition.' }),
  offset: int64({ about: 'Delete everything before this offset; -1 for the high watermark.' }),
})

const DeleteRecordsTopic = struct('DeleteRecordsTopic', {
  name: string({ about: 'The name.' }),
  partitions: array(DeleteRecordsPartition, { about: 'The partitions.' }),
})

export const DeleteRecordsRequest = defineRequest(head, {
  topics: array(DeleteRecordsTopic, { about: 'The topics.' }),
  timeoutMs: int32({ about: 'How long the broker may take, in milliseconds.' }),
})
export type DeleteRecordsRequest = Infer<typeof DeleteRecordsRequest>

const DeleteRecordsPartitionResult = struct('DeleteRecordsPartitionResult', {
  partitionIndex: int32({ about: 'The partition.' }),
  lowWatermark: int64({ about: 'Smallest log start offset of the replicas.' }),
  errorCode: int16({ about: 'Error of this entry, 0 if none.' }),
})

const DeleteRecordsTopicResult = struct('DeleteRecordsTopicResult', {
  name: string({ about: 'The name.' }),
  partitions: array(DeleteRecordsPartitionResult, { about: 'The partitions.' }),
})

export const DeleteRecordsResponse = defineResponse(head, {
  throttleTimeMs: int32({
    about: 'How long a quota makes the client wait before its next request, in milliseconds.',
  }),
  topics: array(DeleteRecordsTopicResult, { about: 'The topics.' }),
})
export type DeleteRecordsResponse = Infer<typeof DeleteRecordsResponse>
