/** What is generated from the schemas is what is committed; `npm run generate` makes it so. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { nativeCodecs } from '../../../src/protocol/generate/native-codecs.js'

const root = new URL('../../../', import.meta.url)

describe('generated files are fresh', () => {
  test.each(nativeCodecs())('$path', ({ path, content }) => {
    expect(content).toBe(readFileSync(new URL(path, root), 'utf8'))
  })
})
