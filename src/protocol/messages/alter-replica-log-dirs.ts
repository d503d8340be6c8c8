/**
 * AlterReplicaLogDirs moves replicas to another log directory of their broker (KIP-113). v2
 * flexible.
 */
import { array, int16, int32, string, struct } from '../schema/field.js'
import { ApiKey } from '../api-keys.js'
import { type Infer, defineRequest, defineResponse } from '../schema/message.js'

const head = { apiKey: ApiKey.AlterReplicaLogDirs, versions: [1, 2], flexibleSince: 2 } as const

const AlterReplicaLogDirTopic = struct('AlterReplicaLogDirTopic', {
  name: string({ about: 'The name.' }),
  partitions: array(int32(), { about: 'The partitions.' }),
})

const AlterReplicaLogDir = struct('AlterReplicaLogDir', {
  path: string({ about: 'Directory to move the replicas to.' }),
  topics: array(AlterReplicaLogDirTopic, { about: 'The topics.' }),
})

export const AlterReplicaLogDirsRequest = defineRequest(head, {
  dirs: array(AlterReplicaLogDir, { about: 'The log directories.' }),
})
export type AlterReplicaLogDirsRequest = Infer<typeof AlterReplicaLogDirsRequest>

const AlterReplicaLogDirPartitionResult = struct('AlterReplicaLogDirPartitionResult', {
  partitionIndex: int32({ about: 'The partition.' }),
  errorCode: int16({ about: 'Error of this entry, 0 if none.' }),
})

const AlterReplicaLogDirTopicResult = struct('AlterReplicaLogDirTopicResult', {
  topicName: string({ about: 'The topic.' }),
  partitions: array(AlterReplicaLogDirPartitionResult, { about: 'The partitions.' }),
})

export const AlterReplicaLogDirsResponse = defineResponse(head, {
  throttleTimeMs: int32({
    about: 'How long a quota makes the client wait before its next request, in milliseconds.',
  }),
  results: array(AlterReplicaLogDirTopicResult, { about: 'One result per entry of the request.' }),
})
export type AlterReplicaLogDirsResponse = Infer<typeof AlterReplicaLogDirsResponse>
