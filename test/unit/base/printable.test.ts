/** Foreign text in log lines and error messages: it cannot break lines, and it cannot outgrow the message. */
import { expect, test } from 'vitest'
import { escapeControlCharacters, excerptOf } from '../../../src/base/printable.js'

test('control characters and line separators are written out', () => {
  expect(escapeControlCharacters('a\n\x1b[31m\u2028é')).toBe('a\\u000a\\u001b[31m\\u2028é')
})

test('an excerpt is the text up to 300 characters, then its beginning', () => {
  expect(excerptOf('x'.repeat(300))).toBe('x'.repeat(300))
  expect(excerptOf('x'.repeat(32767))).toBe(`${'x'.repeat(300)}...`)
})
