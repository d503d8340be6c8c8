/** What comes and goes while the steady load runs: topics, connections, questions. */
import { connect } from 'node:net'
import { createTopic, fetch, listOffset, produce } from '../support/partition-calls.js'
import { encodeRequest, RawClient } from '../support/raw-client.js'
import { batchesOf, recordBatch, recordsOf } from '../support/record-batch-bytes.js'

/** Topics deleted late, so that two or three exist at a time. */
const TOPICS_ALIVE = 3

/** Makes `count` topics, writes to each, reads it back, and deletes it; spread over `spanMs`. */
export async function churnTopics(
  port: number,
  count: number,
  spanMs: number,
  violations: string[],
  progress: (made: number) => void,
): Promise<void> {
  const client = await RawClient.connect(port)
  const started = performance.now()
  const alive: string[] = []
  const remove = async (): Promise<void> => {
    const topics = [{ name: alive.shift()!, topicId: Buffer.alloc(16) }]
    const answer = await client.call('DeleteTopics', 6, { topics, timeoutMs: 30_000 })
    const error = answer['responses'][0].errorCode
    if (error !== 0) violations.push(`deleting ${topics[0]!.name} got error ${error}`)
  }
  for (let i = 0; i < count; i++) {
    const topic = `short-lived-${i}`
    const error = await createTopic(client, topic, 1 + (i % 3), { 'segment.bytes': '1048576' })
    if (error !== 0) violations.push(`creating ${topic} got error ${error}`)
    await writeAndRead(client, topic, violations)
    alive.push(topic)
    if (alive.length > TOPICS_ALIVE) await remove()
    progress(i + 1)
    const due = started + (spanMs * (i + 1)) / count
    await new Promise(resolve => setTimeout(resolve, Math.max(0, due - performance.now())))
  }
  while (alive.length > 0) await remove()
  client.close()
}

async function writeAndRead(client: RawClient, topic: string, violations: string[]): Promise<void> {
  const sent = await produce(client, topic, recordBatch(recordsOf(10, 200)))
  const answer = await fetch(client, topic, 0)
  const end = await listOffset(client, topic, -1)
  const read = batchesOf(answer['records'] ?? Buffer.alloc(0)).reduce(
    (n, b) => n + b.recordsCount,
    0,
  )
  if (sent['errorCode'] !== 0 || read !== 10 || Number(end['offset']) !== 10) {
    violations.push(
      `${topic}: error ${sent['errorCode']}, ${read} records read, end ${end['offset']}`,
    )
  }
}

/** Connects and goes again, politely and otherwise, until `ended`; returns how often. */
export async function churnConnections(port: number, ended: () => boolean): Promise<number> {
  let count = 0
  while (!ended()) {
    const kind = count++ % 4
    if (kind === 0) {
      const client = await RawClient.connect(port)
      await client.call('ApiVersions', 3, {
        clientSoftwareName: 'soak',
        clientSoftwareVersion: '1',
      })
      await client.call('Metadata', 12, { topics: null, allowAutoTopicCreation: false })
      client.close()
    } else {
      await dropAfter(port, PARTS[kind - 1]!)
    }
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  return count
}

const FETCH = encodeRequest('Fetch', 12, {
  replicaId: -1,
  maxWaitMs: 20_000,
  minBytes: 1 << 20,
  maxBytes: 1 << 20,
  sessionEpoch: 0,
  topics: [
    {
      topic: 'steady-0',
      partitions: [
        {
          partition: 0,
          currentLeaderEpoch: -1,
          fetchOffset: 0,
          lastFetchedEpoch: -1,
          logStartOffset: -1,
          partitionMaxBytes: 1 << 20,
        },
      ],
    },
  ],
  rackId: '',
})

/** Nothing; half a frame; a fetch that waits when its connection goes. */
const PARTS = [Buffer.alloc(0), FETCH.subarray(0, FETCH.length >> 1), FETCH]

function dropAfter(port: number, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      if (bytes.length > 0) socket.write(bytes)
      setTimeout(() => socket.resetAndDestroy(), 5)
    })
    socket.once('error', reject)
    socket.once('close', () => resolve())
  })
}
