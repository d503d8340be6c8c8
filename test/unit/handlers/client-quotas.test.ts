/** Protects AlterClientQuotas and DescribeClientQuotas: what Kafka 4.4 answered to the same requests. */
import { expect, test } from 'vitest'
import { alterClientQuotasHandler } from '../../../src/handlers/alter-client-quotas.js'
import { createPartitionsHandler } from '../../../src/handlers/create-partitions.js'
import { createTopicsHandler } from '../../../src/handlers/create-topics.js'
import { deleteTopicsHandler } from '../../../src/handlers/delete-topics.js'
import { describeClientQuotasHandler } from '../../../src/handlers/describe-client-quotas.js'
import { MemoryStore } from '../../../src/metadata/memory-store.js'
import {
  AlterClientQuotasRequest,
  AlterClientQuotasResponse,
} from '../../../src/protocol/messages/alter-client-quotas.js'
import {
  CreatePartitionsRequest,
  CreatePartitionsResponse,
} from '../../../src/protocol/messages/create-partitions.js'
import {
  CreateTopicsRequest,
  CreateTopicsResponse,
} from '../../../src/protocol/messages/create-topics.js'
import {
  DeleteTopicsRequest,
  DeleteTopicsResponse,
} from '../../../src/protocol/messages/delete-topics.js'
import {
  DescribeClientQuotasRequest,
  DescribeClientQuotasResponse,
} from '../../../src/protocol/messages/describe-client-quotas.js'
import { ClientQuotaRegistry } from '../../../src/quotas/client-quota-registry.js'
import type { MutationAllowance } from '../../../src/quotas/mutation-quota.js'
import { FakeLifecycle, ask, noQuotas, settings, topicView, topicsView } from './fakes.js'

type Parts = [type: string, name: string | null][]
type Ops = [key: string, value: number | null][]

const ALTER = [AlterClientQuotasRequest, AlterClientQuotasResponse] as const
const DESCRIBE = [DescribeClientQuotasRequest, DescribeClientQuotasResponse] as const

const entityOf = (parts: Parts) =>
  parts.map(([entityType, entityName]) => ({ entityType, entityName }))

async function alter(
  quotas: ClientQuotaRegistry,
  entries: [Parts, Ops][],
  { validateOnly = false, version = 1 } = {},
) {
  const answer = await ask(ALTER, alterClientQuotasHandler(quotas), version, {
    validateOnly,
    entries: entries.map(([parts, ops]) => ({
      entity: entityOf(parts),
      ops: ops.map(([key, value]) => ({ key, value: value ?? 0, remove: value === null })),
    })),
  })
  return answer.entries.map(({ errorCode, errorMessage }) =>
    errorCode === 0 ? null : [errorCode, errorMessage],
  )
}

const USER: Parts = [['user', 'u']]
const P = 'producer_byte_rate'
const IP_RATE = 'connection_creation_rate'

