/** Lists that must say the same as the tree: sources, messages, handlers, folders, exports of the addon. */
import { expect, test } from 'vitest'
import { loadAddon } from '../../src/binding/load.js'
import { files, filesIn, importsOf, linesOf, textOf } from './tree.js'

test('native/sources.txt lists exactly the shipped sources', () => {
  const shipped = filesIn('native', '.cc').filter(
    path => !/_(test|fuzz|bench)\.cc$|^native\/io\/faulty\//.test(path),
  )
  expect(linesOf('native/sources.txt')).toEqual(shipped)
})

test('handlers, messages and the registry name the same APIs', () => {
  const messages = namesIn('src/protocol/messages')
  const named = namesIn('src/handlers').filter(name => messages.includes(name))
  const imports = textOf('src/handlers/registry.ts').matchAll(
    /\{ \w+Handler \} from '\.\/(.+)\.js'/g,
  )
  expect([...imports].map(([, name]) => name).sort()).toEqual(named)
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

test('every source file is imported by a test, or listed here with what covers it', () => {
  // Message schemas and definitions are data, reached through protocol/apis.ts and config; the command line and
  // the broker run as processes of their own in test/integration; the contract holds types only; what the generators write is compared.
  const covered =
    /^src\/(protocol\/messages|config\/definitions|cli)\/|^src\/(index|broker)\.ts$|^src\/broker\/|native-addon|generate(-docs)?\.ts$/
  const tests = filesIn('test', '.ts').map(textOf).join('\n')
  const reached = new Set<string>()
  const reach = (path: string): void => {
    if (reached.has(path)) return
    reached.add(path)
    importsOf(path).forEach(reach)
  }
  const sources = filesIn('src', '.ts')
  sources.filter(path => tests.includes(`${path.slice(0, -3)}.js'`)).forEach(reach)
  expect(sources.filter(path => !covered.test(path) && !reached.has(path))).toEqual([])
})

function namesIn(folder: string): string[] {
  return filesIn(folder, '.ts').map(path => path.slice(folder.length + 1, -3))
}
