/** DeleteRecords: which offsets are taken, and with what error the others come back. */
import { expect, test } from 'vitest'
import { BrokerError } from '../../../src/base/errors.js'
import { deleteRecordsHandler } from '../../../src/handlers/delete-records.js'
import type { LogsView } from '../../../src/handlers/services.js'
import {
  DeleteRecordsRequest,
  DeleteRecordsResponse,
} from '../../../src/protocol/messages/delete-records.js'
import { ask, configsView } from './fakes.js'

const asked: string[] = []
const logs = {
  offsets: (_topic: string, partition: number) =>
    partition > 1 ? undefined : { logStartOffset: 3n, highWatermark: 8n },
  absence: () => 3,
  deleteRecords(topic: string, partition: number, offset: bigint) {
    asked.push(`${topic}-${partition} ${offset}`)
    if (partition === 1) return Promise.reject(new BrokerError('ERR_IO', 'disk'))
    return Promise.resolve(offset < 0n ? 8n : offset < 3n ? 3n : offset)
  },
} as unknown as LogsView

async function deleteBelow(offset: bigint, partitionIndex = 0, properties = {}) {
  const handler = deleteRecordsHandler({ logs, configs: configsView(properties) })
  const topics = [{ name: 't', partitions: [{ partitionIndex, offset }] }]
  const answer = await ask([DeleteRecordsRequest, DeleteRecordsResponse], handler, 2, {
    topics,
    timeoutMs: 1000,
  })
  const { errorCode, lowWatermark } = answer.topics[0]!.partitions[0]!
  return [errorCode, lowWatermark]
}

test.each([
  [5n, 0, 5n],
  [-1n, 0, 8n],
  [8n, 0, 8n],
  [0n, 0, 3n],
  [9n, 1, -1n],
  [-2n, 1, -1n],
])('offset %i: error %i, log start %i', async (offset, errorCode, lowWatermark) => {
  expect(await deleteBelow(offset)).toEqual([errorCode, lowWatermark])
})

test('no such partition, a disk that fails, a topic that is compacted only', async () => {
  expect(await deleteBelow(0n, 7)).toEqual([3, -1n])
  expect(await deleteBelow(4n, 1)).toEqual([56, -1n])
  asked.length = 0
  expect(await deleteBelow(4n, 0, { 'log.cleanup.policy': 'compact' })).toEqual([44, -1n])
  expect(asked).toEqual([])
})
