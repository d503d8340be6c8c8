/** The primitives below batches: known checksum values, and integers at every length. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { crc32 } from '../../../src/records/crc32.js'
import { crc32c } from '../../../src/records/crc32c.js'
import { pushVarint, pushVarlong, VarintReader } from '../../../src/records/varint.js'

describe('checksums', () => {
  it('give the published check values', () => {
    const check = Buffer.from('123456789')
    expect(crc32c(check)).toBe(0xe3069283)
    expect(crc32(check)).toBe(0xcbf43926)
    expect(crc32c(Buffer.alloc(32))).toBe(0x8a9136aa)
  })

  it('continue over pieces of any size', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), fc.nat(100), (bytes, split) => {
        const first = crc32c(bytes.subarray(0, split))
        expect(crc32c(bytes.subarray(split), first)).toBe(crc32c(bytes))
      }),
    )
  })
})

describe('varints', () => {
  it('round-trip over the whole range', () => {
    fc.assert(
      fc.property(fc.integer(), fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (i, l) => {
        const target: number[] = []
        pushVarint(target, i)
        pushVarlong(target, l)
        const reader = new VarintReader(Buffer.from(target))
        expect(reader.readVarint()).toBe(i)
        expect(reader.readVarlong()).toBe(l)
        expect(reader.remaining).toBe(0)
      }),
    )
  })

  it('have the bytes Kafka writes', () => {
    const target: number[] = []
    for (const value of [0, -1, 1, 63, -64, 64, 2 ** 31 - 1, -(2 ** 31)]) pushVarint(target, value)
    expect(Buffer.from(target).toString('hex')).toBe('0001027e7f8001feffffff0fffffffff0f')
  })

  it('that never end are refused', () => {
    const endless = Buffer.alloc(20, 0xff)
    expect(() => new VarintReader(endless).readVarint()).toThrow('more than 5 bytes')
    expect(() => new VarintReader(endless).readVarlong()).toThrow('more than 10 bytes')
    expect(() => new VarintReader(endless, 0, 3).readVarint()).toThrow('middle of a field')
  })
})
