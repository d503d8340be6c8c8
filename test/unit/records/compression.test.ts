/**
 * Codecs: what other producers write is read, bombs are refused before they unpack, damage is an
 * error.
 */
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import {
  CODEC_NAMES,
  codecFromAttributes,
  compress,
  decompress,
} from '../../../src/records/compression/codec.js'
import { inspectLz4Frame, lz4HeaderChecksum } from '../../../src/records/compression/lz4-frame.js'
import { withStandardHeaderChecksum } from '../../../src/records/compression/lz4.js'

const packing = CODEC_NAMES.filter(name => name !== 'none')
const text = Buffer.from('a record and another record; '.repeat(20_000))

describe.each(packing)('%s', codec => {
  it('gives back what it packed, also nothing and a single byte', async () => {
    for (const bytes of [text, Buffer.alloc(0), Buffer.from('x')]) {
      const unpacked = await decompress(codec, await compress(codec, bytes))
      expect(unpacked.equals(bytes), `${bytes.length} bytes`).toBe(true)
    }
  })

  it('refuses to unpack more than the limit, and unpacks exactly the limit', async () => {
    const packed = await compress(codec, text)
    expect(await decompress(codec, packed, text.length)).toHaveLength(text.length)
    await expect(decompress(codec, packed, text.length - 1)).rejects.toMatchObject({
      code: 'ERR_DECOMPRESSED_TOO_LARGE',
    })
  })

  it('refuses a bomb of 16 MiB against a limit of 1 MiB', async () => {
    const bomb = await compress(codec, Buffer.alloc(16 << 20))
    await expect(decompress(codec, bomb, 1 << 20)).rejects.toMatchObject({
      code: 'ERR_DECOMPRESSED_TOO_LARGE',
    })
  })

  it('answers every truncation with an error', async () => {
    const packed = await compress(codec, Buffer.from('abcabcabcabc'.repeat(9)))
    // A snappy stream is also whole after its header.
    const whole = codec === 'snappy' ? 16 : -1
    for (let length = 1; length < packed.length; length++) {
      if (length === whole) continue
      await expect(
        decompress(codec, packed.subarray(0, length)),
        `length ${length}`,
      ).rejects.toMatchObject({ code: 'ERR_RECORD_CORRUPT' })
    }
  })
})

describe('framings', () => {
  it('reads raw snappy, as some clients write it', async () => {
    // Length 5, then one literal of 5 bytes.
    expect(await decompress('snappy', Buffer.from('\x05\x10hello', 'latin1'))).toEqual(
      Buffer.from('hello'),
    )
  })

  it('reads gzip of several members', async () => {
    const members = Buffer.concat([gzipSync('one '), gzipSync('two')])
    expect((await decompress('gzip', members)).toString()).toBe('one two')
  })

  it('computes the size of an lz4 frame without unpacking it', async () => {
    const frame = await compress('lz4', text)
    expect(inspectLz4Frame(frame)).toMatchObject({ unpackedBytes: text.length, end: frame.length })
  })

  it('repairs the header checksum of the lz4 frames in messages of magic 0', async () => {
    const frame = await compress('lz4', text)
    const { headerChecksumPosition } = inspectLz4Frame(frame)
    expect(lz4HeaderChecksum(frame, headerChecksumPosition)).toBe(frame[headerChecksumPosition])
    const historic = Buffer.from(frame)
    historic[headerChecksumPosition]! ^= 0x55
    const unpacked = await decompress('lz4', withStandardHeaderChecksum(historic))
    expect(unpacked.equals(text)).toBe(true)
  })

  it('knows no codecs beyond zstd', () => {
    expect(codecFromAttributes(0x48 | 4)).toBe('zstd')
    for (const id of [5, 6, 7]) {
      expect(() => codecFromAttributes(id)).toThrow(`codec ${id} is unknown`)
    }
  })
})
