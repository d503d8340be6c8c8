/** Protects: Uuids as Kafka writes them, error codes, and text that is safe to print. */
import { expect, test } from 'vitest'
import { systemClock } from '../../../src/base/clock.js'
import { BrokerError, codeOf, messageOf } from '../../../src/base/errors.js'
import { escapeControlCharacters } from '../../../src/base/printable.js'
import {
  isUuid,
  randomUuid,
  uuidFromBytes,
  uuidToBytes,
  ZERO_UUID,
} from '../../../src/base/uuid.js'

test('random Uuids are version 4, differ, and never begin with a dash', () => {
  const uuids = Array.from({ length: 2000 }, randomUuid)
  expect(new Set(uuids).size).toBe(2000)
  for (const uuid of uuids) {
    expect(isUuid(uuid)).toBe(true)
    expect(uuid).not.toMatch(/^-/)
    expect(uuidToBytes(uuid)[6]! >> 4).toBe(4)
  }
})

test('text and bytes of a Uuid convert into each other', () => {
  const bytes = Buffer.from('00112233445566778899aabbccddeeff', 'hex')
  expect(uuidToBytes(uuidFromBytes(bytes))).toEqual(bytes)
  expect(uuidFromBytes(Buffer.alloc(16))).toBe(ZERO_UUID)
  expect(['', 'short', `${ZERO_UUID}A`, 'AAAAAAAAAAAAAAAAAAAA+A'].some(isUuid)).toBe(false)
})

test('codes and messages of anything thrown', () => {
  const error = new BrokerError('ERR_X', 'why', { cause: 1 })
  expect([codeOf(error), messageOf(error), error.cause]).toEqual(['ERR_X', 'why', 1])
  expect([codeOf('text'), messageOf('text'), codeOf({ code: 5 })]).toEqual([
    undefined,
    'text',
    undefined,
  ])
})

test('control characters are written out', () => {
  expect(escapeControlCharacters('a\n\u001b[0m\u009bé')).toBe('a\\u000a\\u001b[0m\\u009bé')
})

test('the monotonic clock does not run backwards', () => {
  const before = systemClock.monotonicMs()
  expect(systemClock.monotonicMs()).toBeGreaterThanOrEqual(before)
  expect(systemClock.nowMs()).toBeGreaterThan(1.6e12)
})
