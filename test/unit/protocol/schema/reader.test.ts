/**
 * The reader's promise: no number from the wire is believed before it is checked, and memory stays
 * bounded.
 */
import { describe, expect, test } from 'vitest'
import { FetchRequest } from '../../../../src/protocol/messages/fetch.js'
import { MetadataRequest } from '../../../../src/protocol/messages/metadata.js'
import { codecOf } from '../../../../src/protocol/schema/compile.js'
import { array, int32, string, struct } from '../../../../src/protocol/schema/field.js'
import { defineMessage } from '../../../../src/protocol/schema/message.js'
import { ProtocolError } from '../../../../src/protocol/schema/protocol-error.js'
import { Reader } from '../../../../src/protocol/schema/reader.js'
import { Writer } from '../../../../src/protocol/schema/writer.js'

const Plain = defineMessage(
  { name: 'Plain', versions: [0, 1], flexibleSince: 1 },
  { ids: array(int32()), names: array(string()) },
)

function codeOf(action: () => unknown): string {
  try {
    action()
  } catch (thrown) {
    if (thrown instanceof ProtocolError) return thrown.code
    throw thrown
  }
  return 'none'
}

function decode(schema: Parameters<typeof codecOf>[0], version: number, hex: string): unknown {
  return codecOf(schema, version).decode(new Reader(Buffer.from(hex.replaceAll(' ', ''), 'hex')))
}

describe('lengths', () => {
  test('an array count of 2^31-1 is refused before anything is allocated', () => {
    expect(codeOf(() => decode(Plain, 0, '7fffffff 00000001'))).toBe('ERR_PROTOCOL_LENGTH')
  })

  test('a compact count of 2^32-1 is refused', () => {
    expect(codeOf(() => decode(Plain, 1, 'ffffffff0f 01'))).toBe('ERR_PROTOCOL_LENGTH')
  })

  test('a varint of ten bytes is refused', () => {
    expect(codeOf(() => decode(Plain, 1, 'ff'.repeat(10)))).toBe('ERR_PROTOCOL_LENGTH')
  })

  test('a count of 2^32-1 tagged fields is refused', () => {
    expect(codeOf(() => decode(Plain, 1, '01 01 ffffffff0f'))).toBe('ERR_PROTOCOL_LENGTH')
  })

  test('a tagged field larger than the frame is refused', () => {
    expect(codeOf(() => decode(Plain, 1, '01 01 01 05 ffffffff07'))).toBe('ERR_PROTOCOL_TRUNCATED')
  })

  test('a string longer than the frame is refused', () => {
    expect(codeOf(() => decode(Plain, 0, '00000000 00000001 7fff 61'))).toBe(
      'ERR_PROTOCOL_TRUNCATED',
    )
  })

  test('a compact string above 32,767 bytes is refused although its bytes are there', () => {
    const frame = (bytes: number) => {
      const writer = new Writer()
      writer.uvarint(1) // No ids.
      writer.uvarint(2) // One name.
      writer.uvarint(bytes + 1)
      return Buffer.concat([writer.finish(), Buffer.alloc(bytes, 'x'), Buffer.from([0])])
    }
    const longest = codecOf(Plain, 1).decode(new Reader(frame(32767)))
    expect(longest).toEqual({ ids: [], names: ['x'.repeat(32767)] })
    expect(codeOf(() => codecOf(Plain, 1).decode(new Reader(frame(32768))))).toBe(
      'ERR_PROTOCOL_LENGTH',
    )
    expect(codeOf(() => codecOf(Plain, 1).decode(new Reader(frame(200_000))))).toBe(
      'ERR_PROTOCOL_LENGTH',
    )
  })

  test('any negative length reads as null, which only nullable fields accept', () => {
    expect(decode(MetadataRequest, 1, 'fffffffb')).toMatchObject({ topics: null })
    expect(codeOf(() => decode(MetadataRequest, 0, 'ffffffff'))).toBe('ERR_PROTOCOL_NULL')
    expect(codeOf(() => decode(Plain, 0, '00000000 00000001 ffff'))).toBe('ERR_PROTOCOL_NULL')
  })
})

describe('tolerance', () => {
  test('unknown tagged fields are skipped', () => {
    expect(decode(Plain, 1, '01 01 02 00 02 abcd 63 00')).toEqual({ ids: [], names: [] })
  })

  test('a known tagged field must be as long as it says', () => {
    const start = '00000000 00000000 00000000 00000000 00 00000000 00000000 01 01 01'
    expect(codeOf(() => decode(FetchRequest, 12, `${start} 01 00 05 0261 0000 00`))).toBe(
      'ERR_PROTOCOL_LENGTH',
    )
  })

  test('bytes after the body stay unread', () => {
    const reader = new Reader(Buffer.from('0000000000000000beef', 'hex'))
    codecOf(Plain, 0).decode(reader)
    expect(reader.remaining).toBe(2)
  })
})

describe('budget', () => {
  /** Elements of two bytes that become objects: the worst a frame can ask for. */
  const Dense = defineMessage(
    { name: 'Dense', versions: [0, 0], flexibleSince: 0 },
    { rows: array(struct('Row', { cells: array(string()) })) },
  )

  test('a small frame may be dense', () => {
    expect(decode(Dense, 0, `06 ${'0100'.repeat(5)} 00`)).toMatchObject({ rows: { length: 5 } })
  })

  test('elements are charged when they are counted, whatever follows', () => {
    const reader = new Reader(Buffer.alloc(1000), 0, 4096)
    expect(codeOf(() => reader.arrayLength(false, 1, 100, 'none'))).toBe('none')
    const greedy = new Reader(Buffer.from('000001f4' + '00'.repeat(996), 'hex'), 0, 4096)
    expect(codeOf(() => greedy.arrayLength(false, 1, 100, 'rows'))).toBe('ERR_PROTOCOL_BUDGET')
  })

  test('a frame of a million tiny elements costs at most the budget', () => {
    const count = 1_000_000
    const writer = new Writer()
    writer.uvarint(count + 1)
    for (let i = 0; i <= count; i++) writer.int16(i < count ? 0x0100 : 0, 'row')
    const frame = writer.finish()
    const before = process.memoryUsage().heapUsed
    expect(codeOf(() => codecOf(Dense, 0).decode(new Reader(frame)))).toMatch(/none|BUDGET/)
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(frame.length * 64)
  })

  test('a caller can give less', () => {
    const frame = Buffer.from('0000000a' + '00000001'.repeat(10) + '00000000', 'hex')
    expect(codeOf(() => codecOf(Plain, 0).decode(new Reader(frame, 0, 50)))).toBe(
      'ERR_PROTOCOL_BUDGET',
    )
  })
})
