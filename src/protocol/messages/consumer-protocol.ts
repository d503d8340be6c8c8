/**
 * What members of a classic consumer group tell each other through JoinGroup and SyncGroup: a subscription and an
 * assignment, each behind its version as an int16. v1 owned partitions (KIP-429), v2 generation, v3 rack (KIP-881).
 */
import { array, bytes, int32, string, struct } from '../schema/field.js'
import { type Infer, defineMessage } from '../schema/message.js'

const head = { versions: [0, 3], flexibleSince: null } as const

const OwnedPartitions = struct('TopicPartition', {
  topic: string({ about: 'Name of the topic.' }),
  partitions: array(int32(), { about: 'Its partitions.' }),
})

export const ConsumerProtocolSubscription = defineMessage(
  { ...head, name: 'ConsumerProtocolSubscription' },
  {
    topics: array(string(), { about: 'The topics that the member wants.' }),
    userData: bytes({ nullableSince: 0, default: null, about: 'What the assignor adds.' }),
    ownedPartitions: array(OwnedPartitions, {
      since: 1,
      ignorable: true,
      about: 'What the member owns as it joins.',
    }),
    generationId: int32({
      since: 2,
      default: -1,
      ignorable: true,
      about: 'The generation in which it got them.',
    }),
    rackId: string({
      since: 3,
      nullableSince: 3,
      default: null,
      ignorable: true,
      about: 'Where the member runs.',
    }),
  },
)
export type ConsumerProtocolSubscription = Infer<typeof ConsumerProtocolSubscription>

export const ConsumerProtocolAssignment = defineMessage(
  { ...head, name: 'ConsumerProtocolAssignment' },
  {
    assignedPartitions: array(OwnedPartitions, { about: 'What the member is to read.' }),
    userData: bytes({ nullableSince: 0, default: null, about: 'What the assignor adds.' }),
  },
)
export type ConsumerProtocolAssignment = Infer<typeof ConsumerProtocolAssignment>
