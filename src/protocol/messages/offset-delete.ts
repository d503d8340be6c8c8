/** OffsetDelete deletes committed offsets of a group (KIP-496). Never flexible. */
import { array, int16, int32, string, struct } from '../schema/field.js'
import { ApiKey } from '../api-keys.js'
import { type Infer, defineRequest, defineResponse } from '../schema/message.js'

const head = { apiKey: ApiKey.OffsetDelete, versions: [0, 0], flexibleSince: null } as const

const OffsetDeleteRequestPartition = struct('OffsetDeleteRequestPartition', {
  partitionIndex: int32({ about: 'The partition.' }),
})

const OffsetDeleteRequestTopic = struct('OffsetDeleteRequestTopic', {
  name: string({ about: 'The name.' }),
  partitions: array(OffsetDeleteRequestPartition, { about: 'The partitions.' }),
})

export const OffsetDeleteRequest = defineRequest(head, {
  groupId: string({ about: 'The group.' }),
  topics: array(OffsetDeleteRequestTopic, { about: 'The topics.' }),
})
export type OffsetDeleteRequest = Infer<typeof OffsetDeleteRequest>

const OffsetDeleteResponsePartition = struct('OffsetDeleteResponsePartition', {
  partitionIndex: int32({ about: 'The partition.' }),
  errorCode: int16({ about: 'Error of this entry, 0 if none.' }),
})

const OffsetDeleteResponseTopic = struct('OffsetDeleteResponseTopic', {
  name: string({ about: 'The name.' }),
  partitions: array(OffsetDeleteResponsePartition, { about: 'The partitions.' }),
})

export const OffsetDeleteResponse = defineResponse(head, {
  errorCode: int16({ about: 'Error of the whole request, 0 if none.' }),
  throttleTimeMs: int32({
    ignorable: true,
    about: 'How long a quota makes the client wait before its next request, in milliseconds.',
  }),
  topics: array(OffsetDeleteResponseTopic, { about: 'The topics.' }),
})
export type OffsetDeleteResponse = Infer<typeof OffsetDeleteResponse>
