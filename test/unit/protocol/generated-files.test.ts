/** What is generated from the schemas is what is committed; `npm run generate` makes it so. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { registry } from '../../../src/handlers/registry.js'
import { apis } from '../../../src/protocol/apis.js'
import { apiTable, withApiTable } from '../../../src/protocol/generate/api-table.js'
import { nativeCodecs } from '../../../src/protocol/generate/native-codecs.js'

const root = new URL('../../../', import.meta.url)

describe('generated files are fresh', () => {
  test.each(nativeCodecs())('$path', ({ path, content }) => {
    expect(content).toBe(readFileSync(new URL(path, root), 'utf8'))
  })
})

test('docs/protocol.md lists what the registry answers', () => {
  const page = readFileSync(new URL('docs/protocol.md', root), 'utf8')
  const answered = new Set<string>(registry.map(({ name }) => name))
  expect(withApiTable(page, apiTable(apis, answered))).toBe(page)
})

test('a page without markers is refused', () => {
  expect(() => withApiTable('# Protocol', '')).toThrow(/lacks the lines/)
})
