/** A member of a classic group: what it said as it joined, what it was given, and whether it waits for an answer. */
import type { InferInput } from '../../../protocol/schema/message.js'
import type { JoinGroupResponse } from '../../../protocol/messages/join-group.js'
import type { SyncGroupResponse } from '../../../protocol/messages/sync-group.js'
import type { Deferred } from '../../deferred.js'

export type JoinAnswer = InferInput<typeof JoinGroupResponse>
export type SyncAnswer = InferInput<typeof SyncGroupResponse>

/** One assignor that a member offers, best first, with what it tells the leader about itself. */
export interface MemberProtocol {
  readonly name: string
  readonly metadata: Buffer
}

export interface ClassicMemberSpec {
  readonly memberId: string
  readonly groupInstanceId: string | null
  readonly clientId: string
  readonly clientHost: string
  readonly rebalanceTimeoutMs: number
  readonly sessionTimeoutMs: number
  readonly protocolType: string
  readonly protocols: readonly MemberProtocol[]
  readonly assignment?: Buffer
}

export const EMPTY_BYTES: Buffer = Buffer.alloc(0)

export class ClassicMember {
  readonly memberId: string
  readonly groupInstanceId: string | null
  readonly clientId: string
  readonly clientHost: string
  readonly protocolType: string
  rebalanceTimeoutMs: number
  sessionTimeoutMs: number
  protocols: readonly MemberProtocol[]
  assignment: Buffer
  /** Parked JoinGroup and SyncGroup. ClassicGroup counts the joins: change them through it. */
  awaitingJoin: Deferred<JoinAnswer> | null = null
  awaitingSync: Deferred<SyncAnswer> | null = null
  /** It has not seen the end of a join yet, and cannot know its id. */
  isNew = false

  constructor(spec: ClassicMemberSpec) {
    this.memberId = spec.memberId
    this.groupInstanceId = spec.groupInstanceId
    this.clientId = spec.clientId
    this.clientHost = spec.clientHost
    this.protocolType = spec.protocolType
    this.rebalanceTimeoutMs = spec.rebalanceTimeoutMs
    this.sessionTimeoutMs = spec.sessionTimeoutMs
    this.protocols = spec.protocols
    this.assignment = spec.assignment ?? EMPTY_BYTES
  }

  get isStatic(): boolean {
    return this.groupInstanceId !== null
  }

  /** While it waits for others it need not send heartbeats; a new one cannot prove that it lives. */
  get isExcusedFromHeartbeats(): boolean {
    return !this.isNew && (this.awaitingJoin !== null || this.awaitingSync !== null)
  }

  /** What it told for a protocol; empty if it does not support it. */
  metadataOf(protocol: string): Buffer {
    return this.protocols.find(({ name }) => name === protocol)?.metadata ?? EMPTY_BYTES
  }

  /** Whether it offers exactly these protocols, in this order, with these bytes. */
  offers(protocols: readonly MemberProtocol[]): boolean {
    return (
      protocols.length === this.protocols.length &&
      protocols.every(({ name, metadata }, index) => {
        const own = this.protocols[index]!
        return own.name === name && own.metadata.equals(metadata)
      })
    )
  }

  /** The first of its protocols that is among the candidates. */
  vote(candidates: ReadonlySet<string>): string | undefined {
    return this.protocols.find(({ name }) => candidates.has(name))?.name
  }
}
