/**
 * EndTxn commits or aborts a transaction (KIP-98). v3 flexible, v5 returns the next epoch
 * (KIP-890).
 */
import { bool, int16, int32, int64, string } from '../schema/field.js'
import { ApiKey } from '../api-keys.js'
import { type Infer, defineRequest, defineResponse } from '../schema/message.js'

const head = { apiKey: ApiKey.EndTxn, versions: [0, 5], flexibleSince: 3 } as const

export const EndTxnRequest = defineRequest(head, {
  transactionalId: string({ about: 'Id of the transactional producer; null for none.' }),
  producerId: int64({ about: 'Id of the producer; -1 if it has none.' }),
  producerEpoch: int16({ about: 'Epoch of the producer; -1 if it has none.' }),
  committed: bool({ about: 'True if the acknowledgements were made durable.' }),
})
export type EndTxnRequest = Infer<typeof EndTxnRequest>

export const EndTxnResponse = defineResponse(head, {
  throttleTimeMs: int32({
    about: 'How long a quota makes the client wait before its next request, in milliseconds.',
  }),
  errorCode: int16({ about: 'Error of the whole request, 0 if none.' }),
  producerId: int64({
    since: 5,
    default: -1n,
    ignorable: true,
    about: 'Id to use from now on; -1 if unchanged (KIP-890).',
  }),
  producerEpoch: int16({
    since: 5,
    default: -1,
    ignorable: true,
    about: 'Epoch to use from now on; -1 if unchanged (KIP-890).',
  }),
})
export type EndTxnResponse = Infer<typeof EndTxnResponse>
