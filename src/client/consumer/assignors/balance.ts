/**
 * The sticky balance (KIP-54, KIP-341): members keep what they own as far as nobody then has two partitions more than
 * another member that could take one; what is left over goes to whoever has least.
 */
import type { TopicPartition } from '../topic-partition.js'
import { keyOf } from '../topic-partition.js'
import {
  type MemberSubscription,
  compareText,
  emptyAssignment,
  inOrder,
  subscribersByTopic,
} from './assignor.js'

interface Piece {
  readonly partition: TopicPartition
  readonly subscribers: readonly Share[]
  owner: Share | null
}

/** What a member has so far. */
interface Share {
  readonly member: MemberSubscription
  readonly rank: number
  readonly pieces: Set<Piece>
}

export function balance(
  partitionsOf: ReadonlyMap<string, number>,
  members: readonly MemberSubscription[],
): Map<string, TopicPartition[]> {
  const shares = inOrder(members).map((member, rank) => ({
    member,
    rank,
    pieces: new Set<Piece>(),
  }))
  const pieces = piecesOf(partitionsOf, shares)
  keepOwned(pieces, shares)
  const uniform = new Set(shares.map(share => [...share.member.topics].sort().join('\n'))).size <= 1
  if (uniform) trim(shares, pieces.size)
  for (const piece of unassigned(pieces)) give(piece, leastOf(piece.subscribers))
  while (moveOne(shares)) continue
  return result(members, shares)
}

function piecesOf(
  partitionsOf: ReadonlyMap<string, number>,
  shares: readonly Share[],
): Map<string, Piece> {
  const shareOf = new Map(shares.map(share => [share.member, share]))
  const pieces = new Map<string, Piece>()
  const members = shares.map(share => share.member)
  for (const [topic, wanting] of subscribersByTopic(partitionsOf, members)) {
    const subscribers = wanting.map(member => shareOf.get(member)!)
    for (let partition = 0; partition < partitionsOf.get(topic)!; partition++) {
      const piece = { partition: { topic, partition }, subscribers, owner: null }
      pieces.set(keyOf(piece.partition), piece)
    }
  }
  return pieces
}

/** Of two members that claim a partition the one of the later generation has it; of the same generation, neither. */
function keepOwned(pieces: ReadonlyMap<string, Piece>, shares: readonly Share[]): void {
  const claims = new Map<Piece, { share: Share; generation: number; doubled: boolean }>()
  for (const share of shares) {
    const wants = new Set(share.member.topics)
    const generation = share.member.generationId
    for (const partition of share.member.owned) {
      const piece = pieces.get(keyOf(partition))
      if (piece === undefined || !wants.has(partition.topic)) continue
      const claim = claims.get(piece)
      if (claim === undefined || claim.generation < generation) {
        claims.set(piece, { share, generation, doubled: false })
      } else if (claim.generation === generation && claim.share !== share) {
        claim.doubled = true
      }
    }
  }
  for (const [piece, { share, doubled }] of claims) if (!doubled) give(piece, share)
}

/** With equal subscriptions the quotas are known: what a member has above its own is freed at once. */
function trim(shares: readonly Share[], total: number): void {
  const least = Math.floor(total / shares.length)
  let more = total % shares.length
  for (const share of shares) {
    const quota = share.pieces.size > least && more > 0 ? least + 1 : least
    if (quota > least) more--
    const surplus = [...share.pieces].sort(byPartition).slice(quota)
    for (const piece of surplus) take(piece)
  }
}

/** Partitions that few can take come first. */
function unassigned(pieces: ReadonlyMap<string, Piece>): Piece[] {
  return [...pieces.values()]
    .filter(piece => piece.owner === null)
    .sort((a, b) => a.subscribers.length - b.subscribers.length || byPartition(a, b))
}

/** Moves one partition from a member to one that has at least two less; false when there is no such pair. */
function moveOne(shares: readonly Share[]): boolean {
  const fullest = [...shares].sort((a, b) => b.pieces.size - a.pieces.size || a.rank - b.rank)
  for (const share of fullest) {
    let best: { piece: Piece; to: Share } | null = null
    for (const piece of [...share.pieces].sort(byPartition)) {
      const to = leastOf(piece.subscribers)
      if (share.pieces.size - to.pieces.size < 2) continue
      if (best === null || to.pieces.size < best.to.pieces.size) best = { piece, to }
    }
    if (best === null) continue
    take(best.piece)
    give(best.piece, best.to)
    return true
  }
  return false
}

function leastOf(shares: readonly Share[]): Share {
  let least = shares[0]!
  for (const share of shares) if (share.pieces.size < least.pieces.size) least = share
  return least
}

function give(piece: Piece, share: Share): void {
  piece.owner = share
  share.pieces.add(piece)
}

function take(piece: Piece): void {
  piece.owner?.pieces.delete(piece)
  piece.owner = null
}

function byPartition(a: Piece, b: Piece): number {
  const order = compareText(a.partition.topic, b.partition.topic)
  return order === 0 ? a.partition.partition - b.partition.partition : order
}

function result(
  members: readonly MemberSubscription[],
  shares: readonly Share[],
): Map<string, TopicPartition[]> {
  const assignment = emptyAssignment(members)
  for (const { member, pieces } of shares) {
    const partitions = [...pieces].sort(byPartition).map(piece => piece.partition)
    assignment.get(member.memberId)!.push(...partitions)
  }
  return assignment
}
