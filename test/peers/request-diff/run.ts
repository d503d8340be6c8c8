/**
 * Sends the same generated requests to Apache Kafka and to us, and compares the decoded answers. Every API that we
 * list, in every version, with what exists and what does not; then damaged frames. What may differ stands in
 * expectations.ts with its reason; an expectation that met nothing is stale and fails.
 *
 * KAFKA=host:port of a fresh Apache Kafka of one node with node.id=1. Options: --seed N, --per-version N,
 * --only Api,Api, --ours host:port (default: starts the built broker), --all (print every example).
 */
import { parseArgs } from 'node:util'
import { apis } from '../../../src/protocol/apis.js'
import { BrokerProcess } from '../../support/broker-process.js'
import { differences, textOf, type Difference } from './compare.js'
import { type Expectation, expectations } from './expectations.js'
import { damagedFrames } from './damaged-frames.js'
import { type Body, generateBody } from './generate.js'
import { SeededRandom } from './random.js'
import { demand, setUp } from './setup.js'
import { type Answer, type Api, Side } from './side.js'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    'per-version': { type: 'string', default: '16' },
    only: { type: 'string' },
    ours: { type: 'string' },
    all: { type: 'boolean', default: false },
  },
})
const kafkaAddress = process.env.KAFKA
if (kafkaAddress === undefined) {
  console.log('skipped: KAFKA (host:port of a fresh Apache Kafka) is not set')
  console.log('0 passed, 0 failed, 1 skipped')
  process.exit(0)
}
/** Kafka's metadata reach its broker a little after the answer of its controller. */
const SETTLE_TRIES = 2
const SETTLE_MS = 150

const CHANGING =
  /^(Create|Delete|Alter|Incremental|Update|Elect|OffsetCommit|OffsetDelete|Produce|Unregister)/

/** Their answers follow from member ids that each broker draws, and from time; test/integration has them. */
const STATEFUL =
  /^(JoinGroup|SyncGroup|Heartbeat|LeaveGroup|ConsumerGroup.*|DescribeGroups|ListGroups|DeleteGroups|Share.*|Streams.*|.*ShareGroup.*)$/

interface Group {
  readonly api: string
  readonly difference: Difference
  count: number
  versions: Set<number>
  example: string
}

const groups = new Map<string, Group>()
const used = new Set<Expectation>()
let sentCount = 0
let differingCount = 0

const broker =
  values.ours === undefined
    ? await BrokerProcess.start({
        settings: { 'node.id': '1', 'group.initial.rebalance.delay.ms': '0' },
      })
    : undefined
const kafka = new Side('Kafka', kafkaAddress)
const ours = new Side('ours', values.ours ?? broker!.bootstrapServers)
try {
  await Promise.all([setUp(kafka), setUp(ours)])
  await compareAll()
  await compareDamaged()
} finally {
  report()
  kafka.close()
  ours.close()
  await broker?.remove()
}

async function compareAll(): Promise<void> {
  const random = new SeededRandom(Number(values.seed))
  const served = await servedRanges(ours)
  const theirs = await servedRanges(kafka)
  const only = values.only?.split(',')
  const list = apis.filter(({ name, request }) => {
    if (only === undefined ? STATEFUL.test(name) : !only.includes(name)) return false
    return served.has(request.apiKey)
  })
  // What changes something comes last.
  list.sort((a, b) => Number(CHANGING.test(a.name)) - Number(CHANGING.test(b.name)))
  for (const api of list) {
    const range = served.get(api.request.apiKey)!
    if (textOf(range) !== textOf(theirs.get(api.request.apiKey))) {
      note(api.name, range[1], 'ApiVersions', {
        path: 'range',
        kafka: textOf(theirs.get(api.request.apiKey)),
        ours: textOf(range),
      })
    }
    const first = Math.max(range[0], api.request.versions[0])
    for (let version = first; version <= range[1]; version++) {
      for (let i = 0; i < Number(values['per-version']); i++) {
        await compareOne(api, version, generateBody(api.request, api.name, version, random))
      }
    }
  }
}

