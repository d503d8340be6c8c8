/** Faults that other brokers had with names at the border, and with the addresses they told their clients. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BrokerProcess, freePort } from '../support/broker-process.js'
import { createTopic, fetch, LATEST, listOffset, produce } from '../support/partition-calls.js'
import { type ApiName, decodeResponse, encodeRequest, RawClient } from '../support/raw-client.js'
import { recordBatch, recordsOf } from '../support/record-batch-bytes.js'
import type { WireMessage } from '../support/wire-codec.js'

const INVALID: [string, string][] = [
  ['nothing', ''],
  ['a dot', '.'],
  ['two dots', '..'],
  ['250 characters', 'x'.repeat(250)],
  ['255 characters', 'x'.repeat(255)],
  ['32,767 characters', 'x'.repeat(32767)],
  ['a blank at the end', 'name '],
  ['a tab', 'a\tb'],
  ['a newline', 'a\nb'],
  ['NUL', 'a\0b'],
  ['ESC', 'a\x1b[31mb'],
  ['a slash', 'a/b'],
  ['a path', '../../x'],
  ['an accent', 'é'],
  ['a slash at the start', '/etc'],
]

describe('topic names', () => {
  let broker: BrokerProcess
  let client: RawClient

  beforeAll(async () => {
    broker = await BrokerProcess.start()
    client = await RawClient.connect(broker.port)
  })

  afterAll(async () => {
    client.close()
    await broker.remove()
  })

  test.each(INVALID)(
    '%s: 17 to create and describe, 3 to use; no file anywhere',
    async (_, name) => {
      const outside = readdirSync(broker.folder)
      // The broker writes its checkpoints when it likes.
      const logDir = () => readdirSync(broker.logDir).filter(file => !file.includes('checkpoint'))
      const inside = logDir()
      expect(await createTopic(client, name)).toBe(17)
      for (const allowAutoTopicCreation of [true, false]) {
        for (const version of [4, 9, 12]) {
          const body = { topics: [{ name }], allowAutoTopicCreation }
          const answer = await client.call('Metadata', version, body)
          const [topic] = answer['topics']
          expect([topic.errorCode, topic.name]).toEqual([17, name])
        }
      }
      for (const acks of [1, -1]) {
        const produced = await produce(client, name, recordBatch(recordsOf(1)), { acks })
        expect(produced['errorCode']).toBe(3)
      }
      expect((await fetch(client, name, 0))['errorCode']).toBe(3)
      expect((await listOffset(client, name, LATEST))['errorCode']).toBe(3)
      expect(readdirSync(broker.folder)).toEqual(outside)
      expect(logDir()).toEqual(inside)
    },
  )

  test('bytes that are no UTF-8 cost nothing but an error', async () => {
    const other = await RawClient.connect(broker.port)
    const request = encodeRequest('Metadata', 4, {
      topics: [{ name: 'ab' }],
      allowAutoTopicCreation: true,
    })
    request.set([0xc3, 0x28], request.indexOf('ab'))
    other.send(request)
    const answer = decodeResponse('Metadata', 4, (await other.receive())!).body
    expect(answer['topics'][0].errorCode).toBe(17)
    other.close()
    expect((await client.call('Metadata', 4, { topics: [] }))['brokers']).toHaveLength(1)
  })

  test('249 characters are a name, and the topic works, also after a restart', async () => {
    const name = 'n'.repeat(249)
    expect(await createTopic(client, name)).toBe(0)
    expect((await produce(client, name, recordBatch(recordsOf(1))))['errorCode']).toBe(0)
    client.close()
    await broker.stop()
    await broker.restart()
    client = await RawClient.connect(broker.port)
    expect((await listOffset(client, name, LATEST))['offset']).toBe(1n)
  })

  test('names that differ in dot and underscore only collide', async () => {
    expect(await createTopic(client, 'a.b.c')).toBe(0)
    expect(await createTopic(client, 'a_b.c')).toBe(17)
    expect(await createTopic(client, 'a.b.c')).toBe(36)
  })

  test('texts of the greatest length are refused as short ones are', async () => {
    const longest = 'x'.repeat(32767)
    const code = async (list: string, name: ApiName, version: number, body: WireMessage) => {
      const answer = await client.call(name, version, body)
      return list === '' ? answer['errorCode'] : answer[list][0].errorCode
    }
    const create = (more: WireMessage) => ({
      topics: [{ name: 'long', numPartitions: 1, replicationFactor: 1, ...more }],
    })
    const config = (name: string, value: string) => create({ configs: [{ name, value }] })
    const describe = (resourceType: number, resourceName: string) => ({
      resources: [{ resourceType, resourceName, configurationKeys: [longest] }],
    })
    const group = { coordinatorKeys: [longest] }
    const cluster = { clusterId: longest, nodeId: 1 }
    const software = { clientSoftwareName: 'raw', clientSoftwareVersion: '1' }
    expect({
      configName: await code('topics', 'CreateTopics', 7, config(longest, '1')),
      configValue: await code('topics', 'CreateTopics', 7, config('segment.bytes', longest)),
      listValue: await code('topics', 'CreateTopics', 7, config('cleanup.policy', longest)),
      partitions: await code('results', 'CreatePartitions', 3, { topics: [{ name: longest }] }),
      deletion: await code('responses', 'DeleteTopics', 6, { topics: [{ name: longest }] }),
      topicConfigs: await code('results', 'DescribeConfigs', 4, describe(2, longest)),
      brokerConfigs: await code('results', 'DescribeConfigs', 4, describe(4, longest)),
      loggers: await code('results', 'DescribeConfigs', 4, describe(8, longest)),
      metrics: await code('results', 'DescribeConfigs', 4, describe(16, longest)),
      groupConfigs: await code('results', 'DescribeConfigs', 4, describe(32, longest)),
      coordinator: await code('coordinators', 'FindCoordinator', 6, { ...group, keyType: 0 }),
      transactions: await code('coordinators', 'FindCoordinator', 6, { ...group, keyType: 1 }),
      shares: await code('coordinators', 'FindCoordinator', 6, { ...group, keyType: 2 }),
      cluster: await code('', 'ApiVersions', 5, { ...software, ...cluster }),
    }).toEqual({
      configName: 40,
      configValue: 40,
      listValue: 40,
      partitions: 3,
      deletion: 3,
      topicConfigs: 17,
      brokerConfigs: 42,
      loggers: 42,
      metrics: 0,
      groupConfigs: 0,
      coordinator: 0,
      transactions: 53,
      shares: 42,
      cluster: 129,
    })
  })

  test('client ids may be anything, and come out of the log escaped', async () => {
    for (const clientId of ['', null, 'é\n\x1b[31m', 'x'.repeat(32767), '"}{']) {
      const request = encodeRequest('Metadata', 5, { topics: [] }, { clientId, correlationId: 3 })
      client.send(request)
      expect((await client.answer('Metadata', 5, 3))['brokers']).toHaveLength(1)
    }

    expect(broker.output).not.toMatch(/\x1b|\0/)
  })
})

describe('advertised addresses', () => {
  test('each listener tells its own address, in every API that tells one', async () => {
    const [port, other] = [await freePort(), await freePort()]
    const host = `${'h'.repeat(60)}.${'o'.repeat(60)}.${'s'.repeat(60)}.example`
    const settings = {
      listeners: `A://127.0.0.1:${port},B://[::1]:${other}`,
      'advertised.listeners': `A://${host}:7001,B://[::1]:7002`,
      'listener.security.protocol.map': 'A:PLAINTEXT,B:PLAINTEXT',
      'inter.broker.listener.name': 'A',
    }
    const broker = await BrokerProcess.start({ port, settings })
    try {
      for (const [at, bound, wanted] of [
        ['127.0.0.1', port, [host, 7001]],
        ['::1', other, ['::1', 7002]],
      ] as const) {
        const client = await RawClient.connect(bound, at)
        const addresses = (answer: WireMessage) =>
          answer['brokers'].map((each: WireMessage) => [each['host'], each['port']])
        expect(addresses(await client.call('Metadata', 8, { topics: [] }))).toEqual([wanted])
        const cluster = await client.call('DescribeCluster', 1, { endpointType: 1 })
        expect(addresses(cluster)).toEqual([wanted])
        client.close()
      }
    } finally {
      await broker.remove()
    }
  })

  test.each(['0.0.0.0', '[::]'])('%s as an advertised address stops the start', async host => {
    const folder = mkdtempSync(join(tmpdir(), 'millrace-advertised-'))
    const settings = { 'advertised.listeners': `PLAINTEXT://${host}:9092` }
    const start = BrokerProcess.start({ folder, settings })
    await expect(start).rejects.toThrow(/advertised\.listeners/)
    rmSync(folder, { recursive: true })
  })
})
