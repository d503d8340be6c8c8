/** Protects: the texts each type accepts, its bounds, and the canonical text Kafka shows. */
import { expect, test } from 'vitest'
import type { ConfigType, ConfigValue } from '../../../src/config/definition.js'
import { parseValue, renderValue } from '../../../src/config/parse-value.js'

const parse = (text: string, type: ConfigType) =>
  parseValue('k', text, {
    type,
    default: null,
    importance: 'low',
    update: 'read-only',
    doc: '',
    effect: '',
  })

test.each<[string, ConfigType, ConfigValue]>([
  [' TRUE ', 'boolean', true],
  ['+7', 'int', 7],
  ['-2147483648', 'int', -2147483648],
  ['9223372036854775807', 'long', 9223372036854775807n],
  ['-32768', 'short', -32768],
  ['1e3', 'double', 1000],
  ['.5f', 'double', 0.5],
  ['', 'list', []],
  [' a ,b,, a', 'list', ['a', 'b', '']],
  [' x ', 'string', 'x'],
  ['', 'class', ''],
])('%j as %s', (text, type, value) => {
  expect(parse(text, type)).toEqual({ ok: true, value })
})

test.each<[string, ConfigType]>([
  ['1', 'boolean'],
  ['2147483648', 'int'],
  ['0x10', 'int'],
  ['', 'int'],
  ['1_000', 'int'],
  ['9223372036854775808', 'long'],
  ['32768', 'short'],
  ['1,5', 'double'],
  ['Infinity', 'double'],
])('%j is not %s', (text, type) => {
  expect(parse(text, type).ok).toBe(false)
})

test.each<[ConfigValue, ConfigType, string | null]>([
  [1, 'double', '1.0'],
  [0.5, 'double', '0.5'],
  [Number.MAX_VALUE, 'double', '1.7976931348623157E308'],
  [1e-4, 'double', '1.0E-4'],
  [1e7, 'double', '1.0E7'],
  [['a', 'b'], 'list', 'a,b'],
  [5n, 'long', '5'],
  [null, 'string', null],
])('%o of type %s reads %s', (value, type, text) => {
  expect(renderValue(value, type)).toBe(text)
})
