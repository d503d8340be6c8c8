/** What the members of a classic group have in common: the protocol they vote for, the topics they want. */
import { ConsumerProtocolSubscription } from '../../../protocol/messages/consumer-protocol.js'
import { ProtocolError } from '../../../protocol/schema/protocol-error.js'
import { decodeVersioned } from '../../../protocol/versioned-message.js'
import type { ClassicMember } from './classic-member.js'

/** The protocol that most members like best of those that all support; the first voted for wins a tie. */
export function selectProtocol(members: readonly ClassicMember[]): string {
  const supporters = new Map<string, number>()
  for (const { protocols } of members) {
    for (const name of new Set(protocols.map(protocol => protocol.name))) {
      supporters.set(name, (supporters.get(name) ?? 0) + 1)
    }
  }
  const candidates = new Set<string>()
  for (const [name, count] of supporters) if (count === members.length) candidates.add(name)
  const votes = new Map<string, number>()
  for (const member of members) {
    const vote = member.vote(candidates)
    if (vote !== undefined) votes.set(vote, (votes.get(vote) ?? 0) + 1)
  }
  let winner = ''
  let mostVotes = 0
  for (const [name, count] of votes) {
    if (count > mostVotes) [winner, mostVotes] = [name, count]
  }
  return winner
}

/** The topics that members of a group of consumers want; null: somebody's metadata cannot be read. */
export function subscribedTopicsOf(
  members: Iterable<ClassicMember>,
  protocol: string | null,
): ReadonlySet<string> | null {
  const topics = new Set<string>()
  for (const member of members) {
    if (protocol === null) return null
    const metadata = member.metadataOf(protocol)
    try {
      for (const topic of decodeVersioned(ConsumerProtocolSubscription, metadata).topics) {
        topics.add(topic)
      }
    } catch (error) {
      if (error instanceof ProtocolError) return null
      throw error
    }
  }
  return topics
}
