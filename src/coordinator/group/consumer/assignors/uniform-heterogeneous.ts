/**
 * Uniform assignment when members subscribe to different topics: everybody keeps what is still subscribed, what is
 * open goes to the least loaded subscriber, then partitions move from the most to the least loaded subscribers of
 * each topic until that brings nothing any more.
 */
import type { Uuid } from '../../../../base/uuid.js'
import { uuidToBytes } from '../../../../base/uuid.js'
import { type MutablePartitions, mutableCopy } from '../partitions.js'
import type { AssignmentInput, Assignments } from './assignor.js'
import { LoadOrder } from './load-order.js'

/** Rounds over all topics at most: each makes the loads more even, and nearly always one is enough. */
const ROUNDS_MAX = 16
const NOBODY = -1

export class UnlikeAssignment {
  readonly #memberIds: readonly string[]
  readonly #assigned: MutablePartitions[] = []
  readonly #loads: number[]
  /** Indexes of members by topic. */
  readonly #subscribers = new Map<Uuid, number[]>()
  /** Index of the owner by topic and partition. */
  readonly #owners = new Map<Uuid, number[]>()
  readonly #order: LoadOrder

  constructor({ members, numPartitions }: AssignmentInput) {
    this.#memberIds = [...members.keys()]
    this.#loads = this.#memberIds.map(() => 0)
    this.#order = new LoadOrder(this.#loads)
    const list = [...members.values()]
    list.forEach(({ subscribedTopicIds }, index) => {
      for (const topicId of subscribedTopicIds) {
        const subscribers = this.#subscribers.get(topicId)
        if (subscribers !== undefined) {
          subscribers.push(index)
          continue
        }
        this.#subscribers.set(topicId, [index])
        this.#owners.set(topicId, new Array<number>(numPartitions(topicId)).fill(NOBODY))
      }
    })
    list.forEach(({ subscribedTopicIds, assigned }, index) => {
      const kept = mutableCopy(assigned)
      for (const [topicId, partitions] of assigned) {
        const owners = this.#owners.get(topicId)
        if (owners === undefined || !subscribedTopicIds.has(topicId)) {
          kept.delete(topicId)
          continue
        }
        this.#loads[index]! += partitions.size
        for (const partition of partitions) owners[partition] = index
      }
      this.#assigned.push(kept)
    })
  }

  build(): Assignments {
    if (this.#subscribers.size === 0) return new Map()
    const topicIds = [...this.#subscribers.keys()].sort((a, b) => this.#compareTopics(a, b))
    this.#assignOpen(topicIds)
    this.#balance(topicIds.filter(topicId => this.#subscribers.get(topicId)!.length >= 2))
    return new Map(this.#memberIds.map((memberId, index) => [memberId, this.#assigned[index]!]))
  }

  /** Many partitions for each subscriber first; then few subscribers; then by id. */
  #compareTopics(a: Uuid, b: Uuid): number {
    const [partitionsA, partitionsB] = [this.#owners.get(a)!.length, this.#owners.get(b)!.length]
    const [subscribersA, subscribersB] = [this.#subscribersOf(a), this.#subscribersOf(b)]
    return (
      partitionsB / subscribersB - partitionsA / subscribersA ||
      subscribersA - subscribersB ||
      compareAsJava(a, b)
    )
  }

  #subscribersOf(topicId: Uuid): number {
    return this.#subscribers.get(topicId)!.length
  }

  #assignOpen(topicIds: readonly Uuid[]): void {
    for (const topicId of topicIds) {
      const owners = this.#owners.get(topicId)!
      if (!owners.includes(NOBODY)) continue
      this.#order.start(this.#subscribers.get(topicId)!)
      owners.forEach((owner, partition) => {
        if (owner === NOBODY) this.#give(topicId, partition, this.#order.nextLeastLoaded())
      })
    }
  }

  #balance(topicIds: readonly Uuid[]): void {
    // After a whole round without a move everything is as even as it gets.
    let lastMoved = -1
    for (let round = 0; round < ROUNDS_MAX; round++) {
      for (const [position, topicId] of topicIds.entries()) {
        if (position === lastMoved) return
        const moved = this.#balanceTopic(topicId)
        if (moved > 0 || lastMoved === -1) lastMoved = position
      }
    }
  }

  #balanceTopic(topicId: Uuid): number {
    const imbalance = this.#order.start(this.#subscribers.get(topicId)!)
    if (imbalance <= 1) return 0
    const givable = this.#partitionsByOwner(topicId)
    let moved = 0
    while (!this.#order.isBalanced) {
      const from = this.#nextGiver(givable)
      if (from === NOBODY) break
      const partition = givable.get(from)!.pop()!
      const to = this.#order.nextLeastLoaded()
      if (this.#order.isBalanced) break
      this.#take(topicId, partition, from)
      this.#give(topicId, partition, to)
      moved++
    }
    return moved
  }

  #nextGiver(givable: ReadonlyMap<number, readonly number[]>): number {
    for (;;) {
      const member = this.#order.nextMostLoaded()
      if (member === NOBODY || (givable.get(member)?.length ?? 0) > 0) return member
      this.#order.excludeMostLoaded()
    }
  }

  /** Ascending; the last are given away first. */
  #partitionsByOwner(topicId: Uuid): Map<number, number[]> {
    const byOwner = new Map<number, number[]>()
    this.#owners.get(topicId)!.forEach((owner, partition) => {
      const partitions = byOwner.get(owner)
      if (partitions === undefined) byOwner.set(owner, [partition])
      else partitions.push(partition)
    })
    return byOwner
  }

  #give(topicId: Uuid, partition: number, to: number): void {
    const assigned = this.#assigned[to]!
    const partitions = assigned.get(topicId)
    if (partitions === undefined) assigned.set(topicId, new Set([partition]))
    else partitions.add(partition)
    this.#owners.get(topicId)![partition] = to
    this.#loads[to]!++
  }

  #take(topicId: Uuid, partition: number, from: number): void {
    const assigned = this.#assigned[from]!
    const partitions = assigned.get(topicId)!
    partitions.delete(partition)
    if (partitions.size === 0) assigned.delete(topicId)
    this.#loads[from]!--
  }
}

/** Java compares the two halves of a Uuid as signed numbers. */
function compareAsJava(a: Uuid, b: Uuid): number {
  const [bytesA, bytesB] = [uuidToBytes(a), uuidToBytes(b)]
  for (const half of [0, 8]) {
    const [numberA, numberB] = [bytesA.readBigInt64BE(half), bytesB.readBigInt64BE(half)]
    if (numberA !== numberB) return numberA < numberB ? -1 : 1
  }
  return 0
}
