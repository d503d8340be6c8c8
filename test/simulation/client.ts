/** What clients of both protocols share: what they own, their commits, how they come and go. */
import { ErrorCode } from '../../src/protocol/error-codes.js'
import type { Uuid } from '../../src/base/uuid.js'
import { Connection } from './connection.js'
import { Breach, heldBy } from './invariants.js'
import { GROUP, HEARTBEAT_MS, type World } from './world.js'

/** Errors that pass: the same request may be sent again. */
const PASSING = new Set<number>([
  ErrorCode.COORDINATOR_LOAD_IN_PROGRESS,
  ErrorCode.COORDINATOR_NOT_AVAILABLE,
  ErrorCode.NOT_COORDINATOR,
])

export const CLIENT_CONTEXT = { clientId: 'c', clientHost: '/127.0.0.1' }

export interface Commits {
  /** By "topic-id/partition": the newest offset that was acknowledged. */
  readonly acknowledged: Map<string, bigint>
  next: bigint
}

export abstract class Client {
  abstract readonly isClassic: boolean
  readonly name: string
  readonly world: World
  readonly commits: Commits
  readonly subscription: readonly string[]
  memberId = ''
  /** Epoch or generation; 0: not a member. */
  epoch = 0
  owned = new Set<string>()
  /** The settings do not let its protocol in. */
  isRefused = false
  protected connection: Connection
  #hasJustCommitted = false

  constructor(
    world: World,
    name: string,
    { commits, subscription }: { commits: Commits; subscription: readonly string[] },
  ) {
    this.world = world
    this.name = name
    this.commits = commits
    this.subscription = subscription
    this.connection = new Connection(world)
  }

  get isAlive(): boolean {
    return !this.connection.isClosed
  }

  /** From now on it acts every heartbeat interval. */
  start(): void {
    const tick = (): void => {
      if (!this.isAlive) return
      if (!this.connection.isBusy) this.act()
      this.world.after(HEARTBEAT_MS - this.world.chance.int(200), tick)
    }
    tick()
  }

  /** Gone without a word. */
  crash(): void {
    this.connection.close()
    this.owned = new Set()
  }

  abstract leave(): void
  protected abstract act(): void

  protected isPassing(errorCode: number): boolean {
    return PASSING.has(errorCode)
  }

  /** Commits something for one of its partitions. True: it did. */
  protected maybeCommit(): boolean {
    const { chance } = this.world
    // A commit does not keep a session alive: heartbeats must come in between.
    const isTurn = !this.#hasJustCommitted
    this.#hasJustCommitted = false
    if (!isTurn || this.owned.size === 0 || this.epoch <= 0 || !chance.percent(30)) return false
    this.#hasJustCommitted = true
    const partition = chance.pick([...this.owned])
    const offset = this.commits.next++
    const { memberId, epoch } = this
    this.connection.send(
      () => this.#commit({ partition, offset, memberId, epoch }),
      errorCode => {
        if (errorCode === null || errorCode !== ErrorCode.NONE) return
        const newest = this.commits.acknowledged.get(partition) ?? -1n
        if (offset > newest) this.commits.acknowledged.set(partition, offset)
      },
    )
    return true
  }

  async #commit({
    partition,
    offset,
    memberId,
    epoch,
  }: {
    partition: string
    offset: bigint
    memberId: string
    epoch: number
  }): Promise<number> {
    const [topicId, index] = partition.split('/') as [Uuid, string]
    const { world } = this
    const name = world.topics.topicById(topicId)!.name
    const isConsumerGroup = world.shard.groups.get(GROUP)?.type === 'consumer'
    const mayCommit = !isConsumerGroup || heldBy(world, memberId).has(partition)
    const errorCode = await commitOffset(world, {
      ...{ topicId, name, partition: Number(index), offset, memberId, epoch },
    })
    if (errorCode === ErrorCode.NONE && !mayCommit) {
      throw new Breach(`${this.name} committed for ${partition}, which it does not hold`)
    }
    return errorCode
  }
}

async function commitOffset(
  world: World,
  commit: {
    topicId: Uuid
    name: string
    partition: number
    offset: bigint
    memberId: string
    epoch: number
  },
): Promise<number> {
  const { topicId, name, partition, offset, memberId, epoch } = commit
  const committed = {
    partitionIndex: partition,
    committedOffset: offset,
    committedLeaderEpoch: -1,
    committedMetadata: null,
  }
  const [topic] = await world.coordinator.commitOffsets({
    groupId: GROUP,
    memberId,
    groupInstanceId: null,
    generationIdOrMemberEpoch: epoch,
    apiVersion: 9,
    isTransactional: false,
    retentionTimeMs: -1n,
    topics: [{ name, topicId, partitions: [committed] }],
  })
  return topic!.partitions[0]!.errorCode
}
