/** AddOffsetsToTxn adds the offsets of a group to a transaction (KIP-98). v3 flexible. */
import { int16, int32, int64, string } from '../schema/field.js'
import { ApiKey } from '../api-keys.js'
import { type Infer, defineRequest, defineResponse } from '../schema/message.js'

const head = { apiKey: ApiKey.AddOffsetsToTxn, versions: [0, 4], flexibleSince: 3 } as const

export const AddOffsetsToTxnRequest = defineRequest(head, {
  transactionalId: string({ about: 'Id of the transactional producer; null for none.' }),
  producerId: int64({ about: 'Id of the producer; -1 if it has none.' }),
  producerEpoch: int16({ about: 'Epoch of the producer; -1 if it has none.' }),
  groupId: string({ about: 'The group.' }),
})
export type AddOffsetsToTxnRequest = Infer<typeof AddOffsetsToTxnRequest>

export const AddOffsetsToTxnResponse = defineResponse(head, {
  throttleTimeMs: int32({
    about: 'How long a quota makes the client wait before its next request, in milliseconds.',
  }),
  errorCode: int16({ about: 'Error of the whole request, 0 if none.' }),
})
export type AddOffsetsToTxnResponse = Infer<typeof AddOffsetsToTxnResponse>
