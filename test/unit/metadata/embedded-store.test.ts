/** Protects: metadata survives the process, and two brokers never share a metadata folder. */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { EmbeddedStore } from '../../../src/metadata/embedded-store.js'
import { storeConformance } from './store-conformance.js'

let root = ''
let count = 0
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'metadata-'))
})
afterAll(() => rmSync(root, { recursive: true }))
const newDir = () => join(root, String(++count))
const lastDir = () => join(root, String(count))

storeConformance('EmbeddedStore', {
  open: () => EmbeddedStore.open(newDir()),
  reopen: () => EmbeddedStore.open(lastDir()),
})

test('a second store on the same folder is refused in one sentence; after close it opens', async () => {
  const dir = newDir()
  const store = await EmbeddedStore.open(dir)
  await expect(EmbeddedStore.open(dir)).rejects.toMatchObject({
    code: 'ERR_METADATA_LOCKED',
    message: expect.stringMatching(/is in use by process [0-9]+\. Stop that broker/),
  })
  await store.close()
  await (await EmbeddedStore.open(dir)).close()
})

test('several stores live in one process', async () => {
  const stores = await Promise.all([newDir(), newDir(), newDir()].map(d => EmbeddedStore.open(d)))
  await Promise.all(stores.map((store, index) => store.create('/n', Buffer.from([index]))))
  const data = await Promise.all(stores.map(async store => (await store.get('/n')).data![0]))
  expect(data).toEqual([0, 1, 2])
  await Promise.all(stores.map(store => store.close()))
})

test('the lock of a dead process, or of one whose id was used again, is taken over', async () => {
  for (const owner of ['4194305 1\n', `${process.pid} 1\n`, 'garbage', '']) {
    const dir = newDir()
    mkdirSync(dir, { recursive: true })
    writeFileSync(join(dir, 'broker.lock'), owner)
    await (await EmbeddedStore.open(dir)).close()
    expect(readdirSync(dir).filter(name => name.startsWith('broker.lock'))).toEqual([])
  }
})

test('a folder that cannot be used is one clear sentence', async () => {
  const file = newDir()
  writeFileSync(file, '')
  await expect(EmbeddedStore.open(join(file, 'x'))).rejects.toMatchObject({
    code: 'ERR_METADATA_UNUSABLE',
    message: expect.stringMatching(/Check that it is a writable folder/),
  })
  expect(existsSync(join(file, 'x'))).toBe(false)
})

/** Writes numbered nodes and reports each once its promise has resolved, until it is killed. */
const WRITER = `
import { EmbeddedStore } from '${new URL('../../../src/metadata/embedded-store.ts', import.meta.url)}'
const store = await EmbeddedStore.open(process.argv[2])
await store.create('/e', null, 'ephemeral')
for (let n = 0; ; n++) {
  await store.create('/n' + n, Buffer.from(String(n)))
  process.stdout.write(n + '\\n')
}
`

test('kill -9: every acknowledged write is there, ephemeral nodes are gone', async () => {
  const dir = newDir()
  const script = join(root, 'writer.mts')
  writeFileSync(script, WRITER)
  const child = spawn(process.execPath, ['--import', 'tsx', script, dir], {
    cwd: new URL('../../..', import.meta.url),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const acknowledged = await new Promise<number>(resolve => {
    let text = ''
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      if (text.split('\n').length > 5) child.kill('SIGKILL')
    })
    child.on('close', () => resolve(text.split('\n').length - 1))
  })
  expect(acknowledged).toBeGreaterThanOrEqual(5)
  const store = await EmbeddedStore.open(dir)
  for (let n = 0; n < acknowledged; n++) {
    expect((await store.get(`/n${n}`)).data).toEqual(Buffer.from(String(n)))
  }
  expect(await store.exists('/e')).toBe(false)
  await store.close()
})
