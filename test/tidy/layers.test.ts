/**
 * Who may import whom (docs/architecture.md). The table is the architecture: a new arrow is a decision, not an accident.
 */
import { expect, test } from 'vitest'
import { filesIn, importsOf, textOf } from './tree.js'

/** Folder or root file of src -> what it may import besides itself. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  base: [],
  observability: [],
  protocol: ['base'],
  records: ['base'],
  config: ['base'],
  binding: ['base'],
  metadata: ['base', 'protocol', 'config', 'observability'],
  security: ['base', 'protocol', 'config', 'metadata'],
  log: ['base', 'config', 'binding', 'records', 'observability'],
  controller: ['base', 'protocol', 'config', 'metadata'],
  quotas: ['base', 'config', 'metadata'],
  replication: ['base', 'protocol', 'config', 'binding', 'metadata', 'log'],
  coordinator: ['base', 'protocol', 'config', 'records'],
  client: ['base', 'protocol', 'records'],
  handlers: [
    'base',
    'protocol',
    'records',
    'config',
    'metadata',
    'security',
    'log',
    'controller',
    'replication',
    'coordinator',
    'quotas',
    'observability',
  ],
  server: [
    'base',
    'protocol',
    'config',
    'binding',
    'security',
    'quotas',
    'handlers',
    'observability',
  ],
  gateway: ['base', 'protocol', 'records', 'config', 'security', 'server'],
}
/** Composition roots: they may import everything, and nobody imports them (but cli and index import broker). */
const ROOTS = ['broker', 'cli', 'index']

const NATIVE_ORDER = ['base', 'io', 'record', 'log', 'net', 'dataplane', 'binding']

test('src folders import only what the table allows', () => {
  const broken: string[] = []
  for (const path of filesIn('src', '.ts')) {
    const from = unitOf(path)
    for (const target of importsOf(path)) {
      const to = unitOf(target)
      if (to === from || mayImport(from, to)) continue
      broken.push(`${path} imports ${target}: ${from} may not import ${to}`)
    }
  }
  expect(broken).toEqual([])
})

test('server sees of handlers the registry only', () => {
  const broken = filesIn('src/server', '.ts').flatMap(path =>
    importsOf(path).filter(t => t.startsWith('src/handlers/') && t !== 'src/handlers/registry.ts'),
  )
  expect(broken).toEqual([])
})

test('every folder of src stands in the table', () => {
  const units = new Set(filesIn('src', '.ts').map(unitOf))
  const unknown = [...units].filter(u => !(u in MAY_IMPORT) && !ROOTS.includes(u) && u !== 'broker')
  expect(unknown).toEqual([])
})

test('only src/binding loads the addon', () => {
  const broken = filesIn('src', '.ts').filter(
    path => !path.startsWith('src/binding/') && /\.node['"`]|createRequire/.test(textOf(path)),
  )
  expect(broken).toEqual([])
})

test('native folders include only what stands before them', () => {
  const broken: string[] = []
  for (const path of filesIn('native', '.cc', '.h')) {
    const from = NATIVE_ORDER.indexOf(path.split('/')[1]!)
    for (const [, folder] of textOf(path).matchAll(/^#include "([a-z]+)\//gm)) {
      const to = NATIVE_ORDER.indexOf(folder!)
      if (to < 0 || to > from) broken.push(`${path} includes ${folder}/`)
    }
  }
  expect(broken).toEqual([])
})

test('only native/binding includes Node-API, at one place', () => {
  const including = filesIn('native', '.cc', '.h').filter(path =>
    /#include <(napi|node_api)\.h>/.test(textOf(path)),
  )
  expect(including).toEqual(['native/binding/napi_config.h'])
})

function mayImport(from: string, to: string): boolean {
  if (from === 'cli' || from === 'index') return true
  if (ROOTS.includes(to)) return false
  return ROOTS.includes(from) || (MAY_IMPORT[from] ?? []).includes(to)
}

function unitOf(path: string): string {
  const part = path.split('/')[1]!
  return part.endsWith('.ts') ? part.slice(0, -3) : part
}
