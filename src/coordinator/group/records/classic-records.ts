/** Records of __consumer_offsets that hold classic groups (type 2). */
import { array, bytes, int32, int64, string, struct } from '../../../protocol/schema/field.js'
import { type Infer, defineMessage } from '../../../protocol/schema/message.js'

export const GroupMetadataKey = defineMessage(
  { name: 'GroupMetadataKey', versions: [2, 2], flexibleSince: null },
  { group: string({ about: 'The group.' }) },
)

const MemberMetadata = struct('MemberMetadata', {
  memberId: string({ about: 'Id of the member.' }),
  groupInstanceId: string({
    since: 3,
    nullableSince: 3,
    default: null,
    ignorable: true,
    about: 'Id of a static member.',
  }),
  clientId: string({ about: 'How the client calls itself.' }),
  clientHost: string({ about: 'Where it runs.' }),
  rebalanceTimeout: int32({
    since: 1,
    default: -1,
    ignorable: true,
    about: 'How long it may take to rejoin, in milliseconds.',
  }),
  sessionTimeout: int32({ about: 'How long it may be silent, in milliseconds.' }),
  subscription: bytes({ about: 'Its metadata for the chosen protocol.' }),
  assignment: bytes({ about: 'What the leader gave it.' }),
})

export const GroupMetadataValue = defineMessage(
  { name: 'GroupMetadataValue', versions: [0, 4], flexibleSince: 4 },
  {
    protocolType: string({ about: 'Kind of the group, such as consumer.' }),
    generation: int32({ about: 'The generation.' }),
    protocol: string({ nullableSince: 0, about: 'The chosen protocol.' }),
    leader: string({ nullableSince: 0, about: 'The member that assigns.' }),
    currentStateTimestamp: int64({
      since: 2,
      default: -1n,
      ignorable: true,
      about: 'When the group came into its state.',
    }),
    members: array(MemberMetadata, { about: 'The members.' }),
  },
)
export type GroupMetadataValue = Infer<typeof GroupMetadataValue>
