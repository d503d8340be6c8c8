/**
 * DescribeShareGroupOffsets tells the start offsets of share groups (KIP-932). v1 adds the lag
 * (KIP-1226).
 */
import { array, int16, int32, int64, string, struct, uuid } from '../schema/field.js'
import { ApiKey } from '../api-keys.js'
import { type Infer, defineRequest, defineResponse } from '../schema/message.js'

const head = {
  apiKey: ApiKey.DescribeShareGroupOffsets,
  versions: [0, 1],
  flexibleSince: 0,
} as const

const DescribeShareGroupOffsetsRequestTopic = struct('DescribeShareGroupOffsetsRequestTopic', {
  topicName: string({ about: 'The topic.' }),
  partitions: array(int32(), { about: 'The partitions.' }),
})

const DescribeShareGroupOffsetsRequestGroup = struct('DescribeShareGroupOffsetsRequestGroup', {
  groupId: string({ about: 'The group.' }),
  topics: array(DescribeShareGroupOffsetsRequestTopic, { nullableSince: 0, about: 'The topics.' }),
})

export const DescribeShareGroupOffsetsRequest = defineRequest(head, {
  groups: array(DescribeShareGroupOffsetsRequestGroup, { about: 'The groups.' }),
})
export type DescribeShareGroupOffsetsRequest = Infer<typeof DescribeShareGroupOffsetsRequest>

const DescribeShareGroupOffsetsResponsePartition = struct(
  'DescribeShareGroupOffsetsResponsePartition',
  {
    partitionIndex: int32({ about: 'The partition.' }),
    startOffset: int64({ about: 'First offset of the share partition that is not finished.' }),
    leaderEpoch: int32({ about: 'Epoch of the leader; -1 if unknown.' }),
    lag: int64({
      since: 1,
      default: -1n,
      ignorable: true,
      about: 'How far the copy is behind, or how many records are left to read.',
    }),
    errorCode: int16({ about: 'Error of this entry, 0 if none.' }),
    errorMessage: string({
      nullableSince: 0,
      default: null,
      about: 'What went wrong in words, or null.',
    }),
  },
)

const DescribeShareGroupOffsetsResponseTopic = struct('DescribeShareGroupOffsetsResponseTopic', {
  topicName: string({ about: 'The topic.' }),
  topicId: uuid({ about: 'Id of the topic.' }),
  partitions: array(DescribeShareGroupOffsetsResponsePartition, { about: 'The partitions.' }),
})

const DescribeShareGroupOffsetsResponseGroup = struct('DescribeShareGroupOffsetsResponseGroup', {
  groupId: string({ about: 'The group.' }),
  topics: array(DescribeShareGroupOffsetsResponseTopic, { about: 'The topics.' }),
  errorCode: int16({ about: 'Error of this entry, 0 if none.' }),
  errorMessage: string({
    nullableSince: 0,
    default: null,
    about: 'What went wrong in words, or null.',
  }),
})

export const DescribeShareGroupOffsetsResponse = defineResponse(head, {
  throttleTimeMs: int32({
    about: 'How long a quota makes the client wait before its next request, in milliseconds.',
  }),
  groups: array(DescribeShareGroupOffsetsResponseGroup, { about: 'The groups.' }),
})
export type DescribeShareGroupOffsetsResponse = Infer<typeof DescribeShareGroupOffsetsResponse>
