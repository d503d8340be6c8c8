/** A group coordinator over a log in memory and time that stands still: what unit tests and handlers' tests talk to. */
import type { GroupOverrides } from '../../../../src/config/group-config.js'
import {
  GroupCoordinator,
  type GroupRuntime,
} from '../../../../src/coordinator/group/group-coordinator.js'
import { GroupShard } from '../../../../src/coordinator/group/group-shard.js'
import { groupRecordSerde } from '../../../../src/coordinator/group/records/group-record.js'
import { CoordinatorRuntime } from '../../../../src/coordinator/runtime/coordinator-runtime.js'
import { MemoryLog } from '../memory-log.js'
import { SimulatedTime, settle } from '../simulated-time.js'
import { FakeTopics, contextOf, settingsOf } from './shard-fixture.js'

export interface CoordinatorFixture {
  readonly coordinator: GroupCoordinator
  readonly runtime: GroupRuntime
  readonly time: SimulatedTime
  readonly log: MemoryLog
  readonly topics: FakeTopics
  readonly problems: string[]
  /** The state of partition 0, where all groups are. */
  shard(): GroupShard
  /** The coordinator that a restarted broker would have. */
  restart(): Promise<CoordinatorFixture>
}

export async function startCoordinator(
  settings: Record<string, string> = {},
  { log = new MemoryLog(), time = new SimulatedTime(), topics = new FakeTopics() } = {},
): Promise<CoordinatorFixture> {
  const config = settingsOf(settings)
  const problems: string[] = []
  const overrides: GroupOverrides = new Map()
  let shard: GroupShard | undefined
  const runtime: GroupRuntime = new CoordinatorRuntime({
    log,
    serde: groupRecordSerde,
    clock: time,
    scheduler: time,
    loadBufferBytes: 1000,
    createState(timers) {
      const context = {
        ...contextOf(config, { time, timers, topics }),
        groupOverrides: () => overrides,
      }
      shard = new GroupShard(context)
      return shard
    },
    pause: settle,
    onProblem: message => problems.push(message),
  })
  const coordinator = new GroupCoordinator({
    runtime,
    partitionCount: () => 1,
    sessionLimits: () => ({
      minMs: config.get('group.min.session.timeout.ms'),
      maxMs: config.get('group.max.session.timeout.ms'),
    }),
  })
  await runtime.open(0)
  return {
    ...{ coordinator, runtime, time, log, topics, problems },
    shard: () => shard!,
    restart() {
      runtime.closeAll()
      return startCoordinator(settings, { log, time, topics })
    },
  }
}
