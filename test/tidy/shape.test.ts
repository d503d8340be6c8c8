/** Sizes, names and calls that this repository does not want; docs/style.md gives the reasons. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT, files, filesIn, linesOf, textOf } from './tree.js'

/** Files that hold only data; they may be long. */
const DATA = [
  /^src\/config\/definitions\//,
  /^src\/protocol\/(messages\/|api-keys|error-codes)/,
  /generated_/,
]
/** Files above the limit, with the size they may not pass. May only shrink. */
const GRANDFATHERED: Record<string, number> = {}

function limitOf(path: string): number {
  return path.endsWith('.h') ? 250 : 500
}

test('files stay small', () => {
  const long = [...filesIn('src', '.ts'), ...filesIn('native', '.cc', '.h', '.mjs')]
    .concat(filesIn('test', '.ts'), filesIn('bench', '.ts', '.cc', '.h'))
    .filter(path => !DATA.some(d => d.test(path)))
    .map(path => ({ path, lines: linesOf(path).length }))
    .filter(({ path, lines }) => lines > (GRANDFATHERED[path] ?? limitOf(path)))
  expect(long).toEqual([])
})

test('lines stay readable', () => {
  const wide: string[] = []
  for (const path of [...filesIn('src', '.ts'), ...filesIn('native', '.cc', '.h')]) {
    // An address or a table row cannot be broken.
    const at = linesOf(path).findIndex(l => l.length > 120 && !/https?:|^\s*(\/\/|\*)? *\|/.test(l))
    if (at >= 0) wide.push(`${path}:${at + 1}`)
  }
  expect(wide).toEqual([])
})

test('no dumping grounds', () => {
  const banned = /(^|\/)(utils?|helpers?|misc|common)(\/|\.|-|_)/
  expect(files.filter(path => banned.test(path))).toEqual([])
})

test('no calls that hide time, chance or output', () => {
  const rules: { pattern: RegExp; allowed: RegExp; why: string }[] = [
    { pattern: /\bDate\.now\(|new Date\(\)/, allowed: /^src\/base\//, why: 'take a Clock' },
    { pattern: /\bMath\.random\(/, allowed: /^src\/base\//, why: 'take a Random' },
    { pattern: /\bconsole\./, allowed: /^src\/cli\//, why: 'take a logger' },
    {
      pattern: /\bBuffer\.concat\(/,
      allowed: /^src\/(records|client|log|cli)\//,
      why: 'write into one buffer',
    },
  ]
  const found = filesIn('src', '.ts').flatMap(path =>
    rules
      .filter(r => !r.allowed.test(path) && r.pattern.test(textOf(path)))
      .map(r => `${path}: ${r.pattern.source}: ${r.why}`),
  )
  expect(found).toEqual([])
})

test('nothing is left for later', () => {
  const marks = new RegExp(['\\b(FIX', 'ME|TO', 'DO|XX', 'X)\\b'].join(''))
  const found = [
    ...filesIn('src', '.ts'),
    ...filesIn('native', '.cc', '.h'),
    ...filesIn('bench', '.ts', '.cc'),
  ]
  expect(found.filter(path => marks.test(textOf(path)))).toEqual([])
})

test('tests are never skipped or narrowed', () => {
  const narrowed = filesIn('test', '.test.ts').filter(
    path =>
      !path.startsWith('test/tidy/') &&
      /\b(test|it|describe)\.(only|todo|fails)\b/.test(textOf(path)),
  )
  expect(narrowed).toEqual([])
})

test('no large blobs', () => {
  const large = files.filter(
    path => path !== 'package-lock.json' && statSync(join(ROOT, path)).size > 256 * 1024,
  )
  expect(large).toEqual([])
})

test('nothing names a registry or this machine', () => {
  const telling = new RegExp(['registry\\.npm', 'js\\.org|/work', '/(main|shared)'].join(''))
  expect(
    files.filter(path => path !== 'test/tidy/shape.test.ts' && telling.test(textOf(path))),
  ).toEqual([])
})
