/** Protects: a file written for Kafka reads here exactly as Java reads it. */
import { expect, test } from 'vitest'
import { formatProperties, parseProperties } from '../../../src/config/properties-file.js'

const entries = (text: string) => parseProperties(text, 'f').map(({ key, value }) => [key, value])

test('comments and blank lines are skipped, lines are counted from 1', () => {
  const parsed = parseProperties('# a\n\n  ! b\nk=v\r\nl=w', 'f')
  expect(parsed).toEqual([
    { key: 'k', value: 'v', line: 4 },
    { key: 'l', value: 'w', line: 5 },
  ])
})

test.each([
  ['a=b', 'a', 'b'],
  ['a:b', 'a', 'b'],
  ['a b', 'a', 'b'],
  ['  a \t = \t b ', 'a', 'b '],
  ['a', 'a', ''],
  ['a==b', 'a', '=b'],
  ['a\\=b=c', 'a=b', 'c'],
  ['a\\ b = c\\td\\\\', 'a b', 'c\td\\'],
  ['k=\\u00e9\\u4e2D', 'k', 'é中'],
  ['k=\\q', 'k', 'q'],
  ['\uFEFFk=v', 'k', 'v'],
])('%j', (text, key, value) => {
  expect(entries(text)).toEqual([[key, value]])
})

test('an odd number of backslashes continues the line, comments inside are text', () => {
  expect(entries('a=1,\\\n   2,\\\n#3\nb=x\\\\\nc=y')).toEqual([
    ['a', '1,2,#3'],
    ['b', 'x\\'],
    ['c', 'y'],
  ])
})

test('a broken unicode escape names file and line', () => {
  expect(() => parseProperties('a=1\nb=\\u12', 'server.properties')).toThrow(
    /server\.properties:2: .*not a Unicode escape/,
  )
})

test('what is written is read back', () => {
  const written: [string, string][] = [
    ['plain', 'v'],
    ['k:=# !', ' lead\\ing\n\ttab'],
  ]
  expect(entries(formatProperties(written))).toEqual(written)
})
