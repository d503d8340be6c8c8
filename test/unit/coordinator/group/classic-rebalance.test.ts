/** The classic protocol: who joins when, who leads, what a generation is, what happens to those who are silent. */
import { describe, expect, test } from 'vitest'
import { settle } from '../simulated-time.js'
import { ClassicClient, type ClientOptions } from './classic-client.js'
import { type CoordinatorFixture, startCoordinator } from './coordinator-fixture.js'

const DELAY = 3000
const NONE = 0
const UNKNOWN_MEMBER = 25
const REBALANCE = 27

const stateOf = async ({ coordinator }: CoordinatorFixture, groupId = 'g') => {
  const described = await coordinator.describeClassicGroup(groupId)
  return typeof described === 'object' ? (described?.groupState ?? 'Dead') : described
}

/** Members that have joined and synced together; the one that leads comes first. */
async function stable(
  fixture: CoordinatorFixture,
  count: number,
  options: ClientOptions = {},
): Promise<ClassicClient[]> {
  const members = Array.from(
    { length: count },
    () => new ClassicClient(fixture.coordinator, options),
  )
  const joins = members.map(member => member.joinFully())
  await settle()
  await fixture.time.advance(2 * DELAY + 1)
  await Promise.all(joins)
  const assigned = await Promise.all(members.map(member => member.sync()))
  expect(assigned.map(({ errorCode }) => errorCode)).toEqual(members.map(() => NONE))
  const leads = ({ joined }: ClassicClient) => joined!.members.length > 0
  return members.sort((a, b) => Number(leads(b)) - Number(leads(a)))
}

