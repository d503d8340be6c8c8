/** Makes the same topics with the same records in both brokers before anything is compared. */
import { apis } from '../../../src/protocol/apis.js'
import { recordBatch, recordsOf } from '../../support/record-batch-bytes.js'
import type { Body } from './generate.js'
import type { Api, Side } from './side.js'

export function apiOf(name: string): Api {
  const found = apis.find(api => api.name === name)
  if (found === undefined) throw new Error(`there is no API ${name}`)
  return found
}

const TOPICS: readonly [name: string, partitions: number, configs: Record<string, string>][] = [
  ['one', 1, {}],
  ['three', 3, { 'max.message.bytes': '1000000' }],
  ['empty', 1, {}],
  ['compacted', 1, { 'cleanup.policy': 'compact' }],
  ['changing', 2, {}],
]
/** The records are of 1970. */
const LASTING = { 'retention.ms': '-1', 'message.timestamp.before.max.ms': '9223372036854775807' }
const FIRST_TIME = 1000
const RECORDS_COUNT = 10

export async function setUp(side: Side): Promise<void> {
  const topics = TOPICS.map(([name, numPartitions, configs]) => ({
    name,
    numPartitions,
    replicationFactor: 1,
    assignments: [],
    configs: Object.entries({ ...LASTING, ...configs })
      .map(([key, value]) => ({ name: key, value })),
  })) // prettier-ignore
  await demand(side, 'CreateTopics', 5, { topics, timeoutMs: 30_000, validateOnly: false })
  await untilLed(side)
  for (const topic of ['one', 'three']) await produce(side, topic)
  await side.learnTopics()
}

/** Asks and fails unless the answer is one; its errors are the caller's. */
export async function demand(side: Side, name: string, version: number, body: Body): Promise<Body> {
  const answer = await side.ask(apiOf(name), version, body)
  if (answer.kind === 'answer') return answer.body
  throw new Error(`${side.name}: ${name} ${version} is not answered: ${answer.kind}`)
}

async function untilLed(side: Side): Promise<void> {
  for (let i = 0; i < 300; i++) {
    const { topics } = await demand(side, 'Metadata', 9, {
      topics: TOPICS.map(([name]) => ({ name })),
      allowAutoTopicCreation: false,
    })
    const states = topics as { errorCode: number; partitions: { errorCode: number }[] }[]
    const isLed = states.every(
      each => each.errorCode === 0 && each.partitions.every(({ errorCode }) => errorCode === 0),
    )
    if (isLed) return
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  throw new Error(`${side.name}: the topics have no leaders after 30 s`)
}

async function produce(side: Side, topic: string): Promise<void> {
  const times = recordsOf(RECORDS_COUNT).map((record, i) => ({
    ...record,
    key: `k${i}`,
    timestamp: FIRST_TIME * (1 + i),
  }))
  const body = {
    transactionalId: null,
    acks: -1,
    timeoutMs: 30_000,
    topicData: [{ name: topic, partitionData: [{ index: 0, records: recordBatch(times) }] }],
  }
  // Metadata may name a leader a moment before it leads.
  for (let i = 0; i < 100; i++) {
    const { responses } = await demand(side, 'Produce', 9, body)
    const [result] = (responses as { partitionResponses: { errorCode: number }[] }[])[0]!
      .partitionResponses
    if (result?.errorCode === 0) return
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  throw new Error(`${side.name}: nothing can be produced to ${topic}`)
}
