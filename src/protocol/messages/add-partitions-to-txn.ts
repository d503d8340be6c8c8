/**
 * AddPartitionsToTxn adds partitions to a transaction. Clients send up to v3; v4 and above go
 * between brokers, batched and with verification (KIP-890).
 */
import { array, bool, int16, int32, int64, string, struct } from '../schema/field.js'
import { ApiKey } from '../api-keys.js'
import { type Infer, defineRequest, defineResponse } from '../schema/message.js'

const head = { apiKey: ApiKey.AddPartitionsToTxn, versions: [0, 5], flexibleSince: 3 } as const

const AddPartitionsToTxnTopic = struct('AddPartitionsToTxnTopic', {
  name: string({ about: 'The name.' }),
  partitions: array(int32(), { about: 'The partitions.' }),
})

const AddPartitionsToTxnTransaction = struct('AddPartitionsToTxnTransaction', {
  transactionalId: string({ since: 4, about: 'Id of the transactional producer; null for none.' }),
  producerId: int64({ since: 4, about: 'Id of the producer; -1 if it has none.' }),
  producerEpoch: int16({ since: 4, about: 'Epoch of the producer; -1 if it has none.' }),
  verifyOnly: bool({
    since: 4,
    default: false,
    about:
      'True to check that the partitions are in the transaction, without adding them (KIP-890).',
  }),
  topics: array(AddPartitionsToTxnTopic, { since: 4, about: 'The topics.' }),
})

export const AddPartitionsToTxnRequest = defineRequest(head, {
  transactions: array(AddPartitionsToTxnTransaction, { since: 4, about: 'The transactions.' }),
  v3AndBelowTransactionalId: string({
    until: 3,
    about: 'Id of the transactional producer, as clients send it.',
  }),
  v3AndBelowProducerId: int64({ until: 3, about: 'Id of the producer, as clients send it.' }),
  v3AndBelowProducerEpoch: int16({ until: 3, about: 'Epoch of the producer, as clients send it.' }),
  v3AndBelowTopics: array(AddPartitionsToTxnTopic, {
    until: 3,
    about: 'Partitions to add, as clients send them.',
  }),
})
export type AddPartitionsToTxnRequest = Infer<typeof AddPartitionsToTxnRequest>

const AddPartitionsToTxnPartitionResult = struct('AddPartitionsToTxnPartitionResult', {
  partitionIndex: int32({ about: 'The partition.' }),
  partitionErrorCode: int16({ about: 'Error of the partition, 0 if none.' }),
})

const AddPartitionsToTxnTopicResult = struct('AddPartitionsToTxnTopicResult', {
  name: string({ about: 'The name.' }),
  resultsByPartition: array(AddPartitionsToTxnPartitionResult, {
    about: 'One result per partition.',
  }),
})

const AddPartitionsToTxnResult = struct('AddPartitionsToTxnResult', {
  transactionalId: string({ since: 4, about: 'Id of the transactional producer; null for none.' }),
  topicResults: array(AddPartitionsToTxnTopicResult, { since: 4, about: 'One result per topic.' }),
})

export const AddPartitionsToTxnResponse = defineResponse(head, {
  throttleTimeMs: int32({
    about: 'How long a quota makes the client wait before its next request, in milliseconds.',
  }),
  errorCode: int16({ since: 4, ignorable: true, about: 'Error of the whole request, 0 if none.' }),
  resultsByTransaction: array(AddPartitionsToTxnResult, {
    since: 4,
    about: 'Results per transaction (version 4 and above).',
  }),
  resultsByTopicV3AndBelow: array(AddPartitionsToTxnTopicResult, {
    until: 3,
    about: 'Results of the one transaction a client sent (below version 4).',
  }),
})
export type AddPartitionsToTxnResponse = Infer<typeof AddPartitionsToTxnResponse>
