/** What must hold at every moment of a history, whatever fails; each breach is an error with the reason. */
import { ClassicGroup } from '../../src/coordinator/group/classic/classic-group.js'
import { ConsumerGroup } from '../../src/coordinator/group/consumer/consumer-group.js'
import type { Client } from './client.js'
import { GROUP, type World } from './world.js'

export class Breach extends Error {}

/** "topic-id/partition" of everything that a member of a consumer group holds on the broker. */
export function heldBy(world: World, memberId: string): Set<string> {
  const group = world.shard.groups.get(GROUP)
  const held = new Set<string>()
  const member = group instanceof ConsumerGroup ? group.member(memberId) : undefined
  for (const part of [member?.assigned, member?.pendingRevocation]) {
    for (const [topicId, partitions] of part ?? []) {
      for (const partition of partitions.keys()) held.add(`${topicId}/${partition}`)
    }
  }
  return held
}

/** The broker lets the client act as it is: it knows the member at the epoch or generation that the client has. */
export function isValid(world: World, client: Client): boolean {
  const group = world.shard.groups.get(GROUP)
  if (client.memberId === '' || client.epoch <= 0) return false
  if (group instanceof ConsumerGroup) {
    const member = group.member(client.memberId)
    if (member === undefined || (member.classic !== null) !== client.isClassic) return false
    if (member.memberEpoch === client.epoch) return true
    return !client.isClassic && member.previousMemberEpoch === client.epoch
  }
  return (
    client.isClassic &&
    group instanceof ClassicGroup &&
    group.member(client.memberId) !== undefined &&
    group.generationId === client.epoch
  )
}

export class Watch {
  #epoch = 0

  /** After every event. */
  check(world: World, clients: readonly Client[]): void {
    if (world.isDown) return
    const group = world.shard.groups.get(GROUP)
    this.#checkEpoch(group)
    if (group instanceof ConsumerGroup) checkHolders(group)
    checkOwners(world, clients)
  }

  /** A generation that no leader has assigned for is not kept: after a restart it comes again. */
  onLoad(world: World): void {
    if (world.shard.groups.get(GROUP) instanceof ClassicGroup) this.#epoch = 0
  }

  /** Epochs and generations only grow as long as there are members. */
  #checkEpoch(group: unknown): void {
    if (group instanceof ConsumerGroup && !group.isEmpty) {
      this.#see(group.groupEpoch)
      if (group.assignmentEpoch > group.groupEpoch) {
        throw new Breach(`assignment epoch ${group.assignmentEpoch} is ahead of the group's`)
      }
    } else if (group instanceof ClassicGroup && group.memberCount > 0) {
      this.#see(group.generationId)
    } else {
      this.#epoch = 0
    }
  }

  #see(epoch: number): void {
    if (epoch < this.#epoch) throw new Breach(`epoch ${epoch} after ${this.#epoch}`)
    this.#epoch = epoch
  }
}

function checkHolders(group: ConsumerGroup): void {
  const holders = new Map<string, string>()
  for (const { memberId, assigned, pendingRevocation } of group.members.values()) {
    for (const part of [assigned, pendingRevocation]) {
      for (const [topicId, partitions] of part) {
        for (const partition of partitions.keys()) {
          claim(holders, `${topicId}/${partition}`, memberId, 'is held')
        }
      }
    }
  }
  const targets = new Map<string, string>()
  for (const [memberId, target] of group.targets) {
    for (const [topicId, partitions] of target) {
      for (const partition of partitions) {
        claim(targets, `${topicId}/${partition}`, memberId, 'is meant')
      }
    }
  }
}

/** No two clients that the broker takes for members believe that they own the same partition. */
function checkOwners(world: World, clients: readonly Client[]): void {
  const owners = new Map<string, string>()
  for (const client of clients) {
    if (client.owned.size === 0 || !isValid(world, client)) continue
    for (const partition of client.owned) claim(owners, partition, client.name, 'is owned')
  }
}

function claim(holders: Map<string, string>, partition: string, by: string, what: string): void {
  const other = holders.get(partition)
  if (other !== undefined && other !== by) {
    throw new Breach(`${partition} ${what} twice: by ${other} and ${by}`)
  }
  holders.set(partition, by)
}
