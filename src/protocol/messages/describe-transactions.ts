/** DescribeTransactions tells the state of transactions by transactional id (KIP-664). */
import { array, int16, int32, int64, string, struct } from '../schema/field.js'
import { ApiKey } from '../api-keys.js'
import { type Infer, defineRequest, defineResponse } from '../schema/message.js'

const head = { apiKey: ApiKey.DescribeTransactions, versions: [0, 0], flexibleSince: 0 } as const

export const DescribeTransactionsRequest = defineRequest(head, {
  transactionalIds: array(string(), { about: 'The transactional ids.' }),
})
export type DescribeTransactionsRequest = Infer<typeof DescribeTransactionsRequest>

const TopicData = struct('TopicData', {
  topic: string({ about: 'The topic.' }),
  partitions: array(int32(), { about: 'The partitions.' }),
})

const TransactionState = struct('TransactionState', {
  errorCode: int16({ about: 'Error of this entry, 0 if none.' }),
  transactionalId: string({ about: 'Id of the transactional producer; null for none.' }),
  transactionState: string({ about: 'State of the transaction, by name.' }),
  transactionTimeoutMs: int32({ about: 'How long a transaction may stay open, in milliseconds.' }),
  transactionStartTimeMs: int64({
    about: 'When the transaction began, in milliseconds; -1 if none is open.',
  }),
  producerId: int64({ about: 'Id of the producer; -1 if it has none.' }),
  producerEpoch: int16({ about: 'Epoch of the producer; -1 if it has none.' }),
  topics: array(TopicData, { about: 'The topics.' }),
})

export const DescribeTransactionsResponse = defineResponse(head, {
  throttleTimeMs: int32({
    about: 'How long a quota makes the client wait before its next request, in milliseconds.',
  }),
  transactionStates: array(TransactionState, { about: 'The transactions.' }),
})
export type DescribeTransactionsResponse = Infer<typeof DescribeTransactionsResponse>
