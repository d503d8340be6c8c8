/**
 * One history from one seed: a group of clients of one or both protocols, a time of faults, a time of quiet. The
 * watch looks on after every event; at the end the group must have settled and no commit may be lost.
 */
import { ClassicGroup } from '../../src/coordinator/group/classic/classic-group.js'
import { ConsumerGroup } from '../../src/coordinator/group/consumer/consumer-group.js'
import type { GroupRecord } from '../../src/coordinator/group/records/group-record.js'
import type { RecordSerde } from '../../src/coordinator/runtime/operation.js'
import { ClassicClient } from './classic-client.js'
import type { Client, Commits } from './client.js'
import { ConsumerClient } from './consumer-client.js'
import { Breach, Watch } from './invariants.js'
import { GROUP, World } from './world.js'

const FAULTS_MS = 50_000
const STEP_MS = 500
/** Long enough for sessions to end, for what they held to move, and for everybody to be told. */
const QUIET_MS = 75_000
const CLIENTS_MAX = 5
const TOPICS = ['t0', 't1', 't2']

export type Flavour = 'classic' | 'consumer' | 'mixed'

export class History {
  readonly #world: World
  readonly #flavour: Flavour
  readonly #clients: Client[] = []
  readonly #watch = new Watch()
  readonly #commits: Commits = { acknowledged: new Map(), next: 1n }
  readonly #hasStatic: boolean
  #names = 0

  constructor(seed: number, serde?: RecordSerde<GroupRecord>) {
    this.#world = new World(seed, serde)
    this.#flavour = this.#world.chance.pick(['classic', 'consumer', 'mixed', 'mixed'] as const)
    this.#hasStatic = this.#world.chance.percent(30)
    for (const topic of TOPICS) this.#world.topics.put(topic, this.#world.chance.between(1, 4))
  }

  /** What the history came to, for comparing two runs of one seed. Rejects with the breach. */
  async run(): Promise<string> {
    const world = this.#world
    await world.load()
    for (let count = world.chance.between(1, 3); count > 0; count--) this.#come()
    for (let ms = 0; ms < FAULTS_MS; ms += STEP_MS) {
      await this.#advance(STEP_MS)
      await this.#maybeDisturb()
    }
    await this.#calm()
    for (let ms = 0; ms < QUIET_MS; ms += STEP_MS) await this.#advance(STEP_MS)
    this.#checkEnd()
    return this.#summary()
  }

  async #advance(ms: number): Promise<void> {
    const world = this.#world
    await world.time.runUntil(world.time.nowMs() + ms, () => {
      this.#watch.check(world, this.#clients)
      if (world.failure !== null) throw world.failure
    })
  }

  #alive(): Client[] {
    return this.#clients.filter(client => client.isAlive)
  }

  #come(): void {
    const { chance } = this.#world
    const name = `c${++this.#names}`
    const subscription = chance.percent(60) ? TOPICS.slice(0, 2) : [chance.pick(TOPICS)]
    const shared = { commits: this.#commits, subscription }
    const isClassic =
      this.#flavour === 'classic' || (this.#flavour === 'mixed' && chance.percent(50))
    const client = isClassic
      ? new ClassicClient(this.#world, name, shared)
      : new ConsumerClient(this.#world, name, shared, {
          instanceId: this.#hasStatic && chance.percent(50) ? `i${chance.int(2)}` : null,
          regex: chance.percent(25) ? subscription.join('|') : null,
          assignor: chance.percent(20) ? chance.pick(['uniform', 'range']) : null,
        })
    this.#clients.push(client)
    client.start()
  }

  async #maybeDisturb(): Promise<void> {
    const world = this.#world
    const { chance } = world
    const alive = this.#alive()
    switch (chance.int(60)) {
      case 0:
      case 1:
      case 2:
        if (alive.length < CLIENTS_MAX) this.#come()
        return
      case 3:
        if (alive.length > 0) chance.pick(alive).crash()
        return
      case 4:
      case 5:
        if (alive.length > 0) chance.pick(alive).leave()
        return
      case 6:
        await this.#restart()
        return
      case 7:
        world.failAppends(true)
        await this.#advance(chance.int(2_000))
        world.failAppends(false)
        return
      case 8:
        if (!world.isDown) await world.grow(chance.pick(TOPICS))
        return
      case 9:
        world.stepClock(chance.between(-20_000, 20_000))
    }
  }

  /** What the log has must be all that there was. */
  async #restart(): Promise<void> {
    const world = this.#world
    const before = await this.#described()
    world.stop()
    await this.#advance(world.chance.int(3_000))
    await world.load()
    this.#watch.onLoad(world)
    const after = await this.#described()
    if (before !== after) throw new Breach(`a load made of ${before} ${after}`)
    this.#checkCommits()
  }

  async #described(): Promise<string> {
    const group = this.#world.shard.groups.get(GROUP)
    if (!(group instanceof ConsumerGroup)) return ''
    return JSON.stringify(await this.#world.coordinator.describeConsumerGroup(GROUP), sorted)
  }

  async #calm(): Promise<void> {
    const world = this.#world
    world.failAppends(false)
    world.hasFaults = false
    if (this.#alive().length === 0) this.#come()
    await this.#advance(0)
  }

  #checkCommits(): void {
    const { offsets } = this.#world.shard
    for (const [partition, acknowledged] of this.#commits.acknowledged) {
      const [topicId, index] = partition.split('/') as [never, string]
      const name = this.#world.topics.topicById(topicId)!.name
      const kept = offsets.get(GROUP, name, Number(index))?.offset ?? -1n
      if (kept < acknowledged) {
        throw new Breach(`${name}-${index} is at ${kept} after a commit of ${acknowledged}`)
      }
    }
  }

  #checkEnd(): void {
    this.#checkCommits()
    const group = this.#world.shard.groups.get(GROUP)
    const members = this.#alive().filter(client => !client.isRefused)
    if (members.length === 0 || group === undefined) {
      throw new Breach(`nobody is in the group although ${this.#alive().length} want to`)
    }
    if (group.stateName !== 'Stable') {
      throw new Breach(`the group is ${group.stateName} after ${QUIET_MS} ms of quiet`)
    }
    const size =
      group instanceof ClassicGroup ? group.memberCount : (group as ConsumerGroup).members.size
    if (size !== members.length) {
      throw new Breach(
        `the group has ${size} members, and ${members.length} clients: ${this.#summary()}`,
      )
    }
    const owned = new Set(members.flatMap(client => [...client.owned]))
    // A classic group only looks at its topics when its leader does.
    const mustCover = group instanceof ConsumerGroup
    for (const topic of new Set(members.flatMap(client => client.subscription))) {
      const { topicId, numPartitions } = this.#world.topics.topic(topic)!
      for (let partition = 0; mustCover && partition < numPartitions; partition++) {
        if (!owned.has(`${topicId}/${partition}`))
          throw new Breach(`nobody reads ${topic}-${partition}: ${this.#summary()}`)
      }
    }
    if (owned.size === 0) throw new Breach('nobody owns anything')
  }

  #summary(): string {
    const group = this.#world.shard.groups.get(GROUP)
    const clients = this.#clients.map(
      ({ name, memberId, epoch, owned }) => `${name}:${memberId}:${epoch}:${[...owned].join(' ')}`,
    )
    const batches = this.#world.log.batches(0).length
    return [this.#flavour, group?.type, group?.stateName, batches, ...clients].join(' ')
  }
}

function sorted(_: string, value: unknown): unknown {
  if (!Array.isArray(value)) return value
  return [...(value as unknown[])].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
}
