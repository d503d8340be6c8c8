/**
 * ListTransactions lists transactions of a coordinator (KIP-664). v1 filter by duration (KIP-994),
 * v2 by pattern (KIP-1152).
 */
import { array, int16, int32, int64, string, struct } from '../schema/field.js'
import { ApiKey } from '../api-keys.js'
import { type Infer, defineRequest, defineResponse } from '../schema/message.js'

const head = { apiKey: ApiKey.ListTransactions, versions: [0, 2], flexibleSince: 0 } as const

export const ListTransactionsRequest = defineRequest(head, {
  stateFilters: array(string(), { about: 'Only these transaction states; empty for all.' }),
  producerIdFilters: array(int64(), { about: 'Only these producers; empty for all.' }),
  durationFilter: int64({
    since: 1,
    default: -1n,
    about: 'Only transactions open for longer than these milliseconds; negative for all.',
  }),
  transactionalIdPattern: string({
    since: 2,
    nullableSince: 2,
    default: null,
    about: 'RE2 pattern the transactional id must match; null or empty for all.',
  }),
})
export type ListTransactionsRequest = Infer<typeof ListTransactionsRequest>

const TransactionState = struct('TransactionState', {
  transactionalId: string({ about: 'Id of the transactional producer; null for none.' }),
  producerId: int64({ about: 'Id of the producer; -1 if it has none.' }),
  transactionState: string({ about: 'State of the transaction, by name.' }),
})

export const ListTransactionsResponse = defineResponse(head, {
  throttleTimeMs: int32({
    about: 'How long a quota makes the client wait before its next request, in milliseconds.',
  }),
  errorCode: int16({ about: 'Error of the whole request, 0 if none.' }),
  unknownStateFilters: array(string(), { about: 'Filters that name no state.' }),
  transactionStates: array(TransactionState, { about: 'The transactions.' }),
})
export type ListTransactionsResponse = Infer<typeof ListTransactionsResponse>
