/** The bytes that members of classic groups exchange, as Kafka's clients write them. */
import { expect, test } from 'vitest'
import {
  ConsumerProtocolAssignment,
  ConsumerProtocolSubscription,
} from '../../../src/protocol/messages/consumer-protocol.js'
import { decodeVersioned, encodeVersioned } from '../../../src/protocol/versioned-message.js'

const OWNED = [{ topic: 'a', partitions: [1] }]

test('a subscription has the bytes of its version', () => {
  const body = { topics: ['a'], ownedPartitions: OWNED, generationId: 7, rackId: 'r' }
  const v0 = '0000' + '00000001' + '000161' + 'ffffffff'
  const v3 = v0.slice(4) + '00000001' + '000161' + '00000001' + '00000001' + '00000007' + '000172'
  expect(encodeVersioned(ConsumerProtocolSubscription, 0, body).toString('hex')).toBe(v0)
  expect(encodeVersioned(ConsumerProtocolSubscription, 3, body).toString('hex')).toBe('0003' + v3)
})

test('a version from the future is read as the newest known', () => {
  const bytes = encodeVersioned(ConsumerProtocolAssignment, 3, { assignedPartitions: OWNED })
  bytes.writeInt16BE(9)
  const read = decodeVersioned(ConsumerProtocolAssignment, Buffer.concat([bytes, Buffer.from('x')]))
  expect(read).toEqual({ assignedPartitions: OWNED, userData: null })
})

test.each(['', '00', 'ffff00000000'])('no message: %s', hex => {
  expect(() => decodeVersioned(ConsumerProtocolAssignment, Buffer.from(hex, 'hex'))).toThrow(
    /version|ends/,
  )
})
