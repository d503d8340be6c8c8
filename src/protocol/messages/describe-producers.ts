/** DescribeProducers lists the producers with state in partitions (KIP-664). */
import { array, int16, int32, int64, string, struct } from '../schema/field.js'
import { ApiKey } from '../api-keys.js'
import { type Infer, defineRequest, defineResponse } from '../schema/message.js'

const head = { apiKey: ApiKey.DescribeProducers, versions: [0, 0], flexibleSince: 0 } as const

const TopicRequest = struct('TopicRequest', {
  name: string({ about: 'The name.' }),
  partitionIndexes: array(int32(), { about: 'The partitions.' }),
})

export const DescribeProducersRequest = defineRequest(head, {
  topics: array(TopicRequest, { about: 'The topics.' }),
})
export type DescribeProducersRequest = Infer<typeof DescribeProducersRequest>

const ProducerState = struct('ProducerState', {
  producerId: int64({ about: 'Id of the producer; -1 if it has none.' }),
  producerEpoch: int32({ about: 'Epoch of the producer; -1 if it has none.' }),
  lastSequence: int32({ default: -1, about: 'Last sequence number of the producer.' }),
  lastTimestamp: int64({ default: -1n, about: 'Time of the last batch of the producer.' }),
  coordinatorEpoch: int32({ about: 'Epoch of the transaction coordinator that sends this.' }),
  currentTxnStartOffset: int64({
    default: -1n,
    about: 'First offset of the open transaction; -1 if none.',
  }),
})

const PartitionResponse = struct('PartitionResponse', {
  partitionIndex: int32({ about: 'The partition.' }),
  errorCode: int16({ about: 'Error of this entry, 0 if none.' }),
  errorMessage: string({
    nullableSince: 0,
    default: null,
    about: 'What went wrong in words, or null.',
  }),
  activeProducers: array(ProducerState, { about: 'Producers with state in this partition.' }),
})

const TopicResponse = struct('TopicResponse', {
  name: string({ about: 'The name.' }),
  partitions: array(PartitionResponse, { about: 'The partitions.' }),
})

export const DescribeProducersResponse = defineResponse(head, {
  throttleTimeMs: int32({
    about: 'How long a quota makes the client wait before its next request, in milliseconds.',
  }),
  topics: array(TopicResponse, { about: 'The topics.' }),
})
export type DescribeProducersResponse = Infer<typeof DescribeProducersResponse>
