/**
 * The misuse matrix of the addon: every function with the wrong types, with a foreign handle, with a closed handle.
 * Nothing may crash the process, and each refusal says what was wrong.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadAddon } from '../../src/binding/load.js'
import type { DataPlaneHandle } from '../../src/binding/native-addon.js'
import { LIMITS, OPTIONS, SETTINGS, silentEvents, specOf } from './support.js'

const addon = loadAddon()
type Anything = (...args: unknown[]) => unknown
const functions = addon as unknown as Record<string, Anything>

/** Every function that takes a data plane, with arguments that are right behind it. */
const RIGHT: Record<string, unknown[]> = {
  listen: ['127.0.0.1', 0, 0],
  setConnectionLimits: [LIMITS],
  setQuotas: [{ byteRates: [], connectionRates: {}, connectionRateDefault: 0 }],
  addLogDir: ['/tmp'],
  openPartitions: [[]],
  removePartition: ['t', 0],
  updateSettings: ['t', SETTINGS],
  partitionState: ['t', 0],
  batchByTimestamp: ['t', 0, 0n, 0n, 10n],
  batchWithMaxTimestamp: ['t', 0],
  endOffsetForEpoch: ['t', 0, 0],
  epochForOffset: ['t', 0, 0n],
  activeProducers: ['t', 0],
  appendBatch: ['t', 0, Buffer.alloc(70)],
  readBatches: ['t', 0, 0n, 1000],
  segments: ['t', 0],
  deleteRecords: ['t', 0, 0n],
  deleteSegments: ['t', 0, 0n, 0],
  takeRequests: [],
  respond: [1n, 0n, Buffer.alloc(4), { closeAfter: false, throttleMs: 0 }],
  closeConnection: [1n, 'test'],
  counters: [],
  drain: [0],
  closeLogs: [],
  close: [],
}
const WRONG: unknown[] = [undefined, null, 1.5, -1, 'text', 7n, {}, [], Symbol('s'), () => 1]

let folder: string
let open: DataPlaneHandle
let closed: DataPlaneHandle

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-binding-'))
  open = addon.createDataPlane(OPTIONS, silentEvents())
  closed = addon.createDataPlane(OPTIONS, silentEvents())
  await addon.close(closed)
})

afterAll(async () => {
  await addon.close(open)
  rmSync(folder, { recursive: true, force: true })
})

async function outcome(call: () => unknown): Promise<{ name: string; code?: unknown }> {
  try {
    await call()
    return { name: 'fine' }
  } catch (error) {
    const thrown = error as Error & { code?: unknown }
    return { name: thrown.name, code: thrown.code }
  }
}

test('the matrix has a row for every function that takes a data plane', () => {
  const others = ['createDataPlane', 'lockFile', 'unlockFile', 'interfaceVersion']
  expect(Object.keys(RIGHT).sort()).toEqual(
    Object.keys(addon)
      .filter(name => !others.includes(name))
      .sort(),
  )
})

describe.each(Object.entries(RIGHT))('%s', (name, args) => {
  test('refuses what is not a data plane', async () => {
    for (const wrong of [...WRONG, Buffer.alloc(1)]) {
      expect((await outcome(() => functions[name]!(wrong, ...args))).name).toBe('TypeError')
    }
  })

  test('says ERR_CLOSED for a closed one', async () => {
    expect((await outcome(() => functions[name]!(closed, ...args))).code).toBe('ERR_CLOSED')
  })

  test('refuses wrong arguments', async () => {
    for (let at = 0; at < args.length; at++) {
      for (const wrong of [Symbol('s'), undefined]) {
        const mixed = args.map((right, i) => (i === at ? wrong : right))
        expect((await outcome(() => functions[name]!(open, ...mixed))).name).toBe('TypeError')
      }
    }
  })

  test('survives every mixture', async () => {
    if (name === 'close' || name === 'drain' || name === 'closeLogs') return
    for (const wrong of WRONG) await outcome(() => functions[name]!(open, ...args.map(() => wrong)))
    expect(addon.counters(open).connectionsOpen).toBe(0)
  })
})

test('options are checked field by field', async () => {
  for (const field of Object.keys(OPTIONS)) {
    const broken = { ...OPTIONS, [field]: 'text' }
    const result = await outcome(() => functions['createDataPlane']!(broken, silentEvents()))
    expect(result.name, field).toBe('TypeError')
  }
  const noEvents = await outcome(() => functions['createDataPlane']!(OPTIONS, {}))
  expect(noEvents.name).toBe('TypeError')
})

test('settings and specs are checked field by field', async () => {
  addon.addLogDir(open, folder)
  const spec = specOf(folder, 'fields')
  for (const field of Object.keys(spec)) {
    const broken = { ...spec, [field]: undefined }
    const result = await outcome(() => functions['openPartitions']!(open, [broken]))
    expect(result.name, field).toBe('TypeError')
  }
  for (const field of Object.keys(SETTINGS)) {
    const broken = { ...spec, settings: { ...SETTINGS, [field]: undefined } }
    const result = await outcome(() => functions['openPartitions']!(open, [broken]))
    expect(result.name, field).toBe('TypeError')
  }
  const shortId = await outcome(() =>
    addon.openPartitions(open, [{ ...spec, topicId: Buffer.alloc(3) }]),
  )
  expect(shortId.code).toBe('ERR_INVALID_ARGUMENT')
})

test('closing twice at once settles both calls', async () => {
  const handle = addon.createDataPlane(OPTIONS, silentEvents())
  const first = addon.close(handle)
  expect((await outcome(() => addon.close(handle))).code).toBe('ERR_CLOSED')
  await first
})

test('a lock excludes a second one until it is given back', async () => {
  const path = join(folder, '.lock')
  const lock = addon.lockFile(path)
  expect((await outcome(() => addon.lockFile(path))).code).toBe('ERR_LOCKED')
  addon.unlockFile(lock)
  addon.unlockFile(lock)
  addon.unlockFile(addon.lockFile(path))
  for (const wrong of WRONG) {
    expect((await outcome(() => functions['unlockFile']!(wrong))).name).toBe('TypeError')
    if (typeof wrong !== 'string') {
      expect((await outcome(() => functions['lockFile']!(wrong))).name).toBe('TypeError')
    }
  }
})
