/** The error table against facts that clients rely on. */
import { expect, test } from 'vitest'
import {
  ErrorCode,
  errorMessage,
  errorName,
  isRetriable,
} from '../../../src/protocol/error-codes.js'

test('codes are those of Kafka 4.4, without a gap', () => {
  const codes = Object.values(ErrorCode).sort((a, b) => a - b)
  expect(codes).toEqual(Array.from({ length: 138 }, (_, i) => i - 1))
})

test('names, texts and retriability', () => {
  expect(errorName(ErrorCode.UNKNOWN_TOPIC_ID)).toBe('UNKNOWN_TOPIC_ID')
  expect(errorName(-1)).toBe('UNKNOWN_SERVER_ERROR')
  expect(errorName(9999)).toBe('UNKNOWN_ERROR_CODE_9999')
  expect(isRetriable(ErrorCode.NOT_LEADER_OR_FOLLOWER)).toBe(true)
  expect(isRetriable(ErrorCode.UNSUPPORTED_VERSION)).toBe(false)
  for (const code of Object.values(ErrorCode)) expect(errorMessage(code)).toMatch(/^[A-Za-z].*\.$/)
})
