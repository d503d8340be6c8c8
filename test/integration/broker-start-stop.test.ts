/**
 * Starts and stops the built command line as operators do: what it prints, which exit codes it gives, what it leaves
 * on disk, and that a second broker cannot get at the data. Imports nothing from src/.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { freePort } from '../support/broker-process.js'

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))

interface Finished {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

let folder: string
let port: number
let logs: string
const children = new Set<ReturnType<typeof spawn>>()

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-start-'))
  logs = join(folder, 'logs')
  port = await freePort()
})

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL')
  children.clear()
  await run('stop', ...settings())
  rmSync(folder, { recursive: true, force: true })
})

function settings(overrides: Record<string, string> = {}): string[] {
  const all = { listeners: `PLAINTEXT://127.0.0.1:${port}`, 'log.dirs': logs, ...overrides }
  return Object.entries(all).flatMap(([key, value]) => ['--override', `${key}=${value}`])
}

function launch(...args: string[]) {
  const child = spawn(process.execPath, [MAIN, ...args], { cwd: folder })
  children.add(child)
  const output = { out: '', err: '' }
  child.stdout.on('data', chunk => (output.out += chunk))
  child.stderr.on('data', chunk => (output.err += chunk))
  const finished = new Promise<Finished>(resolve =>
    child.once('close', code => {
      children.delete(child)
      resolve({ code, ...output })
    }),
  )
  return { child, output, finished }
}

function run(...args: string[]): Promise<Finished> {
  return launch(...args).finished
}

/** A broker in the foreground, once it says that it is ready. */
async function started(...args: string[]) {
  const broker = launch('start', ...args)
  while (!/Ctrl-C stops it/.test(broker.output.out)) {
    if (broker.child.exitCode !== null) throw new Error(broker.output.err)
    await new Promise(resolve => setTimeout(resolve, 10))
  }
  return broker
}

const topics = (...args: string[]) =>
  run('topics', '--bootstrap-server', `127.0.0.1:${port}`, ...args)

test('start tells how to use it; a stop leaves the clean marker and topics come back', async () => {
  const first = await started(...settings())
  expect(first.output.out).toContain(`PLAINTEXT://127.0.0.1:${port}`)
  expect(first.output.out).toContain(`kcat -b 127.0.0.1:${port} -t test -C -e`)
  expect(await topics('--create', '--topic', 'orders', '--partitions', '3')).toMatchObject({
    code: 0,
    out: 'Created topic orders.\n',
  })
  const before = (await topics('--describe')).out
  expect(existsSync(join(logs, '.kafka_cleanshutdown'))).toBe(false)
  first.child.kill('SIGTERM')
  expect((await first.finished).code).toBe(0)
  expect(readFileSync(join(logs, '.kafka_cleanshutdown'), 'utf8')).toMatch(/^\{"version":0/)
  const second = await started(...settings())
  expect((await topics('--describe')).out).toBe(before)
  second.child.kill('SIGINT')
  expect((await second.finished).code).toBe(0)
})

test('a deleted topic is gone at once and its folder renamed for removal', async () => {
  await started(...settings())
  await topics('--create', '--topic', 'orders')
  expect(existsSync(join(logs, 'orders-0/partition.metadata'))).toBe(true)
  expect(await topics('--delete', '--topic', 'orders')).toMatchObject({ code: 0, out: '' })
  expect(existsSync(join(logs, 'orders-0'))).toBe(false)
  expect((await topics('--list')).out).toBe('')
  expect(await topics('--delete', '--topic', 'orders')).toMatchObject({ code: 1 })
  expect(await topics('--delete', '--topic', 'orders', '--if-exists')).toMatchObject({ code: 0 })
  expect((await topics('--create', '--topic', 'orders')).code).toBe(0)
})

test('in the background: --daemon returns when it answers, stop when it has ended', async () => {
  const start = await run('start', ...settings(), '--daemon')
  expect(start).toMatchObject({ code: 0, err: '' })
  expect((await topics('--list')).code).toBe(0)
  expect(await run('stop', ...settings())).toMatchObject({ code: 0, out: 'Stopped.\n' })
  expect((await topics('--list')).code).toBe(1)
  expect(await run('stop', ...settings())).toMatchObject({ code: 1 })
})

test('a daemon that cannot start says why on the terminal', async () => {
  await started(...settings())
  const second = await run('start', ...settings(), '--daemon')
  expect(second.code).toBe(1)
  expect(second.err).toMatch(/Another broker uses the data folder/)
})

test('without settings the data lies under the current directory', async () => {
  await started('--override', `listeners=PLAINTEXT://127.0.0.1:${port}`)
  expect(existsSync(join(folder, 'data/log/meta.properties'))).toBe(true)
  expect(existsSync(join(folder, 'data/metadata'))).toBe(true)
})

test('what keeps a broker from starting is one clear sentence and exit code 1', async () => {
  const taken = createServer().listen(port, '127.0.0.1')
  const inUse = await run('start', ...settings())
  taken.close()
  expect(inUse).toMatchObject({ code: 1, out: '' })
  expect(inUse.err).toMatch(/^Cannot listen on PLAINTEXT:.*: port \d+ is in use\. .*\n$/)

  await started(...settings())
  const other = { listeners: 'PLAINTEXT://127.0.0.1:0', 'metadata.dir': join(folder, 'other') }
  const locked = await run('start', ...settings(other))
  expect(locked).toMatchObject({ code: 1 })
  expect(locked.err).toMatch(/^Another broker uses the data folder .*\n$/)

  writeFileSync(join(folder, 'file'), '')
  const unusable = await run('start', ...settings({ 'log.dirs': join(folder, 'file/logs') }))
  expect(unusable).toMatchObject({ code: 1 })
  expect(unusable.err).toMatch(/^Cannot use the log dir .*\n$/)
})

test('malformed settings name file, line, key, reason and remedy', async () => {
  const file = join(folder, 'server.properties')
  writeFileSync(file, `log.dirs=${logs}\n\nnum.partitons=3\nlog.segment.bytes=10\n`)
  const { code, err } = await run('start', file)
  expect(code).toBe(1)
  expect(err).toContain(`${file}:3: num.partitons: `)
  expect(err).toContain('num.partitions')
  expect(err).toContain(`${file}:4: log.segment.bytes=10: `)
  expect(err).not.toMatch(/^\s+at /m)
})

test('a listener that others can reach needs the word of the operator', async () => {
  const open = { listeners: `PLAINTEXT://0.0.0.0:${port}` }
  const advertised = { 'advertised.listeners': `PLAINTEXT://127.0.0.1:${port}` }
  const refused = await run('start', ...settings({ ...open, ...advertised }))
  expect(refused.code).toBe(1)
  expect(refused.err).toMatch(/--insecure-allow-anonymous/)
  await started(...settings({ ...open, ...advertised }), '--insecure-allow-anonymous')
  expect((await topics('--list')).code).toBe(0)
})

test('wrong command lines end with 2 and name the nearest option', async () => {
  expect(await run('topics', '--lst')).toMatchObject({ code: 2 })
  const misspelt = await run('start', '--overide', 'a=b')
  expect(misspelt.code).toBe(2)
  expect(misspelt.err).toMatch(/Did you mean --override\?/)
  expect((await run('--version')).out).toMatch(/^\d+\.\d+\.\d+\n$/)
  expect((await run('--help')).code).toBe(0)
})
