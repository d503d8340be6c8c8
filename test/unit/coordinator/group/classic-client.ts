/** Talks to a coordinator as a classic client does, with few words. */
import { ConsumerProtocolSubscription } from '../../../../src/protocol/messages/consumer-protocol.js'
import type {
  JoinAnswer,
  SyncAnswer,
} from '../../../../src/coordinator/group/classic/classic-member.js'
import type { GroupCoordinator } from '../../../../src/coordinator/group/group-coordinator.js'
import { ZERO_UUID } from '../../../../src/base/uuid.js'
import { encodeVersioned } from '../../../../src/protocol/versioned-message.js'

export interface ClientOptions {
  readonly groupId?: string
  readonly groupInstanceId?: string | null
  readonly apiVersion?: number
  readonly sessionTimeoutMs?: number
  readonly rebalanceTimeoutMs?: number
  readonly protocolType?: string
  /** Names in the order of preference. */
  readonly protocols?: readonly string[]
  readonly topics?: readonly string[]
}

export const subscription = (...topics: string[]): Buffer =>
  encodeVersioned(ConsumerProtocolSubscription, 1, { topics, userData: null })

export class ClassicClient {
  memberId = ''
  generationId = -1
  joined: JoinAnswer | null = null
  readonly #coordinator: GroupCoordinator
  readonly #options: ClientOptions

  constructor(coordinator: GroupCoordinator, options: ClientOptions = {}) {
    this.#coordinator = coordinator
    this.#options = options
  }

  get groupId(): string {
    return this.#options.groupId ?? 'g'
  }

  /** One JoinGroup; `memberId` and generation follow the answer. */
  async join(more: ClientOptions = {}): Promise<JoinAnswer> {
    const options = { ...this.#options, ...more }
    const names = options.protocols ?? ['range']
    const metadata = subscription(...(options.topics ?? ['t']))
    const answer = await this.#coordinator.joinGroup(
      {
        groupId: this.groupId,
        sessionTimeoutMs: options.sessionTimeoutMs ?? 10_000,
        rebalanceTimeoutMs: options.rebalanceTimeoutMs ?? 60_000,
        memberId: this.memberId,
        groupInstanceId: options.groupInstanceId ?? null,
        protocolType: options.protocolType ?? 'consumer',
        protocols: names.map(name => ({ name, metadata })),
        reason: null,
      },
      this.#context(options.apiVersion),
    )
    if (answer.memberId !== '') this.memberId = answer.memberId ?? ''
    if (answer.errorCode === 0) this.generationId = answer.generationId ?? -1
    this.joined = answer
    return answer
  }

  /** Asks for an id if it needs one, then joins. */
  async joinFully(more: ClientOptions = {}): Promise<JoinAnswer> {
    const answer = await this.join(more)
    return answer.errorCode === 79 ? this.join(more) : answer
  }

  /** As the leader it gives each member its own name. */
  sync(): Promise<SyncAnswer> {
    const members = this.joined?.members ?? []
    return this.#coordinator.syncGroup(
      {
        groupId: this.groupId,
        generationId: this.generationId,
        memberId: this.memberId,
        groupInstanceId: this.#options.groupInstanceId ?? null,
        protocolType: 'consumer',
        protocolName: 'range',
        assignments: members.map(({ memberId }) => ({
          memberId,
          assignment: Buffer.from(memberId),
        })),
      },
      this.#context(),
    )
  }

  async heartbeat(generationId = this.generationId): Promise<number> {
    const { groupId, memberId } = this
    const groupInstanceId = this.#options.groupInstanceId ?? null
    const request = { groupId, generationId, memberId, groupInstanceId }
    return (await this.#coordinator.heartbeat(request, this.#context())).errorCode
  }

  async leave(): Promise<number> {
    const leaver = {
      memberId: this.memberId,
      groupInstanceId: this.#options.groupInstanceId ?? null,
    }
    const answer = await this.#coordinator.leaveGroup(this.groupId, [leaver], this.#context())
    return answer.errorCode || (answer.members?.[0]?.errorCode ?? -1)
  }

  async commit(
    offset: bigint,
    { partition = 0, metadata = '', retentionTimeMs = -1n, topic = 't' } = {},
  ): Promise<number> {
    const committed = await this.#coordinator.commitOffsets({
      groupId: this.groupId,
      memberId: this.memberId,
      groupInstanceId: this.#options.groupInstanceId ?? null,
      generationIdOrMemberEpoch: this.generationId,
      apiVersion: 7,
      isTransactional: false,
      retentionTimeMs,
      topics: [
        {
          name: topic,
          topicId: ZERO_UUID,
          partitions: [
            {
              partitionIndex: partition,
              committedOffset: offset,
              committedLeaderEpoch: -1,
              committedMetadata: metadata,
            },
          ],
        },
      ],
    })
    return committed[0]!.partitions[0]!.errorCode
  }

  /** -1: nothing is committed. */
  async committed(partition = 0, topic = 't'): Promise<bigint> {
    const answer = await this.#coordinator.fetchOffsets({
      groupId: this.groupId,
      memberId: null,
      memberEpoch: -1,
      requireStable: false,
      topics: [{ name: topic, topicId: ZERO_UUID, partitionIndexes: [partition] }],
    })
    return answer.topics[0]!.partitions[0]!.committedOffset
  }

  #context(apiVersion = this.#options.apiVersion ?? 9) {
    return { apiVersion, clientId: 'c', clientHost: '/127.0.0.1' }
  }
}
