/** Protects client quotas over restarts, beside other settings of the same node, and under names that need writing. */
import { expect, test } from 'vitest'
import { MemoryStore } from '../../../src/metadata/memory-store.js'
import { decodeConfig, encodeConfig } from '../../../src/metadata/topic-nodes.js'
import type { QuotaEntity } from '../../../src/quotas/client-quota.js'
import { ClientQuotaRegistry } from '../../../src/quotas/client-quota-registry.js'

const ENTITIES: QuotaEntity[] = [
  { user: 'u' },
  { user: null },
  { user: 'u', clientId: 'c' },
  { user: 'u', clientId: null },
  { user: null, clientId: null },
  { user: null, clientId: 'c w/ e%i*+.rd ~ü' },
  { clientId: '<default>' },
  { clientId: null },
  { clientId: '..' },
  { user: '.' },
  { ip: '::1' },
  { ip: null },
]

test('every kind of entity is kept over a restart and can be removed', async () => {
  const store = new MemoryStore()
  const registry = await ClientQuotaRegistry.open(store)
  for (const [i, entity] of ENTITIES.entries()) {
    await registry.alter(entity, new Map([['producer_byte_rate', i + 0.5]]))
  }
  const again = await ClientQuotaRegistry.open(store)
  expect(again.entries()).toHaveLength(ENTITIES.length)
  for (const [i, entity] of ENTITIES.entries()) {
    expect(again.limitOf(entity, 'producer_byte_rate')).toBe(i + 0.5)
    expect(again.entries()).toContainEqual({
      entity,
      values: new Map([['producer_byte_rate', i + 0.5]]),
    })
  }
  for (const entity of ENTITIES) await again.alter(entity, new Map([['producer_byte_rate', null]]))
  expect(again.entries()).toEqual([])
  expect((await ClientQuotaRegistry.open(store)).entries()).toEqual([])
})

test('the nodes are those of Kafka 3.9, and what else is in them stays', async () => {
  const store = new MemoryStore()
  const registry = await ClientQuotaRegistry.open(store)
  await store.create('/config/users/a%20b', encodeConfig([['SCRAM-SHA-256', 'salt=x']]))
  await registry.alter({ user: 'a b' }, new Map([['request_percentage', 50]]))
  const path = '/config/users/a%20b'
  const stored = async () => decodeConfig((await store.get(path)).data, path)
  expect(Object.fromEntries(await stored())).toEqual({
    'SCRAM-SHA-256': 'salt=x',
    request_percentage: '50',
  })
  await registry.alter({ user: 'a b' }, new Map([['request_percentage', null]]))
  expect(Object.fromEntries(await stored())).toEqual({ 'SCRAM-SHA-256': 'salt=x' })
  await registry.alter({ user: 'a b', clientId: 'c' }, new Map([['consumer_byte_rate', 7]]))
  expect(await store.children('/config/users/a%20b/clients')).toEqual(['c'])
})

test('changes that are asked for together are all made, and listeners see each', async () => {
  const registry = await ClientQuotaRegistry.open(new MemoryStore())
  let seen = 0
  registry.onChange(() => Promise.resolve(void seen++))
  const keys = ['producer_byte_rate', 'consumer_byte_rate', 'request_percentage']
  await Promise.all(keys.map(key => registry.alter({ user: 'u' }, new Map([[key, 5]]))))
  expect([...registry.valuesOf({ user: 'u' }).keys()]).toEqual(keys)
  expect(seen).toBe(3)
})

test('a name that no path can hold is refused, and what follows works', async () => {
  const registry = await ClientQuotaRegistry.open(new MemoryStore())
  const long = registry.alter({ user: 'x'.repeat(2000) }, new Map([['producer_byte_rate', 5]]))
  await expect(long).rejects.toMatchObject({ code: 'ERR_QUOTA_NAME_TOO_LONG' })
  await registry.alter({ user: 'u' }, new Map([['producer_byte_rate', 5]]))
  expect(registry.limitOf({ user: 'u' }, 'producer_byte_rate')).toBe(5)
})
