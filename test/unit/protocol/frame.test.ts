/** Frames out of a stream that arrives in any pieces, and sizes that no peer of ours sends. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FrameDecoder, SIZE_PREFIX_BYTES, sealFrame } from '../../../src/protocol/frame.js'

function frameOf(body: Uint8Array): Buffer {
  const frame = Buffer.alloc(SIZE_PREFIX_BYTES + body.length)
  frame.set(body, SIZE_PREFIX_BYTES)
  return sealFrame(frame)
}

test('frames come out whole, however the stream is cut', () => {
  const bodies = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 8 })
  const cuts = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 30 })
  const property = fc.property(bodies, cuts, (given, sizes) => {
    const stream = Buffer.concat(given.map(frameOf))
    const decoder = new FrameDecoder()
    const found: Buffer[] = []
    for (let at = 0, i = 0; at < stream.length; i++) {
      const size = sizes[i % sizes.length]!
      found.push(...decoder.push(stream.subarray(at, at + size)))
      at += size
    }
    expect(found.map(frame => [...frame])).toEqual(given.map(body => [...body]))
    expect(decoder.bufferedBytes).toBe(0)
  })
  fc.assert(property, { numRuns: 100 })
})

test.each([
  ['negative', -1],
  ['above the limit', 101],
])('a %s size ends the stream', (_, size) => {
  const prefix = Buffer.alloc(4)
  prefix.writeInt32BE(size)
  expect(() => new FrameDecoder(100).push(prefix)).toThrow(/announced a frame/)
})

test('a large size alone costs nothing', () => {
  const decoder = new FrameDecoder()
  expect(decoder.push(Buffer.from('05f5e100', 'hex'))).toEqual([])
  expect(decoder.bufferedBytes).toBe(0)
})
