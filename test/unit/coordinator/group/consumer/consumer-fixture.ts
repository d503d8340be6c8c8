/** A coordinator of groups of both protocols on a log in memory, and the requests that tests send it. */
import type { ConsumerGroupHeartbeatRequest } from '../../../../../src/protocol/messages/consumer-group-heartbeat.js'
import type { JoinGroupRequest } from '../../../../../src/protocol/messages/join-group.js'
import { ConsumerProtocolSubscription } from '../../../../../src/protocol/messages/consumer-protocol.js'
import { encodeVersioned } from '../../../../../src/protocol/versioned-message.js'
import { ConsumerSide } from '../../../../../src/coordinator/group/consumer/consumer-side.js'
import {
  GroupCoordinator,
  type GroupRuntime,
} from '../../../../../src/coordinator/group/group-coordinator.js'
import { GroupShard } from '../../../../../src/coordinator/group/group-shard.js'
import { groupRecordSerde } from '../../../../../src/coordinator/group/records/group-record.js'
import { CoordinatorRuntime } from '../../../../../src/coordinator/runtime/coordinator-runtime.js'
import { MemoryLog } from '../../memory-log.js'
import { settle, SimulatedTime } from '../../simulated-time.js'
import { contextOf, FakeTopics, settingsOf } from '../shard-fixture.js'

export type Heartbeat = Partial<ConsumerGroupHeartbeatRequest>

const CLIENT = { clientId: 'c', clientHost: '/127.0.0.1' }

export class GroupBench {
  readonly log = new MemoryLog()
  readonly time = new SimulatedTime()
  readonly topics = new FakeTopics().put('foo', 4).put('bar', 2)
  shard!: GroupShard
  coordinator!: GroupCoordinator
  #runtime!: GroupRuntime
  readonly #settings: Record<string, string>

  private constructor(settings: Record<string, string>) {
    this.#settings = settings
  }

  static async start(settings: Record<string, string> = {}): Promise<GroupBench> {
    const bench = new GroupBench(settings)
    await bench.load()
    return bench
  }

  /** A new coordinator over what the log has. */
  async load(): Promise<void> {
    const config = settingsOf(this.#settings)
    const { log, time, topics } = this
    this.#runtime?.closeAll()
    this.#runtime = new CoordinatorRuntime({
      log,
      serde: groupRecordSerde,
      clock: time,
      scheduler: time,
      loadBufferBytes: 100_000,
      createState: timers => {
        this.shard = new GroupShard(
          contextOf(config, { time, timers, topics }),
          shard => new ConsumerSide(shard),
        )
        return this.shard
      },
      pause: settle,
      onProblem: message => {
        throw new Error(message)
      },
    })
    const sessionLimits = () => ({ minMs: 1, maxMs: 1_000_000 })
    this.coordinator = new GroupCoordinator({
      runtime: this.#runtime,
      partitionCount: () => 1,
      sessionLimits,
    })
    await this.#runtime.open(0)
  }

  /** Sends a heartbeat; without an epoch one that joins and subscribes to foo. */
  async beat(memberId: string, fields: Heartbeat = {}, apiVersion = 1) {
    const isJoining = (fields.memberEpoch ?? 0) === 0
    const request: ConsumerGroupHeartbeatRequest = {
      groupId: 'g',
      memberId,
      memberEpoch: 0,
      instanceId: null,
      rackId: null,
      rebalanceTimeoutMs: isJoining ? 60_000 : -1,
      subscribedTopicNames: isJoining ? ['foo'] : null,
      subscribedTopicRegex: null,
      serverAssignor: null,
      topicPartitions: isJoining ? [] : null,
      ...fields,
    }
    const answer = await this.coordinator.consumerHeartbeat(request, { ...CLIENT, apiVersion })
    return { ...answer, owns: this.#partitionsOf(answer.assignment) }
  }

  /** Joins as a classic member that wants foo; ids are asked for first. */
  async join(fields: Partial<JoinGroupRequest> & { readonly owned?: number[] } = {}) {
    const { owned = [], ...rest } = fields
    const subscription = encodeVersioned(ConsumerProtocolSubscription, 1, {
      topics: ['foo'],
      ownedPartitions: owned.length === 0 ? [] : [{ topic: 'foo', partitions: owned }],
    })
    const request = {
      groupId: 'g',
      sessionTimeoutMs: 10_000,
      rebalanceTimeoutMs: 60_000,
      memberId: '',
      groupInstanceId: null,
      protocolType: 'consumer',
      protocols: [{ name: 'range', metadata: subscription }],
      reason: null,
      ...rest,
    } as JoinGroupRequest
    return this.coordinator.joinGroup(request, { ...CLIENT, apiVersion: 9 })
  }

  sync(memberId: string, generationId: number, groupInstanceId: string | null = null) {
    const request = { groupId: 'g', memberId, generationId, groupInstanceId, assignments: [] }
    return this.coordinator.syncGroup(
      { ...request, protocolType: 'consumer', protocolName: 'range' },
      { ...CLIENT, apiVersion: 5 },
    )
  }

  classicBeat(memberId: string, generationId: number) {
    return this.coordinator.heartbeat(
      { groupId: 'g', memberId, generationId, groupInstanceId: null },
      { ...CLIENT, apiVersion: 4 },
    )
  }

  async topicsChanged(...names: string[]): Promise<void> {
    await this.coordinator.topicsChanged(new Set(names))
  }

  /** Time goes on; the assignment interval has passed afterwards. */
  pass(ms = 1000): Promise<void> {
    return this.time.advance(ms)
  }

  /** "foo 0 1 2", in the order of the topics. */
  #partitionsOf(assignment: { topicPartitions: readonly TopicPartitions[] } | null | undefined) {
    if (assignment === null || assignment === undefined) return null
    return assignment.topicPartitions
      .map(
        ({ topicId, partitions }) =>
          `${this.topics.topicById(topicId as never)?.name} ${partitions.join(' ')}`,
      )
      .sort()
  }
}

interface TopicPartitions {
  readonly topicId: string
  readonly partitions: readonly number[]
}
