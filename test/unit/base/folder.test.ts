/** Making folders must end, with an error where it cannot work: /proc once kept a start in a loop for ever. */
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { makeFolder } from '../../../src/base/folder.js'

const root = mkdtempSync(join(tmpdir(), 'millrace-folder-'))
afterAll(() => rmSync(root, { recursive: true }))

test('makes what is missing and takes what is there', () => {
  const path = join(root, 'a/b/c')
  makeFolder(path)
  makeFolder(path)
  expect(statSync(path).isDirectory()).toBe(true)
})

test.each(['/proc/x', '/proc/x/y'])('%s is refused', path => {
  expect(() => makeFolder(path)).toThrow(/ENOENT/)
})

test('a file in the way is an error', () => {
  writeFileSync(join(root, 'file'), '')
  expect(() => makeFolder(join(root, 'file'))).toThrow(/EEXIST/)
  expect(() => makeFolder(join(root, 'file/below'))).toThrow(/ENOTDIR/)
})
