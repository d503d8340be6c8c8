/**
 * Sticky (KIP-54) and CooperativeSticky (KIP-429): the sticky balance; the cooperative one takes two rebalances for a
 * partition that moves: in the first its owner gives it up, in the second another member gets it.
 */
import { int32, array, string, struct } from '../../../protocol/schema/field.js'
import { defineMessage } from '../../../protocol/schema/message.js'
import { decodeMessage, encodeMessage } from '../../../protocol/codec.js'
import { byTopic, fromTopics, keyOf } from '../topic-partition.js'
import type { Assignor, MemberSubscription } from './assignor.js'
import { balance } from './balance.js'

/** What a member of a sticky group tells the leader of its last assignment. v0 has no generation. */
const StickyUserData = defineMessage(
  { name: 'StickyAssignorUserData', versions: [0, 1], flexibleSince: null },
  {
    previousAssignment: array(
      struct('TopicAssignment', { topic: string({}), partitions: array(int32(), {}) }),
      {},
    ),
    generation: int32({ since: 1, default: -1, ignorable: true }),
  },
)

export const stickyAssignor: Assignor = {
  name: 'sticky',
  rebalanceProtocol: 'eager',
  assign: balance,
  userData(owned, generation) {
    if (owned.length === 0) return null
    return encodeMessage(StickyUserData, 1, { previousAssignment: byTopic(owned), generation })
  },
  ownedOf(bytes) {
    // The two versions differ only in what comes last; nothing says which one it is.
    for (const version of [1, 0]) {
      try {
        const { previousAssignment, generation } = decodeMessage(StickyUserData, version, bytes)
        return { owned: fromTopics(previousAssignment), generationId: generation }
      } catch {
        continue
      }
    }
    return null
  },
}

const GENERATION_BYTES = 4

export const cooperativeStickyAssignor: Assignor = {
  name: 'cooperative-sticky',
  rebalanceProtocol: 'cooperative',
  assign(partitionsOf, members) {
    const assignment = balance(partitionsOf, members)
    const owners = ownersOf(members)
    for (const [memberId, partitions] of assignment) {
      const ready = partitions.filter(partition => {
        const owner = owners.get(keyOf(partition))
        return owner === undefined || owner === memberId
      })
      assignment.set(memberId, ready)
    }
    return assignment
  },
  userData(_owned, generationId) {
    const bytes = Buffer.alloc(GENERATION_BYTES)
    bytes.writeInt32BE(generationId)
    return bytes
  },
}

/** Who holds a partition now, by the latest generation that claims it. */
function ownersOf(members: readonly MemberSubscription[]): Map<string, string> {
  const owners = new Map<string, { memberId: string; generationId: number }>()
  for (const { memberId, generationId, owned } of members) {
    for (const partition of owned) {
      const known = owners.get(keyOf(partition))
      if (known === undefined || known.generationId < generationId) {
        owners.set(keyOf(partition), { memberId, generationId })
      }
    }
  }
  return new Map([...owners].map(([key, { memberId }]) => [key, memberId]))
}