test.each<[Parts, Ops, string | null]>([
  [[], [[P, 1]], 'Invalid empty client quota entity'],
  [[['foo', 'x']], [[P, 1]], 'Unhandled client quota entity type: foo'],
  [[['user', '']], [[P, 1]], 'Empty user not supported'],
  [[['ip', '1.2.3.400']], [[IP_RATE, 1]], '1.2.3.400 is not a valid IP or resolvable host.'],
  [[['ip', '1.2.3.4']], [[P, 1]], `Invalid configuration key ${P}`],
  [USER, [[IP_RATE, 1]], `Invalid configuration key ${IP_RATE}`],
  [USER, [['toString', 1]], 'Invalid configuration key toString'],
  [USER, [['bogus', null]], null],
  [USER, [[P, 0]], `Quota ${P} must be greater than 0`],
  [USER, [[P, NaN]], `Quota ${P} must be a finite number`],
  [USER, [[P, Infinity]], `Quota ${P} must be a finite number`],
  [USER, [[P, 1.5]], `${P} cannot be a fractional value.`],
  [USER, [[P, 3.0000001]], null],
  [USER, [[P, 2 ** 63]], null],
  [USER, [[P, 1e19]], `Proposed value for ${P} is too large for a LONG.`],
  [USER, [['request_percentage', 0.5]], null],
  [[['ip', '::1']], [[IP_RATE, 2 ** 31 - 1]], null],
  [[['ip', '::1']], [[IP_RATE, 2 ** 31]], `Proposed value for ${IP_RATE} is too large for an INT.`],
  [
    USER,
    [
      [P, 5],
      ['bogus', 1],
    ],
    'Invalid configuration key bogus',
  ],
  [
    USER,
    [
      [P, 5],
      [P, 6],
    ],
    'Ignoring duplicate entity ClientQuotaEntity(entries={user=u})',
  ],
  [
    [
      ['ip', '::1'],
      ['user', 'u'],
    ],
    [[IP_RATE, 1]],
    'Invalid quota entity combination, IP entity shouldnot be combined with User or ClientId',
  ],
])('%j %j: %s', async (parts, ops, message) => {
  for (const version of [0, 1]) {
    const quotas = await ClientQuotaRegistry.open(new MemoryStore())
    expect(await alter(quotas, [[parts, ops]], { version, validateOnly: true })).toEqual([
      message === null ? null : [42, message],
    ])
    expect(quotas.entries()).toEqual([])
    await alter(quotas, [[parts, ops]], { version })
    const isSet = message === null && ops[0]![1] !== null
    expect(quotas.entries()).toHaveLength(isSet ? 1 : 0)
  }
})

test('an entity that comes twice is changed once and answered once; the last name of a type counts', async () => {
  const quotas = await ClientQuotaRegistry.open(new MemoryStore())
  const twice: [Parts, Ops][] = [
    [USER, [[P, 5]]],
    [USER, [['consumer_byte_rate', 6]]],
    [
      [
        ['user', 'x'],
        ['user', null],
      ],
      [[P, 7]],
    ],
  ]
  expect(await alter(quotas, twice)).toEqual([
    [42, 'Ignoring duplicate entity ClientQuotaEntity(entries={user=u})'],
    null,
  ])
  expect(quotas.entries()).toEqual([
    { entity: { user: 'u' }, values: new Map([[P, 5]]) },
    { entity: { user: null }, values: new Map([[P, 7]]) },
  ])
})

test('a filter finds the entities that have its parts; strict, those that have no others', async () => {
  const quotas = await ClientQuotaRegistry.open(new MemoryStore())
  const entities: Parts[] = [
    [['user', 'u']],
    [['user', null]],
    [
      ['client-id', 'c'],
      ['user', 'u'],
    ],
    [['client-id', null]],
    [['ip', '::1']],
  ]
  await alter(
    quotas,
    entities.map(parts => [parts, [[parts[0]![0] === 'ip' ? IP_RATE : P, 1]]]),
  )
  const find = async (components: [string, number, string | null][], strict = false) => {
    const answer = await ask(DESCRIBE, describeClientQuotasHandler(quotas), 1, {
      strict,
      components: components.map(([entityType, matchType, match]) => ({
        entityType,
        matchType,
        match,
      })),
    })
    if (answer.errorCode !== 0) return [answer.errorCode, answer.errorMessage]
    expect(answer.errorMessage).toBe('')
    return answer.entries!.map(({ entity }) =>
      entities.findIndex(parts => JSON.stringify(entityOf(parts)) === JSON.stringify(entity)),
    )
  }
  expect((await find([])).sort()).toEqual([0, 1, 2, 3, 4])
  expect(await find([], true)).toEqual([])
  expect(await find([['user', 2, null]])).toEqual([0, 1, 2])
  expect(await find([['user', 2, null]], true)).toEqual([0, 1])
  expect(await find([['user', 1, null]])).toEqual([1])
  expect(await find([['user', 0, 'u']])).toEqual([0, 2])
  expect(
    await find(
      [
        ['user', 0, 'u'],
        ['client-id', 0, 'c'],
      ],
      true,
    ),
  ).toEqual([2])
  expect(await find([['ip', 2, null]])).toEqual([4])
  expect(await find([['foo', 2, null]])).toEqual([35, 'Unsupported entity type foo'])
  expect(await find([['', 2, null]])).toEqual([42, 'Invalid empty entity type.'])
  expect(await find([['user', 3, null]])).toEqual([42, 'Unknown match type 3'])
  for (const [type, match] of [
    [0, null],
    [1, 'x'],
    [2, 'x'],
  ] as const) {
    expect((await find([['user', type, match]]))[0]).toBe(42)
  }
  expect(
    (
      await find([
        ['user', 2, null],
        ['user', 0, 'x'],
      ])
    )[0],
  ).toBe(42)
  expect(
    (
      await find([
        ['user', 2, null],
        ['ip', 2, null],
      ])
    )[0],
  ).toBe(42)
})

