/**
 * What every MetadataStore driver must do. A driver's test calls `storeConformance` with a way to open a
 * store; `reopen` is given where the driver keeps its nodes.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  ensurePaths,
  type MetadataStore,
  type WatchEvent,
} from '../../../src/metadata/metadata-store.js'

export interface StoreUnderTest {
  open(): Promise<MetadataStore>
  /** Opens the nodes of the store that was closed last. */
  reopen?(): Promise<MetadataStore>
}

const bytes = (text: string) => Buffer.from(text)

export function storeConformance(name: string, driver: StoreUnderTest): void {
  describe(name, () => {
    let store: MetadataStore
    beforeEach(async () => {
      store = await driver.open()
    })
    afterEach(() => store.close())
    const current = () => store

    nodeTests(current)
    versionTests(current)
    multiTests(current)
    watchTests(current)
    lifecycleTests(current)
    if (driver.reopen !== undefined) {
      const reopen = driver.reopen.bind(driver)
      reopenTests(current, async () => {
        await store.close()
        store = await reopen()
        return store
      })
    }
  })
}

function nodeTests(store: () => MetadataStore): void {
  test('a node keeps its data, null apart from empty', async () => {
    await store().create('/a', bytes('x'))
    await store().create('/a/null', null)
    await store().create('/a/empty', Buffer.alloc(0))
    expect((await store().get('/a')).data).toEqual(bytes('x'))
    expect((await store().get('/a/null')).data).toBeNull()
    expect((await store().get('/a/empty')).data).toEqual(Buffer.alloc(0))
    expect(await store().find('/b')).toBeUndefined()
    await expect(store().get('/b')).rejects.toMatchObject({ code: 'ERR_NO_NODE', path: '/b' })
  })

  test('creating twice, or without a parent, is refused', async () => {
    await store().create('/a', null)
    await expect(store().create('/a', null)).rejects.toMatchObject({ code: 'ERR_NODE_EXISTS' })
    await expect(store().create('/x/y', null)).rejects.toMatchObject({ code: 'ERR_NO_NODE' })
  })

  test('children are direct, sorted, and those of their parent only', async () => {
    for (const path of ['/a', '/a/c', '/a/b', '/a/b/d', '/ab', '/ab/z', '/a-', '/a0', '/a0/q']) {
      await store().create(path, null)
    }
    expect(await store().children('/a')).toEqual(['b', 'c'])
    expect(await store().children('/ab')).toEqual(['z'])
    expect(await store().children('/a/c')).toEqual([])
    expect(await store().children('/')).toEqual(['a', 'a-', 'a0', 'ab'])
    await expect(store().children('/none')).rejects.toMatchObject({ code: 'ERR_NO_NODE' })
  })

  test('a node with children is not deleted', async () => {
    await ensurePaths(store(), '/a/b/c')
    await ensurePaths(store(), '/a/b/c')
    await expect(store().delete('/a/b', -1)).rejects.toMatchObject({ code: 'ERR_NOT_EMPTY' })
    await store().delete('/a/b/c', -1)
    await store().delete('/a/b', -1)
    expect(await store().children('/a')).toEqual([])
    await expect(store().delete('/a/b', -1)).rejects.toMatchObject({ code: 'ERR_NO_NODE' })
  })

  test.each(['', 'a', '/', '/a/', '//a', '/a/../b', '/.', `/${'x'.repeat(2000)}`])(
    'the path %j is refused',
    async path => {
      await expect(store().create(path, null)).rejects.toMatchObject({ code: 'ERR_BAD_PATH' })
    },
  )

  test('data given and got is the caller’s: later changes do not reach the store', async () => {
    const given = bytes('abc')
    await store().create('/a', given)
    const got = (await store().get('/a')).data!
    got.fill(0)
    expect((await store().get('/a')).data).toEqual(bytes('abc'))
  })

  test('sequential nodes are numbered upwards and never twice', async () => {
    await store().create('/q', null)
    const first = await store().create('/q/n_', null, 'persistent-sequential')
    await store().delete(first, -1)
    const second = await store().create('/q/n_', null, 'persistent-sequential')
    expect(first).toMatch(/^\/q\/n_[0-9]{10}$/)
    expect(second > first).toBe(true)
  })
}

function versionTests(store: () => MetadataStore): void {
  test('versions count the changes of data, child versions those of children', async () => {
    await store().create('/a', null)
    expect(await store().set('/a', bytes('1'), 0)).toBe(1)
    expect(await store().set('/a', bytes('2'), -1)).toBe(2)
    await store().create('/a/b', null)
    const { stat } = await store().get('/a')
    expect(stat).toMatchObject({ version: 2, childrenVersion: 1, childCount: 1 })
    expect(stat.modifiedTxid).toBeGreaterThan(stat.createdTxid)
  })

  test('set and delete compare the version', async () => {
    await store().create('/a', null)
    await store().set('/a', bytes('1'), 0)
    await expect(store().set('/a', null, 0)).rejects.toMatchObject({ code: 'ERR_BAD_VERSION' })
    await expect(store().delete('/a', 0)).rejects.toMatchObject({ code: 'ERR_BAD_VERSION' })
    await expect(store().set('/b', null, 0)).rejects.toMatchObject({ code: 'ERR_NO_NODE' })
    await store().delete('/a', 1)
  })

  test('of many compare-and-sets with one version exactly one wins', async () => {
    await store().create('/a', bytes('0'))
    for (let round = 0; round < 20; round++) {
      const { stat } = await store().get('/a')
      const racers = Array.from({ length: 10 }, (_, racer) =>
        store().set('/a', bytes(`${round}-${racer}`), stat.version),
      )
      const outcomes = await Promise.allSettled(racers)
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    }
    expect((await store().get('/a')).stat.version).toBe(20)
  })

  test('concurrent increments by compare-and-set lose nothing', async () => {
    await store().create('/n', bytes('0'))
    const increment = async (): Promise<void> => {
      for (;;) {
        const { data, stat } = await store().get('/n')
        const next = bytes(String(Number(data!.toString()) + 1))
        const won = await store()
          .set('/n', next, stat.version)
          .then(() => true)
          .catch(() => false)
        if (won) return
      }
    }
    await Promise.all(Array.from({ length: 25 }, increment))
    expect((await store().get('/n')).data!.toString()).toBe('25')
  })
}