async function servedRanges(side: Side): Promise<Map<number, [number, number]>> {
  const { apiKeys } = await demand(side, 'ApiVersions', 0, {})
  return new Map(
    (apiKeys as { apiKey: number; minVersion: number; maxVersion: number }[]).map(each => [
      each.apiKey,
      [each.minVersion, each.maxVersion],
    ]),
  )
}

async function compareOne(api: Api, version: number, body: Body): Promise<void> {
  sentCount++
  let [theirs, own] = await Promise.all([
    kafka.ask(api, version, body),
    ours.ask(api, version, body),
  ])
  let found = differences(theirs, own, kafka, ours)
  const isChange = CHANGING.test(api.name)
  for (let i = 0; i < SETTLE_TRIES && found.length > 0 && !isChange; i++) {
    if (found.every(each => expected(api.name, version, each, body) !== undefined)) break
    await settle(SETTLE_MS)
    ;[theirs, own] = await Promise.all([
      kafka.ask(api, version, body),
      ours.ask(api, version, body),
    ])
    found = differences(theirs, own, kafka, ours)
  }
  if (isChange && changedTopics(theirs, own)) {
    await settle(SETTLE_MS)
    await Promise.all([kafka.learnTopics(), ours.learnTopics()])
  }
  let isUnexpected = false
  for (const difference of found) {
    const expectation = expected(api.name, version, difference, body)
    if (expectation !== undefined) used.add(expectation)
    else isUnexpected = true
    if (expectation === undefined) note(api.name, version, textOf(body), difference)
  }
  if (isUnexpected) differingCount++
}

function changedTopics(...answers: Answer[]): boolean {
  return answers.some(each => each.kind === 'answer' && /"errorCode":0/.test(textOf(each.body)))
}

async function compareDamaged(): Promise<void> {
  if (values.only !== undefined) return
  for (const { name, frame } of damagedFrames(new SeededRandom(Number(values.seed)), ours)) {
    sentCount++
    const [theirs, own] = await Promise.all([
      kafka.exchange(frame, 3000),
      ours.exchange(frame, 3000),
    ])
    const difference = { path: 'outcome', kafka: outcome(theirs), ours: outcome(own) }
    if (difference.kafka === difference.ours) continue
    const expectation = expected(name, 0, difference, {})
    if (expectation !== undefined) {
      used.add(expectation)
      continue
    }
    note(name, 0, frame.toString('hex').slice(0, 200), difference)
    differingCount++
  }
}

function outcome(answer: Buffer | null | undefined): string {
  if (answer === null) return 'closed'
  return answer === undefined ? 'silent' : 'answered'
}

function expected(
  api: string,
  version: number,
  difference: Difference,
  body: Body,
): Expectation | undefined {
  return expectations.find(
    each =>
      each.api.test(api) &&
      each.path.test(difference.path) &&
      (each.when?.(difference, body, version) ?? true),
  )
}

function note(api: string, version: number, example: string, difference: Difference): void {
  const key = textOf([api, difference])
  const group = groups.get(key)
  if (group === undefined) {
    groups.set(key, { api, difference, count: 1, versions: new Set([version]), example })
    return
  }
  group.count++
  group.versions.add(version)
}

function report(): void {
  for (const { api, difference, count, versions, example } of groups.values()) {
    console.log(`DIFFERS ${api} ${[...versions].join(',')} (${count}x) at ${difference.path}`)
    console.log(`   Kafka: ${difference.kafka.slice(0, 400)}`)
    console.log(`   ours:  ${difference.ours.slice(0, 400)}`)
    console.log(`   asked: ${example.slice(0, values.all ? 10_000 : 500)}`)
  }
  const isWhole = values.only === undefined
  const stale = isWhole ? expectations.filter(each => !used.has(each)) : []
  for (const each of stale) {
    console.log(`STALE ${String(each.api)} ${String(each.path)}: ${each.reason}`)
  }
  const failed = differingCount + stale.length
  console.log(`${sentCount - differingCount} passed, ${failed} failed`)
  process.exitCode = failed === 0 ? 0 : 1
}

function settle(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms))
}
