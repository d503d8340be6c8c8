/**
 * What a history happens in: a coordinator over a log in memory, time that only moves when all is quiet, topics that
 * grow, and a network that loses, delays and doubles. Nothing here depends on the machine.
 */
import type { Uuid } from '../../src/base/uuid.js'
import type { BrokerConfig } from '../../src/config/broker-config.js'
import { ConsumerSide } from '../../src/coordinator/group/consumer/consumer-side.js'
import {
  GroupCoordinator,
  type GroupRuntime,
} from '../../src/coordinator/group/group-coordinator.js'
import { GroupShard } from '../../src/coordinator/group/group-shard.js'
import {
  type GroupRecord,
  groupRecordSerde,
} from '../../src/coordinator/group/records/group-record.js'
import { CoordinatorRuntime } from '../../src/coordinator/runtime/coordinator-runtime.js'
import type { RecordSerde } from '../../src/coordinator/runtime/operation.js'
import { contextOf, FakeTopics, settingsOf } from '../unit/coordinator/group/shard-fixture.js'
import { MemoryLog } from '../unit/coordinator/memory-log.js'
import { Chance } from './chance.js'
import { SimulationTime } from './simulation-time.js'

export const GROUP = 'g'
export const SESSION_MS = 12_000
export const REBALANCE_MS = 8_000
export const HEARTBEAT_MS = 2_000
const PARTITION = 0

export const POLICIES = [
  'bidirectional',
  'bidirectional',
  'upgrade',
  'downgrade',
  'disabled',
] as const
export type Policy = (typeof POLICIES)[number]

const configs = new Map<Policy, BrokerConfig>()

function configFor(policy: Policy): BrokerConfig {
  const known = configs.get(policy)
  if (known !== undefined) return known
  const config = settingsOf({
    'group.consumer.migration.policy': policy,
    'group.consumer.session.timeout.ms': String(SESSION_MS),
    'group.consumer.min.session.timeout.ms': '1000',
    'group.consumer.heartbeat.interval.ms': String(HEARTBEAT_MS),
    'group.consumer.min.heartbeat.interval.ms': '1000',
    'group.initial.rebalance.delay.ms': '1000',
  })
  configs.set(policy, config)
  return config
}

export class World {
  readonly chance: Chance
  readonly time = new SimulationTime()
  readonly log = new MemoryLog()
  readonly topics = new FakeTopics()
  readonly policy: Policy
  /** The network and the disk fail while this is set. */
  hasFaults = true
  shard!: GroupShard
  coordinator!: GroupCoordinator
  /** Between two lives of the broker. */
  isDown = false
  /** Steps of the wall clock; timers do not feel them. */
  #clockSkewMs = 0
  /** The first thing that went wrong inside of an answer. */
  failure: Error | null = null
  #runtime: GroupRuntime | undefined
  #uuids = 0
  readonly #serde: RecordSerde<GroupRecord>

  constructor(seed: number, serde: RecordSerde<GroupRecord> = groupRecordSerde) {
    this.chance = new Chance(seed)
    this.policy = this.chance.pick(POLICIES)
    this.#serde = serde
  }

  nowMs(): number {
    return this.time.nowMs() + this.#clockSkewMs
  }

  stepClock(ms: number): void {
    this.#clockSkewMs += ms
  }

  /** A new coordinator over what the log has. The one before answers whoever waits. */
  async load(): Promise<void> {
    this.#runtime?.closeAll()
    const { log, time, topics } = this
    const clock = { nowMs: () => this.nowMs(), monotonicMs: () => time.monotonicMs() }
    this.#runtime = new CoordinatorRuntime({
      log,
      serde: this.#serde,
      clock,
      scheduler: time,
      loadBufferBytes: 1_000_000,
      createState: timers => {
        const context = contextOf(configFor(this.policy), { timers, topics })
        const newUuid = () => {
          const text = `uuid${++this.#uuids}`.padStart(16, '.')
          return Buffer.from(text).toString('base64url') as Uuid
        }
        this.shard = new GroupShard(
          { ...context, clock, newUuid },
          shard => new ConsumerSide(shard),
        )
        return this.shard
      },
      pause: () => Promise.resolve(),
      onProblem: () => undefined,
    })
    this.coordinator = new GroupCoordinator({
      runtime: this.#runtime,
      partitionCount: () => 1,
      sessionLimits: () => ({ minMs: 1, maxMs: 1_000_000 }),
    })
    await this.#runtime.open(PARTITION)
    this.isDown = false
  }

  /** The broker goes at once; who asks meanwhile gets no answer. */
  stop(): void {
    this.isDown = true
    this.#runtime?.closeAll()
  }

  failAppends(isFailing: boolean): void {
    this.log.failWith = isFailing ? 'ERR_STORAGE' : null
  }

  async grow(topic: string): Promise<void> {
    const count = this.topics.topic(topic)?.numPartitions ?? 0
    this.topics.put(topic, count + 1)
    await this.coordinator.topicsChanged(new Set([topic]))
  }

  fail(error: Error): void {
    this.failure ??= error
  }

  /** Runs later, at a time of the simulation. Returns what cancels it. */
  after(ms: number, run: () => void): () => void {
    return this.time.after(ms, run)
  }
}