describe('joining', () => {
  test('a client gets an id first, joins with it, leads and is assigned', async () => {
    const fixture = await startCoordinator()
    const member = new ClassicClient(fixture.coordinator)
    expect(await member.join()).toMatchObject({ errorCode: 79 })
    expect(member.memberId).toMatch(/^c-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    const joining = member.join()
    await fixture.time.advance(DELAY)
    expect(await joining).toMatchObject({
      errorCode: NONE,
      generationId: 1,
      leader: member.memberId,
      protocolName: 'range',
      protocolType: 'consumer',
    })
    expect(await stateOf(fixture)).toBe('CompletingRebalance')
    const synced = await member.sync()
    expect(synced.assignment.toString()).toBe(member.memberId)
    expect(await stateOf(fixture)).toBe('Stable')
  })

  test('old clients join at once, and have one timeout', async () => {
    const fixture = await startCoordinator()
    const joining = new ClassicClient(fixture.coordinator, { apiVersion: 0 }).join()
    await fixture.time.advance(DELAY)
    expect(await joining).toMatchObject({ errorCode: NONE, generationId: 1 })
    const [member] = fixture.shard().classicGroup('g')!.members
    expect(member!.rebalanceTimeoutMs).toBe(10_000)
  })

  test('the first rebalance waits longer while members keep coming, up to their rebalance timeout', async () => {
    const fixture = await startCoordinator()
    const early = new ClassicClient(fixture.coordinator, { rebalanceTimeoutMs: 8000 })
    const joins = [early.joinFully()]
    for (let newcomer = 1; newcomer <= 3; newcomer++) {
      await fixture.time.advance(2000)
      joins.push(new ClassicClient(fixture.coordinator, { rebalanceTimeoutMs: 8000 }).joinFully())
      await settle()
      expect(await stateOf(fixture)).toBe('PreparingRebalance')
    }
    await fixture.time.advance(2000)
    const answers = await Promise.all(joins)
    expect(new Set(answers.map(({ generationId }) => generationId))).toEqual(new Set([1]))
    expect(answers.filter(({ members }) => members.length === 4)).toHaveLength(1)
  })

  test('an id that nobody joins with is forgotten after a session, and holds no rebalance up for longer', async () => {
    const fixture = await startCoordinator()
    const [member] = await stable(fixture, 1)
    const idle = new ClassicClient(fixture.coordinator)
    await idle.join()
    const rejoining = member!.join()
    await settle()
    expect(await stateOf(fixture)).toBe('PreparingRebalance')
    await fixture.time.advance(10_000)
    expect(await rejoining).toMatchObject({ errorCode: NONE, generationId: 2 })
    expect(await idle.join()).toMatchObject({ errorCode: UNKNOWN_MEMBER })
  })

  test.each([
    ['no common protocol', { protocols: ['sticky'] }, 23],
    ['another kind of group', { protocolType: 'connect' }, 23],
    ['no protocols', { protocols: [] }, 23],
    ['too short a session', { sessionTimeoutMs: 5999 }, 26],
    ['too long a session', { sessionTimeoutMs: 1_800_001 }, 26],
    ['no group', { groupId: '' }, 24],
  ])('%s is refused, and the group goes on', async (_, options, errorCode) => {
    const fixture = await startCoordinator()
    const [member] = await stable(fixture, 1)
    const other = new ClassicClient(fixture.coordinator, options)
    expect((await other.joinFully()).errorCode).toBe(errorCode)
    expect(await member!.heartbeat()).toBe(NONE)
  })

  test('the protocol that most members prefer wins', async () => {
    const fixture = await startCoordinator()
    const wishes = [
      ['range', 'sticky'],
      ['sticky', 'range'],
      ['sticky', 'other', 'range'],
    ]
    const joins = wishes.map(protocols =>
      new ClassicClient(fixture.coordinator, { protocols }).joinFully(),
    )
    await settle()
    await fixture.time.advance(2 * DELAY)
    const answers = await Promise.all(joins)
    expect(answers.map(({ protocolName }) => protocolName)).toEqual(['sticky', 'sticky', 'sticky'])
  })

  test('a group takes no more than group.max.size members', async () => {
    const fixture = await startCoordinator({ 'group.max.size': '2' })
    const [leader] = await stable(fixture, 2)
    const third = new ClassicClient(fixture.coordinator)
    expect((await third.joinFully()).errorCode).toBe(81)
    expect(await leader!.heartbeat()).toBe(NONE)
  })

  test('an empty group takes any kind and any protocol', async () => {
    const fixture = await startCoordinator()
    const [member] = await stable(fixture, 1)
    expect(await member!.leave()).toBe(NONE)
    expect(await stateOf(fixture)).toBe('Empty')
    const other = new ClassicClient(fixture.coordinator, {
      protocolType: 'connect',
      protocols: ['x'],
    })
    const joining = other.joinFully()
    await fixture.time.advance(DELAY)
    expect(await joining).toMatchObject({ errorCode: NONE, generationId: 3, protocolName: 'x' })
  })
})

describe('rebalancing', () => {
  test('members learn of it by heartbeat; the next generation keeps its leader', async () => {
    const fixture = await startCoordinator()
    const [leader, follower] = await stable(fixture, 2)
    const joining = new ClassicClient(fixture.coordinator).joinFully()
    await settle()
    expect(await follower!.heartbeat()).toBe(REBALANCE)
    const rejoins = [follower!.join(), leader!.join()]
    const answers = await Promise.all([...rejoins, joining])
    expect(answers.map(({ generationId }) => generationId)).toEqual([2, 2, 2])
    expect(new Set(answers.map(a => a.leader))).toEqual(new Set([leader!.memberId]))
    expect(await follower!.heartbeat(1)).toBe(22)
  })

  test('those who do not rejoin in time are left behind', async () => {
    const fixture = await startCoordinator()
    const [leader, silent] = await stable(fixture, 2, {
      rebalanceTimeoutMs: 20_000,
      sessionTimeoutMs: 30_000,
    })
    const rejoining = leader!.join()
    await fixture.time.advance(20_000)
    expect((await rejoining).members).toHaveLength(1)
    expect(await silent!.heartbeat()).toBe(UNKNOWN_MEMBER)
  })

  test('a member that is silent for a session is removed, and the others rebalance at once', async () => {
    const fixture = await startCoordinator()
    const [leader, silent] = await stable(fixture, 2)
    await fixture.time.advance(6000)
    expect(await leader!.heartbeat()).toBe(NONE)
    await fixture.time.advance(4001)
    expect(await leader!.heartbeat()).toBe(REBALANCE)
    expect(await silent!.heartbeat()).toBe(UNKNOWN_MEMBER)
    expect(await leader!.join()).toMatchObject({ errorCode: NONE, generationId: 2 })
  })

  test('the last missing member leaves: the others need not wait for it', async () => {
    const fixture = await startCoordinator()
    const [leader, leaving] = await stable(fixture, 2)
    const rejoining = leader!.join()
    await settle()
    expect(await leaving!.leave()).toBe(NONE)
    expect(await rejoining).toMatchObject({ errorCode: NONE, generationId: 2 })
  })

  test('all go silent: the group becomes empty and its offsets stay', async () => {
    const fixture = await startCoordinator()
    const [member] = await stable(fixture, 3)
    expect(await member!.commit(5n)).toBe(NONE)
    await fixture.time.advance(60_000)
    expect(await stateOf(fixture)).toBe('Empty')
    expect(await member!.committed()).toBe(5n)
  })

  test('an unchanged follower that joins again keeps the generation, a changed one does not', async () => {
    const fixture = await startCoordinator()
    const [, follower] = await stable(fixture, 2)
    expect(await follower!.join()).toMatchObject({ errorCode: NONE, generationId: 1, members: [] })
    void follower!.join({ topics: ['other'] })
    await settle()
    expect(await stateOf(fixture)).toBe('PreparingRebalance')
  })

  test('a newcomer in the middle of a sync starts anew, and those who wait are told', async () => {
    const fixture = await startCoordinator()
    const members = [new ClassicClient(fixture.coordinator), new ClassicClient(fixture.coordinator)]
    const joins = members.map(member => member.joinFully())
    await settle()
    await fixture.time.advance(2 * DELAY)
    await Promise.all(joins)
    const follower = members.find(member => member.joined!.members.length === 0)!
    const syncing = follower.sync()
    void new ClassicClient(fixture.coordinator).joinFully()
    expect(await syncing).toMatchObject({ errorCode: REBALANCE })
  })

  test('who does not ask for its assignment within the rebalance timeout is removed', async () => {
    const fixture = await startCoordinator()
    const options = { rebalanceTimeoutMs: 8000, sessionTimeoutMs: 60_000 }
    const members = [0, 1].map(() => new ClassicClient(fixture.coordinator, options))
    const joins = members.map(member => member.joinFully())
    await settle()
    await fixture.time.advance(2 * DELAY)
    await Promise.all(joins)
    const leader = members.find(member => member.joined!.members.length > 0)!
    expect(await leader.sync()).toMatchObject({ errorCode: NONE })
    await fixture.time.advance(8000)
    expect(await leader.heartbeat()).toBe(REBALANCE)
    expect(await leader.join()).toMatchObject({ generationId: 2 })
  })
})

describe('static members', () => {
  const STATIC = { groupInstanceId: 'i' }

  test('one that comes back has a new id, the old assignment and the same generation; the old id is fenced', async () => {
    const fixture = await startCoordinator()
    const [before] = await stable(fixture, 1, STATIC)
    const after = new ClassicClient(fixture.coordinator, STATIC)
    expect(await after.join()).toMatchObject({
      errorCode: NONE,
      generationId: 1,
      skipAssignment: true,
      leader: after.memberId,
    })
    expect(after.memberId).not.toBe(before!.memberId)
    expect((await after.sync()).assignment.toString()).toBe(before!.memberId)
    expect(await before!.heartbeat()).toBe(82)
    expect(await before!.commit(1n)).toBe(82)
    expect((await before!.join()).errorCode).toBe(82)
    expect(await before!.sync()).toMatchObject({ errorCode: 82 })
    expect(await before!.leave()).toBe(82)
    expect(await after.heartbeat()).toBe(NONE)
  })

  test('two at once with one instance id: the first one, still waiting, is fenced', async () => {
    const fixture = await startCoordinator()
    const first = new ClassicClient(fixture.coordinator, STATIC).join()
    await settle()
    const second = new ClassicClient(fixture.coordinator, STATIC).join()
    expect(await first).toMatchObject({ errorCode: 82 })
    await fixture.time.advance(2 * DELAY)
    expect(await second).toMatchObject({ errorCode: NONE })
  })

  test('one that is away keeps its place until its session ends', async () => {
    const fixture = await startCoordinator()
    await stable(fixture, 1, STATIC)
    await fixture.time.advance(9000)
    expect(await stateOf(fixture)).toBe('Stable')
    await fixture.time.advance(1001)
    expect(await stateOf(fixture)).toBe('Empty')
  })

  test('if the change cannot be stored the old member stays', async () => {
    const fixture = await startCoordinator()
    const [before] = await stable(fixture, 1, STATIC)
    fixture.log.failWith = 'ERR_STORAGE'
    const after = new ClassicClient(fixture.coordinator, STATIC)
    expect((await after.join()).errorCode).toBe(15)
    fixture.log.failWith = null
    expect(await before!.heartbeat()).toBe(NONE)
  })
})

describe('the log', () => {
  test('a group is what it was after a restart, and its members go on', async () => {
    const fixture = await startCoordinator()
    const [leader, follower] = await stable(fixture, 2)
    const again = await fixture.restart()
    expect(await stateOf(again)).toBe('Stable')
    const { coordinator } = again
    const described = await coordinator.describeClassicGroup('g')
    expect(described).toMatchObject({ protocolData: 'range', protocolType: 'consumer' })
    for (const { memberId } of [leader!, follower!]) {
      const request = { groupId: 'g', generationId: 1, memberId, groupInstanceId: null }
      const context = { apiVersion: 4, clientId: 'c', clientHost: '/h' }
      expect(await coordinator.heartbeat(request, context)).toEqual({ errorCode: NONE })
    }
    await again.time.advance(10_001)
    expect(await stateOf(again)).not.toBe('Stable')
  })

  test('an assignment that cannot be stored reaches nobody; the members start anew', async () => {
    const fixture = await startCoordinator()
    const member = new ClassicClient(fixture.coordinator)
    const joining = member.joinFully()
    await settle()
    await fixture.time.advance(DELAY)
    await joining
    fixture.log.failWith = 'ERR_STORAGE'
    expect(await member.sync()).toMatchObject({ errorCode: 15 })
    fixture.log.failWith = null
    expect(await member.heartbeat()).toBe(REBALANCE)
    expect(await member.join()).toMatchObject({ errorCode: NONE, generationId: 2 })
  })

  test('who waits while the partition goes is sent to look for another coordinator', async () => {
    const fixture = await startCoordinator()
    const joining = new ClassicClient(fixture.coordinator).joinFully()
    await settle()
    fixture.runtime.closeAll()
    expect(await joining).toMatchObject({ errorCode: 16 })
    expect(await new ClassicClient(fixture.coordinator).heartbeat()).toBe(16)
  })
})
