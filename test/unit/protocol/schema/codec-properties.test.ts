/**
 * Every API at every version: what is written reads back the same, by the compiled code and by the
 * reference interpreter alike, and no frame that is cut or made of noise does anything but throw
 * ProtocolError.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { codecOf } from '../../../../src/protocol/schema/compile.js'
import { interpretDecode, interpretEncode } from '../../../../src/protocol/schema/interpret.js'
import { layoutOf } from '../../../../src/protocol/schema/layout.js'
import { ProtocolError } from '../../../../src/protocol/schema/protocol-error.js'
import { Reader } from '../../../../src/protocol/schema/reader.js'
import { Writer } from '../../../../src/protocol/schema/writer.js'
import { type MessageVersion, messageValue, messageVersions } from './message-values.js'

const RUNS = { numRuns: 5 }

describe.each(messageVersions)('$schema.name v$version', message => {
  test('reads back what it wrote, and the interpreter agrees', () => {
    fc.assert(
      fc.property(messageValue(message), value => checkRoundTrip(message, value)),
      RUNS,
    )
  })

  test('throws ProtocolError when cut at any byte', () => {
    const [value] = fc.sample(messageValue(message), { numRuns: 1, seed: 7 })
    checkTruncation(message, encode(message, value))
  })

  test('meets noise with a value or ProtocolError', () => {
    const noise = fc.uint8Array({ maxLength: 400 })
    fc.assert(
      fc.property(noise, bytes => checkNoise(message, Buffer.from(bytes))),
      RUNS,
    )
  })

  test('meets flipped bytes with a value or ProtocolError', () => {
    const frame = encode(message, fc.sample(messageValue(message), { numRuns: 1, seed: 3 })[0]!)
    for (let at = 0; at < Math.min(frame.length, 120); at++) {
      const flipped = Buffer.from(frame)
      flipped[at] = flipped[at]! ^ 0xff
      checkNoise(message, flipped)
    }
  })
})

function checkRoundTrip(message: MessageVersion, value: object): void {
  const layout = layoutOf(message.schema, message.version)
  const frame = encode(message, value)
  const writer = new Writer()
  interpretEncode(layout, writer, value as Record<string, unknown>)
  expect(writer.finish()).toEqual(frame)

  const reader = new Reader(frame)
  const decoded = codecOf(message.schema, message.version).decode(reader)
  expect(reader.remaining).toBe(0)
  expect(decoded).toMatchObject(value)
  expect(interpretDecode(layout, new Reader(frame))).toEqual(decoded)
  expect(encode(message, decoded)).toEqual(frame)
}

function checkTruncation(message: MessageVersion, frame: Buffer): void {
  const codec = codecOf(message.schema, message.version)
  for (let length = 0; length < frame.length; length++) {
    const result = outcome(() => codec.decode(new Reader(frame.subarray(0, length))))
    if ('value' in result) expect.fail(`the first ${length} of ${frame.length} bytes were accepted`)
  }
}

function checkNoise(message: MessageVersion, bytes: Buffer): void {
  const layout = layoutOf(message.schema, message.version)
  const compiled = outcome(() => codecOf(message.schema, message.version).decode(new Reader(bytes)))
  expect(outcome(() => interpretDecode(layout, new Reader(bytes)))).toEqual(compiled)
}

/** The value, or the code of the ProtocolError; any other error fails the test. */
function outcome(decode: () => unknown): { value: unknown } | { code: string } {
  try {
    return { value: decode() }
  } catch (thrown) {
    if (!(thrown instanceof ProtocolError)) throw thrown
    return { code: thrown.code }
  }
}

function encode({ schema, version }: MessageVersion, value: unknown): Buffer {
  const writer = new Writer()
  codecOf(schema, version).encode(writer, value)
  return writer.finish()
}
