/** Protects: Kafka's folder names and placement, and that a deleted topic's folder never comes back. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Uuid } from '../../../src/base/uuid.js'
import {
  createPartitionDirectory,
  leastLoadedLogDir,
  removeDeletedDirectory,
  renameForDeletion,
  scanLogDir,
  setAsideAsStray,
} from '../../../src/log/partition-directories.js'
import { deletedFolderName, parseFolderName } from '../../../src/log/partition-folder-name.js'
import {
  readPartitionMetadata,
  writePartitionMetadata,
} from '../../../src/log/partition-metadata.js'

const ID = 'SNb5wpsoQgGF4TJCZRIUNw' as Uuid
const HEX = '0123456789abcdef0123456789abcdef'

let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'partitions-'))
})
afterEach(() => rmSync(root, { recursive: true }))

test.each([
  ['t-0', { kind: 'live', topic: 't', partition: 0 }],
  ['a-b-1-12', { kind: 'live', topic: 'a-b-1', partition: 12 }],
  [`t-0.${HEX}-delete`, { kind: 'deleted' }],
  [`t-0.${HEX}-future`, { kind: 'future', topic: 't', partition: 0 }],
  [`t-0.${HEX}-stray`, { kind: 'stray', topic: 't', partition: 0 }],
  ['t-', undefined],
  ['-0', undefined],
  ['t', undefined],
  ['lost+found', undefined],
  [`t-0.${HEX.slice(1)}-delete`, undefined],
])('the folder name %s', (name, parsed) => {
  expect(parseFolderName(name)).toEqual(parsed)
})

test('the name of a deleted folder fits into 255 characters and is known again', () => {
  const name = deletedFolderName('x'.repeat(249), 12345, HEX)
  expect(name).toHaveLength(255)
  expect(parseFolderName(name)).toEqual({ kind: 'deleted' })
})

test('partition.metadata has no newline at its end, and names the topic', async () => {
  await writePartitionMetadata(root, ID)
  expect(readFileSync(join(root, 'partition.metadata'), 'utf8')).toBe(`version: 0\ntopic_id: ${ID}`)
  expect(readPartitionMetadata(root)).toBe(ID)
  for (const text of [
    '',
    'version: 0\ntopic_id: AAAAAAAAAAAAAAAAAAAAAA',
    'version: 1\ntopic_id: x',
  ]) {
    writeFileSync(join(root, 'partition.metadata'), text)
    expect(() => readPartitionMetadata(root)).toThrow(/does not name a topic id/)
  }
})

test('a scan sorts folders by kind, ignores files and Kafka’s own folders', async () => {
  const live = createPartitionDirectory(root, 'a-b', 3)
  await writePartitionMetadata(live, ID)
  const old = createPartitionDirectory(root, 'old', 0)
  for (const name of [`t-0.${HEX}-delete`, `t-1.${HEX}-future`, '__cluster_metadata-0']) {
    mkdirSync(join(root, name))
  }
  mkdirSync(join(root, 'remote-log-index-cache'))
  writeFileSync(join(root, 'some.file'), '')
  const scanned = scanLogDir(root)
  expect([...scanned.live].sort((a, b) => a.topic.localeCompare(b.topic))).toEqual([
    { topic: 'a-b', partition: 3, path: live, topicId: ID },
    { topic: 'old', partition: 0, path: old, topicId: undefined },
  ])
  expect(scanned.deleted).toEqual([join(root, `t-0.${HEX}-delete`)])
  expect(scanned.setAside).toEqual([join(root, `t-1.${HEX}-future`)])
})

test('a foreign folder is refused as Kafka refuses it', () => {
  mkdirSync(join(root, 'lost+found'))
  expect(() => scanLogDir(root)).toThrow(/lost\+found is not the folder of a partition.*move/)
})

test('a new partition goes where the fewest are', () => {
  const counts = new Map([
    ['/a', 2],
    ['/b', 1],
    ['/c', 1],
  ])
  expect(leastLoadedLogDir(counts)).toBe('/b')
  expect(() => leastLoadedLogDir(new Map())).toThrow(/No log dir is left/)
})

test('deletion renames first, then removes; a stray folder is kept', async () => {
  const path = createPartitionDirectory(root, 't', 0)
  writeFileSync(join(path, '00000000000000000000.log'), 'x')
  const renamed = await renameForDeletion(path, 't', 0)
  expect(basename(renamed!)).toMatch(/^t-0\.[0-9a-f]{32}-delete$/)
  expect(scanLogDir(root)).toMatchObject({ live: [], deleted: [renamed] })
  expect(await renameForDeletion(path, 't', 0)).toBeUndefined()
  await removeDeletedDirectory(renamed!)
  await removeDeletedDirectory(renamed!)
  expect(readdirSync(root)).toEqual([])
  const stray = await setAsideAsStray(createPartitionDirectory(root, 's', 1), 's', 1)
  expect(existsSync(stray)).toBe(true)
  expect(scanLogDir(root).setAside).toEqual([stray])
})
