/**
 * dump-log against what Kafka's own tool printed for the same files, and the options it must
 * refuse.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { dumpLog } from '../../../src/cli/dump-log/dump-log.js'
import { RecordBatchBuilder } from '../../../src/records/record-batch-builder.js'

const fixtures = fileURLToPath(new URL('../../fixtures/kafka-4.4/dump-log', import.meta.url))
const casesFile = fileURLToPath(new URL('./dump-log-cases.txt', import.meta.url))

class TextSink extends Writable {
  text = ''

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.text += chunk.toString('utf8')
    done()
  }
}

async function run(args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const streams = { stdout: new TextSink(), stderr: new TextSink() }
  const code = await dumpLog(args, streams)
  return { code, stdout: streams.stdout.text, stderr: streams.stderr.text }
}

function expected(name: string): string {
  const file = join(fixtures, 'expected', name)
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

const cases = readFileSync(casesFile, 'utf8')
  .split('\n')
  .filter(line => line !== '' && !line.startsWith('#'))
  .map(line => line.split(' '))

describe('dump-log prints what Kafka 4.4 prints', () => {
  let before = ''
  beforeEach(() => {
    before = process.cwd()
    process.chdir(fixtures)
  })
  afterEach(() => process.chdir(before))

  it.each(cases)('%s', async (name, ...args) => {
    const { code, stdout, stderr } = await run(args)
    expect(stdout).toBe(expected(`${name}.stdout`))
    expect(stderr.replaceAll(fixtures, '<fixtures>')).toBe(expected(`${name}.stderr`))
    expect(code).toBe(0)
  })
})

describe('dump-log refuses what it cannot honour', () => {
  it.each([
    '--offsets-decoder',
    '--transaction-log-decoder',
    '--cluster-metadata-decoder',
    '--share-group-state-decoder',
    '--remote-log-metadata-decoder',
  ])('exits with 2 for %s', async option => {
    const { code, stderr } = await run(['--files', 'x.log', option])
    expect(code).toBe(2)
    expect(stderr).toContain(`${option} is not supported yet`)
  })

  it('exits with 2 for a Java decoder class, but takes the default one', async () => {
    const refused = await run(['--files', 'x', '--value-decoder-class', 'com.example.Decoder'])
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain('only a JVM can run')
    const name = 'org.apache.kafka.tools.api.StringDecoder'
    expect((await run(['--files', 'x.y', '--value-decoder-class', name])).code).toBe(0)
  })

  it('exits with 1 for missing or unknown options', async () => {
    expect(await run([])).toMatchObject({
      code: 1,
      stderr: 'Missing required argument "[files]"\n',
    })
    expect((await run(['--files', 'x', '--no-such'])).code).toBe(1)
    expect((await run(['--files', 'x', '--max-bytes', 'many'])).code).toBe(1)
  })
})

describe('dump-log on damaged files', () => {
  let folder = ''
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'dump-log-'))))
  afterEach(() => rmSync(folder, { recursive: true }))

  function write(name: string, bytes: Buffer): string {
    const file = join(folder, name)
    writeFileSync(file, bytes)
    return file
  }

  it('says what is missing when a file is not there', async () => {
    const { code, stderr } = await run(['--files', join(folder, '00000000000000000000.log')])
    expect(code).toBe(1)
    expect(stderr).toContain('no such file')
  })

  it('stops at a tail of zeros with the lines before it printed', async () => {
    const batch = await new RecordBatchBuilder().append({ value: Buffer.from('v') }).build()
    const file = write('00000000000000000000.log', Buffer.concat([batch, Buffer.alloc(100)]))
    const { code, stdout, stderr } = await run(['--files', file])
    expect(code).toBe(1)
    expect(stdout).toContain('isvalid: true')
    expect(stderr).toContain('Found record size 0 smaller than minimum record overhead (14)')
  })

  it('shows a wrong checksum as isvalid: false and goes on', async () => {
    const batch = await new RecordBatchBuilder().append({ value: Buffer.from('v') }).build()
    const damaged = Buffer.from(batch)
    damaged[damaged.length - 2]! ^= 1
    const file = write('00000000000000000000.log', Buffer.concat([damaged, batch]))
    const { code, stdout } = await run(['--files', file])
    expect(code).toBe(0)
    expect(stdout.match(/isvalid: \w+/g)).toEqual(['isvalid: false', 'isvalid: true'])
  })

  it('prints a leader change of version 1 with its directory ids', async () => {
    const uuid = '00112233445566778899aabbccddeeff'
    const value = Buffer.from(`0001000000070200000007${uuid}000100`, 'hex')
    const key = Buffer.from([0, 0, 0, 2])
    const batch = await new RecordBatchBuilder({ isControl: true }).append({ key, value }).build()
    const file = write('00000000000000000000.log', batch)
    const { stdout } = await run(['--deep-iteration', '--files', file])
    expect(stdout).toContain(
      'LeaderChange: {"version":1,"leaderId":7,"voters":[{"voterId":7,' +
        '"voterDirectoryId":"ABEiM0RVZneImaq7zN3u_w"}],"grantingVoters":[]}',
    )
  })

  it('does not allocate what a batch only claims to hold', async () => {
    const batch = await new RecordBatchBuilder().append({ value: Buffer.from('v') }).build()
    batch.writeInt32BE(2 ** 31 - 1, 8)
    const file = write('00000000000000000000.log', batch)
    const { code, stdout } = await run(['--files', file])
    expect(code).toBe(0)
    expect(stdout).toContain(`Found ${batch.length} invalid bytes at the end of`)
  })
})
