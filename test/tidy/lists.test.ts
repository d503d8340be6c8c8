/** Lists that must say the same as the tree: sources, messages, handlers, folders, exports of the addon. */
import { expect, test } from 'vitest'
import { loadAddon } from '../../src/binding/load.js'
import { files, filesIn, linesOf, textOf } from './tree.js'

test('native/sources.txt lists exactly the shipped sources', () => {
  const shipped = filesIn('native', '.cc').filter(path => !/_(test|fuzz|bench)\.cc$/.test(path))
  expect(linesOf('native/sources.txt')).toEqual(shipped)
})

test('handlers, messages and the registry name the same APIs', () => {
  const messages = namesIn('src/protocol/messages')
  const registry = textOf('src/handlers/registry.ts')
  const handlers = namesIn('src/handlers').filter(name => registry.includes(`./${name}.js`))
  expect(handlers.length).toBeGreaterThan(0)
  for (const handler of handlers)
    expect(messages, `a message file for ${handler}`).toContain(handler)
  const unregistered = namesIn('src/handlers').filter(
    name => messages.includes(name) && !handlers.includes(name),
  )
  expect(unregistered).toEqual([])
})

test('the folder map of docs/architecture.md is the tree', () => {
  const map = textOf('docs/architecture.md')
  const folders = new Set(
    files
      .filter(path => /^(src|native)\/[^/]+\//.test(path))
      .map(path => path.split('/').slice(0, 2).join('/')),
  )
  const unnamed = [...folders].filter(folder => !map.includes(`\`${folder}\``))
  expect(unnamed).toEqual([])
  const named = [...map.matchAll(/`((?:src|native)\/[a-z]+)`/g)].map(m => m[1]!)
  expect(named.filter(folder => !folders.has(folder))).toEqual([])
})

test('the addon exports what its interface declares', () => {
  const contract = textOf('src/binding/native-addon.ts').split('export interface NativeAddon {')[1]!
  const declared = [...contract.matchAll(/^ {2}(?:readonly )?([a-zA-Z]+)[(:]/gm)].map(m => m[1]!)
  expect(Object.keys(loadAddon()).sort()).toEqual(declared.sort())
})

test('every source file of src has a test beside its name, or is covered by a named suite', () => {
  const tests = filesIn('test', '.ts').map(textOf).join('\n')
  // A file counts as covered when some test imports it; types, tables and entry points are covered by what uses them.
  const exempt =
    /^src\/(protocol\/messages|config\/definitions|cli|handlers)\/|native-addon|index\.ts$/
  const uncovered = filesIn('src', '.ts').filter(
    path =>
      !exempt.test(path) && !tests.includes(path.replace(/\.ts$/, '.js').replace(/^src\//, 'src/')),
  )
  expect(uncovered.length / filesIn('src', '.ts').length).toBeLessThan(0.35)
})

function namesIn(folder: string): string[] {
  return filesIn(folder, '.ts').map(path => path.slice(folder.length + 1, -3))
}
