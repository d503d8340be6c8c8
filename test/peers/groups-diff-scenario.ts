/** The requests of groups-diff.ts, in order; each answer may feed the next request. */
import { ApiKey } from '../../src/protocol/api-keys.js'
import { ZERO_UUID } from '../../src/base/uuid.js'

type Body = Record<string, unknown>
type Answer = Record<string, unknown>

export interface Scenario {
  ask(name: string, apiKey: number, version: number, body: Body): Promise<Answer>
  subscription(...topics: string[]): Buffer
}

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i)

export async function scenario({ ask, subscription }: Scenario): Promise<void> {
  const topic = 'groups-diff'
  for (const name of [topic, `${topic}-2`]) {
    await ask('', ApiKey.CreateTopics, 7, {
      topics: [{ name, numPartitions: 2, replicationFactor: 1, assignments: [], configs: [] }],
      timeoutMs: 10000,
    })
  }
  const idOf = async (name: string) => {
    const answer = (await ask('', ApiKey.Metadata, 12, {
      topics: [{ name, topicId: ZERO_UUID }],
      allowAutoTopicCreation: false,
    })) as { topics: { topicId: string }[] }
    return answer.topics[0]!.topicId
  }
  const topicId = await idOf(topic)
  const join = (name: string, version: number, body: Body) =>
    ask(name, ApiKey.JoinGroup, version, {
      groupId: 'g',
      sessionTimeoutMs: 10000,
      rebalanceTimeoutMs: 10000,
      memberId: '',
      protocolType: 'consumer',
      protocols: [{ name: 'range', metadata: subscription(topic) }],
      ...body,
    })
  const sync = (name: string, version: number, body: Body) =>
    ask(name, ApiKey.SyncGroup, version, {
      groupId: 'g',
      generationId: 1,
      memberId: 'nobody',
      protocolType: 'consumer',
      protocolName: 'range',
      assignments: [],
      ...body,
    })
  const beat = (name: string, version: number, body: Body) =>
    ask(name, ApiKey.Heartbeat, version, {
      groupId: 'g',
      generationId: 1,
      memberId: 'nobody',
      ...body,
    })
  const leave = (name: string, version: number, body: Body) =>
    ask(name, ApiKey.LeaveGroup, version, { groupId: 'g', memberId: '', members: [], ...body })
  const commit = (name: string, version: number, body: Body, partitions?: Body[]) =>
    ask(name, ApiKey.OffsetCommit, version, {
      groupId: 'simple',
      generationIdOrMemberEpoch: -1,
      memberId: '',
      topics: [
        {
          name: topic,
          topicId,
          partitions: partitions ?? [
            { partitionIndex: 0, committedOffset: 5n, committedMetadata: 'm' },
          ],
        },
      ],
      ...body,
    })
  const fetch = (
    name: string,
    version: number,
    groupId: string,
    partitions: number[] | null,
    more: Body = {},
  ) =>
    ask(name, ApiKey.OffsetFetch, version, {
      groupId,
      topics: partitions === null ? null : [{ name: topic, partitionIndexes: partitions }],
      groups: [
        {
          groupId,
          topics:
            partitions === null ? null : [{ name: topic, topicId, partitionIndexes: partitions }],
        },
      ],
      ...more,
    })
  const describe = (name: string, version: number, ...groups: string[]) =>
    ask(name, ApiKey.DescribeGroups, version, { groups, includeAuthorizedOperations: version >= 3 })

  await ask('', ApiKey.FindCoordinator, 0, { key: 'g', keyType: 0 })
  // A coordinator that was made just now loads first: 14, 15, 16.
  for (let attempt = 0; attempt < 50; attempt++) {
    const answer = await ask('', ApiKey.Heartbeat, 0, {
      groupId: 'g',
      generationId: 1,
      memberId: 'x',
    })
    const listed = await ask('', ApiKey.ListGroups, 0, {})
    if (answer.errorCode === 25 && listed.errorCode === 0) break
    await new Promise(resolve => setTimeout(resolve, 200))
  }
  const refusals = async () => {
    for (const v of range(0, 6)) {
      await ask('find', ApiKey.FindCoordinator, v, {
        key: 'g',
        keyType: 0,
        coordinatorKeys: ['g', ''],
      })
    }
    for (const v of [0, 2, 5, 6, 7, 9]) {
      await join('join without group', v, { groupId: '' })
      await join('join short session', v, { sessionTimeoutMs: 10 })
      await join('join unknown member', v, { memberId: 'nobody' })
      await join('join unknown member of unknown group', v, { groupId: 'none', memberId: 'nobody' })
      await join('join without protocols', v, { groupId: `np${v}`, protocols: [] })
      await join('join without type', v, { groupId: `nt${v}`, protocolType: '' })
    }
    for (const v of [0, 3, 4, 5]) {
      await sync('sync without group', v, { groupId: '' })
      await sync('sync unknown group', v, {})
      await sync('sync without protocol', v, { protocolType: null, protocolName: null })
    }
    for (const v of [0, 3, 4]) {
      await beat('heartbeat without group', v, { groupId: '' })
      await beat('heartbeat unknown group', v, {})
    }
    for (const v of [0, 2]) {
      await leave('leave without group', v, { groupId: '' })
      await leave('leave unknown group', v, { groupId: 'none', memberId: 'x' })
    }
    for (const v of [3, 4, 5]) {
      const members = [
        { memberId: 'x', groupInstanceId: null },
        { memberId: '', groupInstanceId: 'i' },
      ]
      await leave('leave without group', v, { groupId: '', members })
      await leave('leave unknown group', v, { groupId: 'none', members })
      await leave('leave nobody', v, { groupId: 'none', members: [] })
    }
  }

  const offsets = async () => {
    for (const v of range(2, 10)) {
      await commit('simple commit', v, { groupId: `s${v}` })
      await commit('commit without group', v, { groupId: '' })
      await commit('commit by a stranger', v, { memberId: 'x' })
      await commit('commit to no group with a generation', v, {
        groupId: `none${v}`,
        generationIdOrMemberEpoch: 3,
        memberId: 'x',
      })
      await commit('metadata too long', v, { groupId: `s${v}` }, [
        { partitionIndex: 0, committedOffset: 1n, committedMetadata: 'x'.repeat(4097) },
        { partitionIndex: 1, committedOffset: 1n, committedMetadata: 'x'.repeat(4096) },
      ])
      await commit('null metadata, no such partition', v, { groupId: `s${v}` }, [
        { partitionIndex: 0, committedOffset: 9n, committedMetadata: null },
        { partitionIndex: 7, committedOffset: 9n, committedMetadata: '' },
        { partitionIndex: -1, committedOffset: 9n, committedMetadata: '' },
      ])
      await commit('negative offset', v, { groupId: `s${v}` }, [
        { partitionIndex: 0, committedOffset: -5n, committedMetadata: '' },
      ])
      await commit('unknown topic', v, {
        groupId: `s${v}`,
        topics: [
          {
            name: 'no-such-topic',
            topicId: 'AAECAwQFBgcICQoLDA0ODw',
            partitions: [{ partitionIndex: 0, committedOffset: 1n, committedMetadata: '' }],
          },
        ],
      })
      await commit('no topics', v, { groupId: `s${v}`, topics: [] })
    }
    for (const v of range(1, 10)) {
      await fetch('fetch', v, 's7', [0, 1, 7])
      await fetch('fetch none', v, 'no-such-group', [0])
      await fetch('fetch without group', v, '', [0])
      if (v >= 2) {
        await fetch('fetch all', v, 's7', null)
        await fetch('fetch all of none', v, 'no-such-group', null)
      }
      if (v >= 7) await fetch('fetch stable', v, 's7', [0], { requireStable: true })
      await ask('fetch unknown topic', ApiKey.OffsetFetch, v, {
        groupId: 's7',
        topics: [{ name: 'no-such-topic', partitionIndexes: [0] }],
        groups: [
          {
            groupId: 's7',
            topics: [
              { name: 'no-such-topic', topicId: 'AAECAwQFBgcICQoLDA0ODw', partitionIndexes: [0] },
            ],
          },
        ],
      })
    }
    for (const v of [0, 1, 5, 6]) await describe('describe simple', v, 's7', 'no-such-group', '')
    await ask('offset delete, no group', ApiKey.OffsetDelete, 0, { groupId: 'none', topics: [] })
    await ask('offset delete, empty name', ApiKey.OffsetDelete, 0, { groupId: '', topics: [] })
    await ask('offset delete', ApiKey.OffsetDelete, 0, {
      groupId: 's6',
      topics: [
        { name: topic, partitions: [{ partitionIndex: 0 }, { partitionIndex: 9 }] },
        { name: 'no-such-topic', partitions: [{ partitionIndex: 0 }] },
      ],
    })
    await fetch('fetch deleted', 7, 's6', [0, 1])
  }

  const dynamicMember = async () => {
    // A member of a dynamic group, step by step.
    const metadata = subscription(topic)
    const required = await join('join', 5, {})
    const memberId = String(required.memberId)
    await describe('describe empty', 5, 'g')
    const joined = await join('rejoin', 5, { memberId })
    const generationId = Number(joined.generationId)
    await describe('describe completing', 5, 'g')
    await beat('heartbeat before sync', 3, { memberId, generationId })
    await commit('commit before sync', 7, {
      groupId: 'g',
      memberId,
      generationIdOrMemberEpoch: generationId,
    })
    await sync('sync other type', 5, { memberId, generationId, protocolType: 'connect' })
    await sync('sync other name', 5, { memberId, generationId, protocolName: 'sticky' })
    await sync('sync old generation', 5, { memberId, generationId: 0 })
    await sync('sync', 5, {
      memberId,
      generationId,
      assignments: [
        { memberId, assignment: Buffer.from('abc') },
        { memberId: 'nobody', assignment: Buffer.from('x') },
      ],
    })
    for (const v of [0, 3, 5, 6]) await describe('describe stable', v, 'g')
    for (const v of [0, 3, 4, 5])
      await ask('list', ApiKey.ListGroups, v, {
        statesFilter: v >= 4 ? ['sTable'] : [],
        typesFilter: v >= 5 ? ['Classic'] : [],
      })
    await ask('list consumer', ApiKey.ListGroups, 5, {
      statesFilter: [],
      typesFilter: ['consumer'],
    })
    await ask('list nonsense', ApiKey.ListGroups, 5, {
      statesFilter: ['what'],
      typesFilter: ['what'],
    })
    await sync('sync again', 5, { memberId, generationId })
    await beat('heartbeat', 3, { memberId, generationId })
    await beat('heartbeat old generation', 3, { memberId, generationId: generationId - 1 })
    await beat('heartbeat unknown member', 3, { generationId })
    await beat('heartbeat unknown instance', 3, { memberId, generationId, groupInstanceId: 'i' })
    for (const v of [2, 7, 9]) {
      const own = { groupId: 'g', memberId, generationIdOrMemberEpoch: generationId }
      await commit('commit', v, own)
      await commit('commit old generation', v, {
        ...own,
        generationIdOrMemberEpoch: generationId - 1,
      })
      await commit('commit unknown member', v, { ...own, memberId: 'nobody' })
      await commit('commit outside', v, { ...own, memberId: '', generationIdOrMemberEpoch: -1 })
      await commit('commit without generation', v, { ...own, generationIdOrMemberEpoch: -1 })
    }
    await join('join other type', 5, { protocolType: 'connect' })
    await join('join other protocol', 5, { protocols: [{ name: 'sticky', metadata }] })
    await join('follower check: leader rejoins', 5, { memberId })
    await ask('delete groups', ApiKey.DeleteGroups, 3, { groupsNames: ['g', 'none', '', 's5'] })
    await ask('delete groups', ApiKey.DeleteGroups, 1, { groupsNames: ['g', 'none', 's4', 's4'] })
    await ask('offset delete subscribed', ApiKey.OffsetDelete, 0, {
      groupId: 'g',
      topics: [
        { name: topic, partitions: [{ partitionIndex: 0 }] },
        { name: `${topic}-2`, partitions: [{ partitionIndex: 0 }] },
      ],
    })
    await leave('leave', 3, {
      members: [
        { memberId: 'nobody', groupInstanceId: null },
        { memberId, groupInstanceId: null },
      ],
    })
    await describe('describe left', 6, 'g')
    await join('join with old id', 5, { memberId })
    await beat('heartbeat left', 3, { memberId, generationId })
    await sync('sync left', 5, { memberId, generationId })
    await fetch('fetch left', 7, 'g', [0])
    await commit('simple commit to a left group', 7, { groupId: 'g' })
    await commit('commit with generation to a left group', 7, {
      groupId: 'g',
      memberId,
      generationIdOrMemberEpoch: generationId,
    })
    await ask('offset delete left', ApiKey.OffsetDelete, 0, {
      groupId: 'g',
      topics: [{ name: topic, partitions: [{ partitionIndex: 0 }] }],
    })
  }

  const staticMembers = async () => {
    // Static members.
    const st = { groupId: 'st', groupInstanceId: 'i' }
    const first = await join('static join', 5, st)
    const one = String(first.memberId)
    await sync('static sync', 5, {
      ...st,
      memberId: one,
      generationId: 1,
      assignments: [{ memberId: one, assignment: Buffer.from('a') }],
    })
    for (const v of [5, 8, 9]) {
      const again = await join('static join again', v, st)
      const id = String(again.memberId)
      await sync('static sync after return', 5, { ...st, memberId: id, generationId: 1 })
      await beat('fenced heartbeat', 3, { ...st, memberId: one, generationId: 1 })
      await sync('fenced sync', 5, { ...st, memberId: one, generationId: 1 })
      await join('fenced join', 5, { ...st, memberId: one })
      await commit('fenced commit', 7, { ...st, memberId: one, generationIdOrMemberEpoch: 1 })
      await leave('fenced leave', 3, {
        groupId: 'st',
        members: [{ memberId: one, groupInstanceId: 'i' }],
      })
      await beat('old id without instance', 3, { groupId: 'st', memberId: one, generationId: 1 })
      await describe('describe static', 6, 'st')
    }
    await leave('static leave by instance', 3, {
      groupId: 'st',
      members: [
        { memberId: '', groupInstanceId: 'i' },
        { memberId: '', groupInstanceId: 'j' },
      ],
    })
    await describe('describe static left', 6, 'st')
    for (const v of [0, 3]) {
      const old = await join('old join', v, { groupId: `old${v}` })
      await leave('old leave', 1, { groupId: `old${v}`, memberId: old.memberId })
    }
  }

  await refusals()
  await offsets()
  await dynamicMember()
  await staticMembers()
}
