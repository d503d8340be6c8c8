/**
 * Compares two decoded answers field by field, after replacing what must differ between two brokers (topic and cluster
 * ids, ports, producer ids, sessions, times) by what it stands for. Lists are matched by the names of their elements.
 */
import type { Answer, Side } from './side.js'

export interface Difference {
  readonly path: string
  readonly kafka: string
  readonly ours: string
}

/** Fields whose elements' identity comes first in the order given. */
const KEYS = [
  'name', 'topicName', 'topic', 'topicId', 'resourceType', 'resourceName', 'configName', 'feature',
  'partitionIndex', 'partition', 'partitionId', 'index', 'groupId', 'group', 'key', 'memberId', 'apiKey',
  'brokerId', 'nodeId', 'producerId', 'transactionalId', 'entity', 'entityType', 'logDir', 'user', 'source',
] // prettier-ignore

/** Values that two brokers cannot have in common: what they are replaced by if they are what they should be. */
const OWN_VALUES: Readonly<Record<string, (value: unknown) => unknown>> = {
  clusterId: value => (typeof value === 'string' && value.length > 0 ? 'a cluster id' : value),
  host: value => (value === '127.0.0.1' ? 'the host' : value),
  producerId: value => (Number(value) >= 0 ? 'a producer id' : value),
  sessionId: value => (Number(value) > 0 ? 'a session' : value),
  logDir: value => (typeof value === 'string' && value.startsWith('/') ? 'a log dir' : value),
  totalBytes: value => (Number(value) > 0 ? 'bytes' : value),
  usableBytes: value => (Number(value) > 0 ? 'bytes' : value),
  logAppendTimeMs: value => (Number(value) > 0 ? 'now' : value),
  finalizedFeaturesEpoch: value => (Number(value) >= 0 ? 'an epoch' : value),
  lastTimestamp: value => (Number(value) > 1.6e12 ? 'a time' : value),
}

export function differences(
  kafka: Answer,
  ours: Answer,
  kafkaSide: Side,
  ourSide: Side,
): Difference[] {
  if (kafka.kind !== 'answer' || ours.kind !== 'answer') {
    const left = describe(kafka)
    const right = describe(ours)
    return left === right ? [] : [{ path: '', kafka: left, ours: right }]
  }
  const found: Difference[] = []
  walk(normalised(kafka.body, '', kafkaSide), normalised(ours.body, '', ourSide), '', found)
  return found
}

function describe(answer: Answer): string {
  return answer.kind === 'undecodable' ? `undecodable: ${answer.why}` : answer.kind
}

function normalised(value: unknown, name: string, side: Side): unknown {
  if (value === null || value === undefined) return value
  if (Buffer.isBuffer(value)) return `${value.length} bytes ${value.toString('hex').slice(0, 400)}`
  if (Array.isArray(value)) {
    return value.filter(each => !isOfInternalTopic(each)).map(each => normalised(each, name, side))
  }
  if (typeof value === 'object') {
    return Object.fromEntries(
      Object.entries(value).map(([field, each]) => [field, normalised(each, field, side)]),
    )
  }
  if (name === 'port' && value === side.port) return 'the port'
  const own = OWN_VALUES[name]
  if (own !== undefined) return own(value)
  return typeof value === 'string' ? withoutIds(value, side) : value
}

/** Both make these when they need them. */
function isOfInternalTopic(value: unknown): boolean {
  if (!isObject(value)) return false
  const name = value.topic ?? value.topicName ?? value.resourceName ?? value.name
  return typeof name === 'string' && name.startsWith('__')
}

function withoutIds(text: string, side: Side): string {
  const named = side.topicNames.get(text)
  if (named !== undefined) return `id of ${named}`
  return text.replace(/[A-Za-z0-9_-]{22}/g, id => {
    const name = side.topicNames.get(id)
    return name === undefined ? id : `id of ${name}`
  })
}

function walk(kafka: unknown, ours: unknown, path: string, found: Difference[]): void {
  if (Array.isArray(kafka) && Array.isArray(ours)) return walkLists(kafka, ours, path, found)
  if (isObject(kafka) && isObject(ours)) {
    // What Kafka threw tells nothing about the other fields.
    if (kafka.errorCode === -1 && ours.errorCode !== -1) {
      found.push({ path: joined(path, 'errorCode'), kafka: '-1', ours: textOf(ours.errorCode) })
      return
    }
    for (const name of new Set([...Object.keys(kafka), ...Object.keys(ours)])) {
      walk(kafka[name], ours[name], joined(path, name), found)
    }
    return
  }
  if (kafka === ours) return
  found.push({ path, kafka: textOf(kafka), ours: textOf(ours) })
}

function joined(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}

function walkLists(kafka: unknown[], ours: unknown[], path: string, found: Difference[]): void {
  const left = keyed(merged(kafka))
  const right = keyed(merged(ours))
  for (const [key, value] of left) {
    if (right.has(key)) walk(value, right.get(key), `${path}[]`, found)
    else found.push({ path: `${path}[]`, kafka: textOf(value), ours: 'absent' })
  }
  for (const [key, value] of right) {
    if (!left.has(key)) found.push({ path: `${path}[]`, kafka: 'absent', ours: textOf(value) })
  }
}

/** Kafka lists a topic of a Fetch once with the partitions that failed and once with the others. */
function merged(list: unknown[]): unknown[] {
  const topics = new Map<string, Record<string, unknown>>()
  return list.filter(each => {
    if (!isObject(each) || !Array.isArray(each.partitions) || !('topicId' in each)) return true
    const key = keyOf(each)
    const first = topics.get(key)
    if (first === undefined) {
      topics.set(key, each)
      return true
    }
    first.partitions = [...(first.partitions as unknown[]), ...(each.partitions as unknown[])]
    return false
  })
}

/** Elements by their identity; of equal ones the n-th is matched with the n-th. */
function keyed(list: unknown[]): Map<string, unknown> {
  const found = new Map<string, unknown>()
  for (const each of list) {
    const key = keyOf(each)
    let nth = 0
    while (found.has(`${key}#${nth}`)) nth++
    found.set(`${key}#${nth}`, each)
  }
  return found
}

function keyOf(value: unknown): string {
  if (!isObject(value)) return textOf(value)
  return KEYS.filter(name => name in value)
    .map(name => `${name}=${textOf(value[name])}`)
    .join(',')
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function textOf(value: unknown): string {
  return (
    JSON.stringify(value, (_name, each: unknown) =>
      typeof each === 'bigint' ? Number(each) : Buffer.isBuffer(each) ? each.toString('hex') : each,
    ) ?? 'undefined'
  )
}