function multiTests(store: () => MetadataStore): void {
  test('a multi sees its own changes', async () => {
    const results = await store().multi([
      { type: 'create', path: '/a', data: null },
      { type: 'create', path: '/a/b', data: bytes('1') },
      { type: 'set', path: '/a/b', data: bytes('2'), version: 0 },
      { type: 'check', path: '/a/b', version: 1 },
      { type: 'delete', path: '/a/b', version: 1 },
    ])
    expect(results.map(({ version }) => version)).toEqual([0, 0, 1, 1, -1])
    expect(await store().children('/a')).toEqual([])
  })

  test('a multi that fails changes nothing and names the operation', async () => {
    await store().create('/a', bytes('old'))
    const failing = store().multi([
      { type: 'set', path: '/a', data: bytes('new'), version: 0 },
      { type: 'create', path: '/b', data: null },
      { type: 'check', path: '/a', version: 0 },
    ])
    await expect(failing).rejects.toMatchObject({ code: 'ERR_BAD_VERSION', operationIndex: 2 })
    expect((await store().get('/a')).data).toEqual(bytes('old'))
    expect(await store().exists('/b')).toBe(false)
    expect((await store().get('/')).stat.childCount).toBe(1)
  })

  test('multis asked for together are atomic each by itself, in order', async () => {
    const outcomes = await Promise.allSettled([
      store().multi([{ type: 'create', path: '/a', data: bytes('1') }]),
      store().multi([
        { type: 'create', path: '/b', data: null },
        { type: 'create', path: '/a', data: bytes('2') },
      ]),
      store().multi([{ type: 'set', path: '/a', data: bytes('3'), version: 0 }]),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect((await store().get('/a')).data).toEqual(bytes('3'))
    expect(await store().exists('/b')).toBe(false)
  })

  test('a read sees every write asked for before it', async () => {
    void store().create('/a', bytes('1'))
    const write = store().set('/a', bytes('2'), 0)
    expect((await store().get('/a')).data).toEqual(bytes('2'))
    await write
  })
}

function watchTests(store: () => MetadataStore): void {
  test('watches stay, tell each change in order, and come before the write settles', async () => {
    const seen: string[] = []
    const note = (event: WatchEvent) => seen.push(`${event.type} ${event.path}`)
    const stop = store().watch('/a', 'data', note)
    store().watch('/a', 'children', note)
    await store().create('/a', null)
    expect(seen).toEqual(['created /a'])
    await store().set('/a', bytes('1'), -1)
    await store().create('/a/b', null)
    await store().set('/a/b', bytes('1'), -1)
    await store().delete('/a/b', -1)
    stop()
    await store().delete('/a', -1)
    expect(seen).toEqual(['created /a', 'changed /a', 'children-changed /a', 'children-changed /a'])
  })

  test('a failed write causes no event', async () => {
    const seen: WatchEvent[] = []
    store().watch('/a', 'data', event => seen.push(event))
    await store()
      .multi([
        { type: 'create', path: '/a', data: null },
        { type: 'check', path: '/none', version: -1 },
      ])
      .catch(() => undefined)
    expect(seen).toEqual([])
  })
}

function lifecycleTests(store: () => MetadataStore): void {
  test('an ephemeral node has no children', async () => {
    await store().create('/e', null, 'ephemeral')
    expect((await store().get('/e')).stat.isEphemeral).toBe(true)
    await expect(store().create('/e/x', null)).rejects.toMatchObject({
      code: 'ERR_NO_CHILDREN_FOR_EPHEMERALS',
    })
  })

  test('a closed store finishes what was asked for and refuses the rest', async () => {
    const write = store().create('/a', null)
    const closing = store().close()
    await expect(write).resolves.toBe('/a')
    await expect(store().create('/b', null)).rejects.toMatchObject({ code: 'ERR_STORE_CLOSED' })
    await closing
    await expect(store().get('/a')).rejects.toMatchObject({ code: 'ERR_STORE_CLOSED' })
    await store().close()
  })
}

function reopenTests(store: () => MetadataStore, reopen: () => Promise<MetadataStore>): void {
  test('persistent nodes, versions and numbers outlive the store; ephemeral ones do not', async () => {
    await store().create('/a', bytes('1'))
    await store().set('/a', bytes('2'), 0)
    await store().create('/e', null, 'ephemeral')
    const first = await store().create('/a/n_', null, 'persistent-sequential')
    const before = await store().get('/a')
    const reopened = await reopen()
    const after = await reopened.get('/a')
    expect(after).toEqual(before)
    expect(await reopened.exists('/e')).toBe(false)
    const second = await reopened.create('/a/n_', null, 'persistent-sequential')
    expect(second > first).toBe(true)
    const node = await reopened.get(second)
    expect(node.stat.createdTxid).toBeGreaterThan(after.stat.modifiedTxid)
  })
}
