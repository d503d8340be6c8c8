/**
 * InitProducerId hands out producer ids and epochs. v2 flexible, v3 raises the epoch of a given id
 * (KIP-360), v5 TRANSACTION_ABORTABLE (KIP-890), v6 two-phase commit (KIP-939, unstable and
 * hidden).
 */
import { bool, int16, int32, int64, string } from '../schema/field.js'
import { ApiKey } from '../api-keys.js'
import { type Infer, defineRequest, defineResponse } from '../schema/message.js'

const head = {
  apiKey: ApiKey.InitProducerId,
  versions: [0, 6],
  flexibleSince: 2,
  latestVersionUnstable: true,
} as const

export const InitProducerIdRequest = defineRequest(head, {
  transactionalId: string({
    nullableSince: 0,
    about: 'Id of the transactional producer; null for none.',
  }),
  transactionTimeoutMs: int32({ about: 'How long a transaction may stay open, in milliseconds.' }),
  producerId: int64({
    since: 3,
    default: -1n,
    about: 'Id to keep with a larger epoch (KIP-360); -1 for a new one.',
  }),
  producerEpoch: int16({
    since: 3,
    default: -1,
    about: 'Epoch the producer has; -1 for a new id.',
  }),
  enable2Pc: bool({
    since: 6,
    default: false,
    about: 'True if an outside coordinator takes part in two-phase commit (KIP-939).',
  }),
  keepPreparedTxn: bool({
    since: 6,
    default: false,
    about: 'True to keep a prepared transaction instead of aborting it (KIP-939).',
  }),
})
export type InitProducerIdRequest = Infer<typeof InitProducerIdRequest>

export const InitProducerIdResponse = defineResponse(head, {
  throttleTimeMs: int32({
    ignorable: true,
    about: 'How long a quota makes the client wait before its next request, in milliseconds.',
  }),
  errorCode: int16({ about: 'Error of the whole request, 0 if none.' }),
  producerId: int64({ default: -1n, about: 'Id of the producer; -1 if it has none.' }),
  producerEpoch: int16({ about: 'Epoch of the producer; -1 if it has none.' }),
  ongoingTxnProducerId: int64({
    since: 6,
    default: -1n,
    about: 'Producer id of the prepared transaction; -1 if none.',
  }),
  ongoingTxnProducerEpoch: int16({
    since: 6,
    default: -1,
    about: 'Producer epoch of the prepared transaction; -1 if none.',
  }),
})
export type InitProducerIdResponse = Infer<typeof InitProducerIdResponse>
