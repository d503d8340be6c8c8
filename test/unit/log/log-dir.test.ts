/** Protects: a broker starts on its own log dirs only, and every refusal is one clear sentence. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { BrokerError } from '../../../src/base/errors.js'
import { claimLogDirs, openLogDirs } from '../../../src/log/log-dir.js'
import { readMetaProperties } from '../../../src/log/meta-properties.js'

let root = ''
let held: Set<string>
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'logdir-'))
  held = new Set()
})
afterEach(() => rmSync(root, { recursive: true }))

const dir = (name: string) => join(root, name)

function lockFile(path: string) {
  if (held.has(path)) throw new BrokerError('ERR_LOCKED', `${path} is in use.`)
  held.add(path)
  return { release: () => held.delete(path) }
}

function existing(name: string, text: string): string {
  mkdirSync(dir(name), { recursive: true })
  writeFileSync(join(dir(name), 'meta.properties'), text)
  return dir(name)
}

function openCode(dirs: string[], nodeId = 1): string {
  try {
    openLogDirs(dirs, nodeId, lockFile)
  } catch (error) {
    expect(held.size).toBe(0)
    return `${(error as BrokerError).code} ${(error as BrokerError).message}`
  }
  return 'opened'
}

test('new dirs are created, locked, and marked as this broker’s in Kafka’s format', () => {
  const opened = openLogDirs([dir('a/b'), dir('c')], 7, lockFile)
  expect(opened.clusterId).toBeUndefined()
  const claimed = claimLogDirs(opened, 7, 'CLUSTER')
  expect(new Set(claimed.map(({ directoryId }) => directoryId)).size).toBe(2)
  expect(held).toEqual(new Set([join(dir('a/b'), '.lock'), join(dir('c'), '.lock')]))
  const text = readFileSync(join(dir('c'), 'meta.properties'), 'utf8')
  expect(text.split('\n').filter(line => !line.startsWith('#'))).toEqual([
    'cluster.id=CLUSTER',
    `directory.id=${claimed[1]!.directoryId}`,
    'node.id=7',
    'version=1',
    '',
  ])
  opened.lock.release()
  const again = openLogDirs([dir('a/b'), dir('c')], 7, lockFile)
  expect(again.clusterId).toBe('CLUSTER')
  expect(claimLogDirs(again, 7, 'CLUSTER')).toEqual(claimed)
})

test('the dir of a ZooKeeper cluster is taken over as version 1', () => {
  const path = existing('zk', '#\nbroker.id=3\nversion=0\ncluster.id=X\n')
  const opened = openLogDirs([path], 3, lockFile)
  const [claimed] = claimLogDirs(opened, 3, opened.clusterId!)
  expect(readMetaProperties(path)).toEqual({
    version: 1,
    nodeId: 3,
    clusterId: 'X',
    directoryId: claimed!.directoryId,
  })
})

test('dirs of another node or of two clusters are refused', () => {
  const two = existing('two', 'version=1\nnode.id=2\ncluster.id=X')
  expect(openCode([two])).toMatch(/^ERR_NODE_ID_MISMATCH .*belongs to node 2, but node\.id is 1/)
  const x = existing('x', 'version=1\nnode.id=1\ncluster.id=X')
  const y = existing('y', 'version=1\nnode.id=1\ncluster.id=Y')
  expect(openCode([x, y])).toMatch(/^ERR_CLUSTER_ID_MISMATCH .*to cluster Y.*to cluster X/)
})

test.each([
  ['version=2\nnode.id=1\ncluster.id=X', /version is neither 0 nor 1/],
  ['version=1\ncluster.id=X', /no valid node\.id/],
  ['version=1\nnode.id=1', /no cluster\.id/],
  ['version=1\nnode.id=1\ncluster.id=X\ndirectory.id=short', /directory\.id is not a Uuid/],
])('meta.properties %j is refused', (text, reason) => {
  expect(openCode([existing('m', text)])).toMatch(/^ERR_META_PROPERTIES_MALFORMED/)
  expect(openCode([dir('m')])).toMatch(reason)
})

test('the same folder twice, or a copy of it, is refused', () => {
  mkdirSync(dir('a'))
  symlinkSync(dir('a'), dir('b'))
  expect(openCode([dir('a'), dir('b')])).toMatch(/^ERR_LOG_DIR_TWICE .*are the same folder/)
  const meta = 'version=1\nnode.id=1\ncluster.id=X\ndirectory.id=SNb5wpsoQgGF4TJCZRIUNw'
  const opened = openLogDirs([existing('c', meta), existing('d', meta)], 1, lockFile)
  expect(() => claimLogDirs(opened, 1, 'X')).toThrow(/one is a copy of the other/)
})

test('a folder that cannot be made says why', () => {
  writeFileSync(dir('file'), '')
  expect(openCode([dir('file')])).toMatch(/^ERR_LOG_DIR_UNUSABLE .*: it is a file\. Correct that/)
  expect(openCode([dir('file/x')])).toMatch(/a part of the path is a file/)
})

test('a dir that cannot be used is left out while another one can', () => {
  writeFileSync(dir('file'), '')
  const opened = openLogDirs([dir('file'), dir('a')], 1, lockFile)
  expect(opened.paths).toEqual([dir('a')])
  expect([...opened.unusable.keys()]).toEqual([dir('file')])
  expect(opened.unusable.get(dir('file'))).toMatch(/: it is a file\. Correct that/)
})

test('when the second dir is in use, the first does not stay locked', () => {
  const release = lockFile(join(dir('b'), '.lock'))
  expect(() => openLogDirs([dir('a'), dir('b')], 1, lockFile)).toThrow(/is in use/)
  expect(held.size).toBe(1)
  release.release()
  expect(openCode([dir('a'), dir('b')])).toBe('opened')
})
