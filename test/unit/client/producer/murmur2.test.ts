/** Keys must go where Java's producer sends them. */
import { expect, test } from 'vitest'
import { murmur2, partitionOfKey } from '../../../../src/client/producer/murmur2.js'

test('the hashes are those that Kafka tests its own with', () => {
  const known: [string, number][] = [
    ['21', -973932308],
    ['foobar', -790332482],
    ['a-little-bit-long-string', -985981536],
    ['a-little-bit-longer-string', -1486304829],
    ['lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8', -58897971],
    ['abc', 479470107],
  ]
  for (const [key, hash] of known) expect([key, murmur2(Buffer.from(key))]).toEqual([key, hash])
  expect(partitionOfKey(Buffer.from('foobar'), 7)).toBe((-790332482 & 0x7fffffff) % 7)
})
