/** A client of the classic protocol with an eager assignor: it gives everything up before it joins again. */
import { ErrorCode } from '../../src/protocol/error-codes.js'
import {
  ConsumerProtocolAssignment,
  ConsumerProtocolSubscription,
} from '../../src/protocol/messages/consumer-protocol.js'
import type { JoinGroupRequest } from '../../src/protocol/messages/join-group.js'
import type { SyncGroupRequest } from '../../src/protocol/messages/sync-group.js'
import { decodeVersioned, encodeVersioned } from '../../src/protocol/versioned-message.js'
import type { JoinAnswer, SyncAnswer } from '../../src/coordinator/group/classic/classic-member.js'
import { Client, CLIENT_CONTEXT } from './client.js'
import { Connection, JOIN_TIMEOUT_MS } from './connection.js'
import { Breach } from './invariants.js'
import { GROUP, REBALANCE_MS, SESSION_MS } from './world.js'

const ASSIGNOR = 'range'

export class ClassicClient extends Client {
  readonly isClassic = true
  #state: 'out' | 'joined' | 'stable' = 'out'
  #assignments: SyncGroupRequest['assignments'] = []

  leave(): void {
    const { memberId } = this
    this.crash()
    if (memberId === '') return
    this.connection = new Connection(this.world)
    const leaver = { memberId, groupInstanceId: null }
    this.connection.send(
      () =>
        this.world.coordinator.leaveGroup(GROUP, [leaver], { ...CLIENT_CONTEXT, apiVersion: 5 }),
      () => undefined,
    )
    this.connection.isClosed = true
  }

  protected act(): void {
    switch (this.#state) {
      case 'out':
        this.#join()
        return
      case 'joined':
        this.#sync()
        return
      case 'stable':
        if (!this.maybeCommit()) this.#beat()
    }
  }

  #join(): void {
    const metadata = encodeVersioned(ConsumerProtocolSubscription, 1, {
      topics: [...this.subscription],
      ownedPartitions: [],
    })
    const request = {
      groupId: GROUP,
      sessionTimeoutMs: SESSION_MS,
      rebalanceTimeoutMs: REBALANCE_MS,
      memberId: this.memberId,
      groupInstanceId: null,
      protocolType: 'consumer',
      protocols: [{ name: ASSIGNOR, metadata }],
      reason: null,
    } as JoinGroupRequest
    this.connection.send(
      () => this.world.coordinator.joinGroup(request, { ...CLIENT_CONTEXT, apiVersion: 9 }),
      answer => this.#onJoined(answer),
      JOIN_TIMEOUT_MS,
    )
  }

  #onJoined(answer: JoinAnswer | null): void {
    if (answer === null) return
    this.isRefused = false
    switch (answer.errorCode) {
      case ErrorCode.NONE:
        this.memberId = answer.memberId
        this.epoch = answer.generationId ?? -1
        this.#assignments = answer.leader === answer.memberId ? this.#assign(answer) : []
        this.#state = 'joined'
        this.#sync()
        return
      case ErrorCode.MEMBER_ID_REQUIRED:
        this.memberId = answer.memberId
        this.#join()
        return
      case ErrorCode.INCONSISTENT_GROUP_PROTOCOL:
        this.#startOver('')
        this.isRefused = true
        return
      case ErrorCode.UNKNOWN_MEMBER_ID:
        this.#startOver('')
        return
      case ErrorCode.REBALANCE_IN_PROGRESS:
        return
      default:
        this.#assertPassing(answer.errorCode)
    }
  }

  #sync(): void {
    const request = {
      groupId: GROUP,
      generationId: this.epoch,
      memberId: this.memberId,
      groupInstanceId: null,
      protocolType: 'consumer',
      protocolName: ASSIGNOR,
      assignments: this.#assignments,
    }
    this.connection.send(
      () => this.world.coordinator.syncGroup(request, { ...CLIENT_CONTEXT, apiVersion: 5 }),
      answer => this.#onSynced(answer),
      JOIN_TIMEOUT_MS,
    )
  }

  #onSynced(answer: SyncAnswer | null): void {
    if (answer === null) {
      this.#startOver(this.memberId)
      return
    }
    if (answer.errorCode !== ErrorCode.NONE) {
      this.#rejoinAfter(answer.errorCode)
      return
    }
    const bytes = Buffer.from(answer.assignment)
    const owned = new Set<string>()
    if (bytes.length > 0) {
      const { assignedPartitions } = decodeVersioned(ConsumerProtocolAssignment, bytes)
      for (const { topic, partitions } of assignedPartitions) {
        const topicId = this.world.topics.topic(topic)!.topicId
        for (const partition of partitions) owned.add(`${topicId}/${partition}`)
      }
    }
    this.owned = owned
    this.#state = 'stable'
  }

  #beat(): void {
    const request = {
      groupId: GROUP,
      generationId: this.epoch,
      memberId: this.memberId,
      groupInstanceId: null,
    }
    this.connection.send(
      () => this.world.coordinator.heartbeat(request, { ...CLIENT_CONTEXT, apiVersion: 4 }),
      answer => {
        if (answer === null || answer.errorCode === ErrorCode.NONE) return
        this.#rejoinAfter(answer.errorCode)
      },
    )
  }

  #rejoinAfter(errorCode: number): void {
    switch (errorCode) {
      case ErrorCode.REBALANCE_IN_PROGRESS:
      case ErrorCode.ILLEGAL_GENERATION:
        this.#startOver(this.memberId)
        return
      case ErrorCode.UNKNOWN_MEMBER_ID:
        this.#startOver('')
        return
      default:
        this.#assertPassing(errorCode)
    }
  }

  #assertPassing(errorCode: number): void {
    if (!this.isPassing(errorCode)) throw new Breach(`${this.name} got error ${errorCode}`)
  }

  #startOver(memberId: string): void {
    this.memberId = memberId
    this.owned = new Set()
    this.epoch = 0
    this.#state = 'out'
  }

  /** As the range assignor of clients: each topic in ranges over its subscribers. */
  #assign({ members = [] }: JoinAnswer): SyncGroupRequest['assignments'] {
    const wants = members.map(({ memberId, metadata }) => ({
      memberId,
      topics: new Set(decodeVersioned(ConsumerProtocolSubscription, Buffer.from(metadata)).topics),
    }))
    const given = new Map<string, { topic: string; partitions: number[] }[]>()
    for (const topic of new Set(wants.flatMap(({ topics }) => [...topics]))) {
      const subscribers = wants.filter(({ topics }) => topics.has(topic))
      const count = this.world.topics.topic(topic)?.numPartitions ?? 0
      subscribers.forEach(({ memberId }, index) => {
        const first = Math.floor((count * index) / subscribers.length)
        const end = Math.floor((count * (index + 1)) / subscribers.length)
        const partitions = Array.from({ length: end - first }, (_, at) => first + at)
        given.set(memberId, [...(given.get(memberId) ?? []), { topic, partitions }])
      })
    }
    return wants.map(({ memberId }) => ({
      memberId,
      assignment: encodeVersioned(ConsumerProtocolAssignment, 1, {
        assignedPartitions: given.get(memberId) ?? [],
      }),
    }))
  }
}
