/** The writer: sizes of tagged fields, growth, and values that no field can hold. */
import { describe, expect, test } from 'vitest'
import { ProtocolError } from '../../../../src/protocol/schema/protocol-error.js'
import { Reader } from '../../../../src/protocol/schema/reader.js'
import { Writer } from '../../../../src/protocol/schema/writer.js'

function hex(write: (writer: Writer) => void): string {
  const writer = new Writer()
  write(writer)
  return writer.finish().toString('hex')
}

describe('values', () => {
  test('are big-endian', () => {
    expect(hex(w => w.int16(-2, 'f'))).toBe('fffe')
    expect(hex(w => w.int32(1, 'f'))).toBe('00000001')
    expect(hex(w => w.uint32(0xffffffff, 'f'))).toBe('ffffffff')
    expect(hex(w => w.int64(-1n, 'f'))).toBe('ffffffffffffffff')
    expect(hex(w => w.float64(1, 'f'))).toBe('3ff0000000000000')
  })

  test.each([
    [0, '00'],
    [127, '7f'],
    [128, '8001'],
    [16384, '808001'],
    [0xffffffff, 'ffffffff0f'],
  ])('the varint of %d is %s', (value, expected) => {
    expect(hex(w => w.uvarint(value))).toBe(expected)
    expect(new Reader(Buffer.from(expected, 'hex')).uvarint('f')).toBe(value)
  })

  test('strings count bytes, not characters', () => {
    expect(hex(w => w.string('é', false, 'f'))).toBe('0002c3a9')
    expect(hex(w => w.string('é', true, 'f'))).toBe('03c3a9')
    expect(hex(w => w.string(null, true, 'f'))).toBe('00')
    expect(hex(w => w.string(null, false, 'f'))).toBe('ffff')
    expect(hex(w => w.bytes(null, false, 'f'))).toBe('ffffffff')
  })

  test.each([
    ['an int8 of 128', (w: Writer) => w.int8(128, 'f')],
    ['a fraction', (w: Writer) => w.int32(1.5, 'f')],
    ['a number for an int64', (w: Writer) => w.int64(1 as never, 'f')],
    ['an int64 of 2^63', (w: Writer) => w.int64(2n ** 63n, 'f')],
    ['a Uuid of the wrong length', (w: Writer) => w.uuid('abc' as never, 'f')],
    ['a string above 32767 bytes', (w: Writer) => w.string('x'.repeat(32768), true, 'f')],
    ['a string for bytes', (w: Writer) => w.bytes('x' as never, true, 'f')],
  ])('%s is refused', (_, write) => {
    expect(() => hex(write)).toThrow(ProtocolError)
  })
})

describe('tagged fields', () => {
  test.each([0, 1, 127, 128, 300, 16383, 16384, 70_000])('of %d bytes', size => {
    const content = Buffer.alloc(size, 0xab)
    const writer = new Writer()
    const start = writer.beginTaggedField(3)
    for (const byte of content) writer.int8(byte - 256, 'f')
    writer.endTaggedField(start)
    writer.int8(7, 'f')
    const reader = new Reader(writer.finish())
    expect(reader.uvarint('tag')).toBe(3)
    expect(reader.uvarint('size')).toBe(size)
    for (let i = 0; i < size; i++) if (reader.int8('f') !== 0xab - 256) expect.fail(`byte ${i}`)
    expect(reader.int8('f')).toBe(7)
    expect(reader.remaining).toBe(0)
  })
})

test('reserved bytes are zero and stay in front', () => {
  const writer = new Writer(4, 1)
  for (let i = 0; i < 1000; i++) writer.int8(1, 'f')
  const buffer = writer.finish()
  expect(buffer.length).toBe(1004)
  expect(buffer.readInt32BE(0)).toBe(0)
})
