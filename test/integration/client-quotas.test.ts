/** Client quotas through the whole broker: set over the wire, enforced in both planes, kept over a restart. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { AdminClient } from '../../src/client/admin-client.js'
import {
  AlterClientQuotasRequest,
  AlterClientQuotasResponse,
} from '../../src/protocol/messages/alter-client-quotas.js'
import {
  DescribeClientQuotasRequest,
  DescribeClientQuotasResponse,
} from '../../src/protocol/messages/describe-client-quotas.js'
import { BrokerProcess } from '../support/broker-process.js'
import { createTopic, fetchBody, produceBody } from '../support/partition-calls.js'
import { RawClient } from '../support/raw-client.js'
import { recordBatch, recordsOf } from '../support/record-batch-bytes.js'

const ALTER = { request: AlterClientQuotasRequest, response: AlterClientQuotasResponse }
const DESCRIBE = { request: DescribeClientQuotasRequest, response: DescribeClientQuotasResponse }

let broker: BrokerProcess

beforeAll(async () => {
  broker = await BrokerProcess.start()
})
afterAll(() => broker.remove())

async function withAdmin<T>(work: (admin: AdminClient) => Promise<T>): Promise<T> {
  const options = { clientId: 'admin', timeoutMs: 30_000 }
  const admin = await AdminClient.connect(broker.bootstrapServers, options)
  return work(admin).finally(() => admin.close())
}

async function setLimit(entityType: string, entityName: string, key: string, value: number) {
  const entity = [{ entityType, entityName }]
  const ops = [{ key, value, remove: value === 0 }]
  const answer = await withAdmin(admin =>
    admin.request(ALTER, { entries: [{ entity, ops }], validateOnly: false }),
  )
  expect(answer.entries[0]).toMatchObject({ errorCode: 0 })
}

// The raw client's id is "raw". A limit this low is exceeded by one request, and for so long that it cannot pass while
// the test runs, however slow the machine: each connection below carries a single limited request.
test('byte rates and topic changes are limited as set, and after a restart still', async () => {
  const batch = recordBatch(recordsOf(1))
  const once = async <T>(work: (client: RawClient) => Promise<T>): Promise<T> => {
    const client = await RawClient.connect(broker.port)
    return work(client).finally(() => client.close())
  }
  const produced = () => once(client => client.call('Produce', 9, produceBody('orders', batch)))
  const fetched = () => once(client => client.call('Fetch', 12, fetchBody('orders', 0)))

  expect(await once(client => createTopic(client, 'orders'))).toBe(0)
  expect((await produced())['throttleTimeMs']).toBe(0)
  await setLimit('client-id', 'raw', 'producer_byte_rate', 1)
  await setLimit('client-id', 'raw', 'consumer_byte_rate', 1000)
  await setLimit('client-id', 'raw', 'controller_mutation_rate', 0.001)

  for (const round of ['as set', 'after a restart']) {
    const answer = await produced()
    expect(answer['throttleTimeMs'], round).toBeGreaterThan(10_000)
    expect(answer['responses'][0].partitionResponses[0].errorCode).toBe(0)
    expect((await fetched())['responses']).toHaveLength(1)
    expect(await once(client => createTopic(client, `first-${round.length}`))).toBe(0)
    expect(await once(client => createTopic(client, `second-${round.length}`))).toBe(89)
    await broker.stop()
    await broker.restart()
  }

  const found = await withAdmin(admin => admin.request(DESCRIBE, { components: [], strict: false }))
  expect(found.entries).toHaveLength(1)
  expect(found.entries![0]!.values).toHaveLength(3)
  await setLimit('client-id', 'raw', 'producer_byte_rate', 0)
  expect((await produced())['throttleTimeMs']).toBe(0)
})

test('an address may connect as fast as its limit allows', async () => {
  await setLimit('ip', '127.0.0.1', 'connection_creation_rate', 1_000_000)
  const client = await RawClient.connect(broker.port)
  expect(await createTopic(client, 'still-served')).toBe(0)
  client.close()
})
