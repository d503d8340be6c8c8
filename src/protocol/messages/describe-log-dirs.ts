/**
 * DescribeLogDirs tells the size of logs and volumes (KIP-113). v2 flexible, v3 a top-level error,
 * v4 volume sizes (KIP-827), v5 cordoned directories (KIP-1066).
 */
import { array, bool, int16, int32, int64, string, struct } from '../schema/field.js'
import { ApiKey } from '../api-keys.js'
import { type Infer, defineRequest, defineResponse } from '../schema/message.js'

const head = { apiKey: ApiKey.DescribeLogDirs, versions: [1, 5], flexibleSince: 2 } as const

const DescribableLogDirTopic = struct('DescribableLogDirTopic', {
  topic: string({ about: 'The topic.' }),
  partitions: array(int32(), { about: 'The partitions.' }),
})

export const DescribeLogDirsRequest = defineRequest(head, {
  topics: array(DescribableLogDirTopic, {
    nullableSince: 1,
    about: 'Topics asked about; null for all.',
  }),
})
export type DescribeLogDirsRequest = Infer<typeof DescribeLogDirsRequest>

const DescribeLogDirsPartition = struct('DescribeLogDirsPartition', {
  partitionIndex: int32({ about: 'The partition.' }),
  partitionSize: int64({ about: 'Bytes the log takes on disk.' }),
  offsetLag: int64({
    about: 'How far a moving copy is behind, else end offset less high watermark.',
  }),
  isFutureKey: bool({
    about: 'True for a log that is being moved here and will replace the current one.',
  }),
})

const DescribeLogDirsTopic = struct('DescribeLogDirsTopic', {
  name: string({ about: 'The name.' }),
  partitions: array(DescribeLogDirsPartition, { about: 'The partitions.' }),
})

const DescribeLogDirsResult = struct('DescribeLogDirsResult', {
  errorCode: int16({ about: 'Error of this entry, 0 if none.' }),
  logDir: string({ about: 'Path of the log directory.' }),
  topics: array(DescribeLogDirsTopic, { about: 'The topics.' }),
  totalBytes: int64({
    since: 4,
    default: -1n,
    ignorable: true,
    about: 'Size of the volume; -1 if unknown.',
  }),
  usableBytes: int64({
    since: 4,
    default: -1n,
    ignorable: true,
    about: 'Free bytes of the volume; -1 if unknown.',
  }),
  isCordoned: bool({
    since: 5,
    default: false,
    ignorable: true,
    about: 'True if no new partitions are placed in the directory.',
  }),
})

export const DescribeLogDirsResponse = defineResponse(head, {
  throttleTimeMs: int32({
    about: 'How long a quota makes the client wait before its next request, in milliseconds.',
  }),
  errorCode: int16({ since: 3, ignorable: true, about: 'Error of the whole request, 0 if none.' }),
  results: array(DescribeLogDirsResult, { about: 'One result per entry of the request.' }),
})
export type DescribeLogDirsResponse = Infer<typeof DescribeLogDirsResponse>