/** Lets through the first change and refuses what follows, as a strict quota; asked for in `asked`. */
function mutationQuotas(asked: number[], strictness: boolean[]) {
  const allowance: MutationAllowance = {
    isLimited: true,
    throttleTimeMs: 77,
    take: partitions => asked.push(partitions) === 1,
  }
  const allowanceOf = (_clientId: string | null, strict: boolean) => {
    strictness.push(strict)
    return allowance
  }
  return { ...noQuotas, mutationQuotas: { allowanceOf } }
}

test('changes of topics are counted in partitions and refused with 89 when the quota is used up', async () => {
  const asked: number[] = []
  const strict: boolean[] = []
  const lifecycle = new FakeLifecycle()
  const topics = topicsView(topicView('a', 3), topicView('b', 4))
  const parts = () => {
    asked.length = 0
    return { ...mutationQuotas(asked, strict), lifecycle, settings, topics }
  }
  const create = [CreateTopicsRequest, CreateTopicsResponse] as const
  const topic = { replicationFactor: 1, assignments: [], configs: [] }
  const wanted = ['x', 'y'].map((name, i) => ({ ...topic, name, numPartitions: 5 + i }))
  const created = await ask(create, createTopicsHandler(parts()), 7, { topics: wanted })
  expect(created.topics.map(({ errorCode }) => errorCode)).toEqual([0, 89])
  expect([asked, created.throttleTimeMs]).toEqual([[5, 6], 77])
  expect(lifecycle.created.map(({ name }) => name)).toEqual(['x'])

  const grow = [CreatePartitionsRequest, CreatePartitionsResponse] as const
  const more = ['unknown', 'a', 'b'].map(name => ({ name, count: 10, assignments: null }))
  const growth = { topics: more, validateOnly: false, timeoutMs: 1000 }
  const grown = await ask(grow, createPartitionsHandler(parts()), 3, growth)
  expect(grown.results.map(({ errorCode }) => errorCode)).toEqual([3, 0, 89])
  expect(asked).toEqual([7, 6])

  const remove = [DeleteTopicsRequest, DeleteTopicsResponse] as const
  const names = ['a', 'b', 'nope']
  const deletion = { topicNames: names, timeoutMs: 1000 }
  const deleted = await ask(remove, deleteTopicsHandler(parts()), 5, deletion)
  expect(deleted.responses.map(({ errorCode }) => errorCode)).toEqual([0, 89, 3])
  expect(asked).toEqual([3, 4])
  expect(strict).toEqual([true, true, true])

  await ask(create, createTopicsHandler(parts()), 5, { topics: wanted })
  await ask(grow, createPartitionsHandler(parts()), 2, growth)
  await ask(remove, deleteTopicsHandler(parts()), 4, deletion)
  expect(strict).toEqual([true, true, true, false, false, false])
})
