/**
 * Consumer groups with clients that we did not write: each record once in a stable group, no partition twice, members
 * that come, leave and crash, offsets that outlive a restart and a kill -9 of the broker.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { BrokerProcess } from '../support/broker-process.js'
import { GroupMember, type MemberClient } from '../support/group-members.js'
import { command } from '../support/run-command.js'
import { until } from '../support/until.js'

const PARTITIONS = 4
const CLIENTS: readonly MemberClient[] = ['confluent', 'kafka-python', 'kcat', 'kafkajs']
const MINUTES = 60_000

let broker: BrokerProcess
const members: GroupMember[] = []

beforeAll(async () => {
  broker = await BrokerProcess.start({
    settings: { 'num.partitions': String(PARTITIONS), 'group.initial.rebalance.delay.ms': '0' },
  })
})

afterEach(async () => {
  await Promise.all(members.splice(0).map(member => member.crash()))
})

afterAll(() => broker.remove())

function join(client: MemberClient, topic: string, group = topic): GroupMember {
  const member = new GroupMember(client, { servers: broker.bootstrapServers, group, topic })
  members.push(member)
  return member
}

/** Ten records with these values to each partition. */
async function produce(topic: string, prefix: string): Promise<string[]> {
  const values: string[] = []
  for (let partition = 0; partition < PARTITIONS; partition++) {
    const lines = Array.from({ length: 10 }, (_, i) => `${prefix}-${partition}-${i}`)
    const to = ['-P', '-b', broker.bootstrapServers, '-t', topic, '-p', String(partition)]
    await command('kcat', to, { text: `${lines.join('\n')}\n` })
    values.push(...lines)
  }
  return values.sort()
}

const valuesOf = (group: readonly GroupMember[]) => group.flatMap(({ values }) => values).sort()
const distinct = (values: readonly string[]) => [...new Set(values)].sort()

/** The members share all partitions between them, none twice. */
function shareAll(group: readonly GroupMember[]): boolean {
  if (group.some(({ assigned }) => assigned === null || assigned.length === 0)) return false
  const owned = group.flatMap(({ assigned }) => assigned ?? []).sort()
  return owned.join() === [...Array(PARTITIONS).keys()].join()
}

describe.each(CLIENTS)('%s', client => {
  test(
    'one member reads everything once, a second shares, one leaves',
    { timeout: 3 * MINUTES },
    async () => {
      const topic = `share-${client}`
      const first = await produce(topic, 'first')
      const one = join(client, topic)
      await until(() => one.values.length === first.length)
      expect(valuesOf([one])).toEqual(first)
      const two = join(client, topic)
      await until(() => shareAll([one, two]))
      const second = await produce(topic, 'second')
      await until(() => valuesOf([one, two]).length >= 2 * first.length)
      expect(distinct(valuesOf([one, two]))).toEqual([...first, ...second].sort())
      await one.leave()
      await until(() => shareAll([two]))
      const third = await produce(topic, 'third')
      const expected = [...first, ...second, ...third].sort()
      await until(() => distinct(valuesOf([one, two])).length === expected.length)
      expect(distinct(valuesOf([one, two]))).toEqual(expected)
    },
  )

  test(
    'a member that crashes is replaced after its session',
    { timeout: 3 * MINUTES },
    async () => {
      const topic = `crash-${client}`
      const first = await produce(topic, 'first')
      const pair = [join(client, topic), join(client, topic)] as const
      await until(() => shareAll(pair) && distinct(valuesOf(pair)).length === first.length)
      await pair[0].crash()
      await until(() => shareAll([pair[1]]))
      const second = await produce(topic, 'second')
      await until(() => second.every(value => pair[1].values.includes(value)))
    },
  )
})

test(
  'offsets and groups outlive a clean stop and a kill -9 of the broker',
  { timeout: 5 * MINUTES },
  async () => {
    const topic = 'restarts'
    const first = await produce(topic, 'first')
    const staying = [join('confluent', topic, 'staying'), join('kafka-python', topic, 'staying')]
    const leaving = join('confluent', topic, 'leaving')
    await until(() => distinct(valuesOf(staying)).length === first.length)
    await until(() => leaving.values.length === first.length)
    await leaving.leave()

    expect(await broker.stop()).toBe(0)
    await broker.restart()
    const second = await produce(topic, 'second')
    await until(() => distinct(valuesOf(staying)).length === 2 * first.length)

    await broker.kill()
    await broker.restart()
    const third = await produce(topic, 'third')
    const expected = [...first, ...second, ...third].sort()
    await until(() => distinct(valuesOf(staying)).length === expected.length)

    // What it has read and committed before is not read again.
    const back = join('confluent', topic, 'leaving')
    await until(() => back.values.length >= second.length + third.length)
    expect(valuesOf([back])).toEqual([...second, ...third].sort())
  },
)
