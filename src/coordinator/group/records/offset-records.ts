/** Records of __consumer_offsets that hold committed offsets (types 0 and 1). */
import { int32, int64, string, uuid } from '../../../protocol/schema/field.js'
import { type Infer, defineMessage } from '../../../protocol/schema/message.js'
import { ZERO_UUID } from '../../../base/uuid.js'

export const OffsetCommitKey = defineMessage(
  { name: 'OffsetCommitKey', versions: [0, 1], flexibleSince: null },
  {
    group: string({ about: 'The group.' }),
    topic: string({ about: 'Name of the topic.' }),
    partition: int32({ about: 'The partition.' }),
  },
)
export type OffsetCommitKey = Infer<typeof OffsetCommitKey>

export const OffsetCommitValue = defineMessage(
  { name: 'OffsetCommitValue', versions: [0, 4], flexibleSince: 4 },
  {
    offset: int64({ about: 'The next offset to read.' }),
    leaderEpoch: int32({
      since: 3,
      default: -1,
      ignorable: true,
      about: 'Leader epoch of the last record read; -1 if unknown.',
    }),
    metadata: string({ about: 'Free text of the client.' }),
    commitTimestamp: int64({ about: 'When it was committed, in milliseconds.' }),
    expireTimestamp: int64({
      since: 1,
      until: 1,
      default: -1n,
      ignorable: true,
      about: 'When it expires; -1 by the rules of the broker.',
    }),
    topicId: uuid({
      since: 4,
      tag: 0,
      default: ZERO_UUID,
      ignorable: true,
      about: 'Id of the topic; zero if unknown.',
    }),
  },
)
export type OffsetCommitValue = Infer<typeof OffsetCommitValue>
