/**
 * Sends the same requests about groups and offsets to two brokers, a real Kafka and ours, and prints where the answers
 * differ: npx tsx test/peers/groups-diff.ts KAFKA_HOST:PORT OUR_HOST:PORT. Ids of members and topics, times and
 * addresses are masked. Both need group.initial.rebalance.delay.ms=0 and a topic that does not exist yet.
 */

import { connect, type Socket } from 'node:net'
import { ApiKey } from '../../src/protocol/api-keys.js'
import { decodeResponse, encodeRequest } from '../../src/protocol/codec.js'
import { FrameDecoder, SIZE_PREFIX_BYTES, sealFrame } from '../../src/protocol/frame.js'
import { ConsumerProtocolSubscription } from '../../src/protocol/messages/consumer-protocol.js'
import * as createTopics from '../../src/protocol/messages/create-topics.js'
import * as deleteGroups from '../../src/protocol/messages/delete-groups.js'
import * as describeGroups from '../../src/protocol/messages/describe-groups.js'
import * as findCoordinator from '../../src/protocol/messages/find-coordinator.js'
import * as heartbeat from '../../src/protocol/messages/heartbeat.js'
import * as joinGroup from '../../src/protocol/messages/join-group.js'
import * as leaveGroup from '../../src/protocol/messages/leave-group.js'
import * as listGroups from '../../src/protocol/messages/list-groups.js'
import * as metadata from '../../src/protocol/messages/metadata.js'
import * as offsetCommit from '../../src/protocol/messages/offset-commit.js'
import * as offsetDelete from '../../src/protocol/messages/offset-delete.js'
import * as offsetFetch from '../../src/protocol/messages/offset-fetch.js'
import * as syncGroup from '../../src/protocol/messages/sync-group.js'
import type { Fields } from '../../src/protocol/schema/field.js'
import type { RequestSchema, ResponseSchema } from '../../src/protocol/schema/message.js'
import { encodeVersioned } from '../../src/protocol/versioned-message.js'

const modules = {
  [ApiKey.CreateTopics]: [createTopics.CreateTopicsRequest, createTopics.CreateTopicsResponse],
  [ApiKey.Metadata]: [metadata.MetadataRequest, metadata.MetadataResponse],
  [ApiKey.FindCoordinator]: [
    findCoordinator.FindCoordinatorRequest,
    findCoordinator.FindCoordinatorResponse,
  ],
  [ApiKey.JoinGroup]: [joinGroup.JoinGroupRequest, joinGroup.JoinGroupResponse],
  [ApiKey.SyncGroup]: [syncGroup.SyncGroupRequest, syncGroup.SyncGroupResponse],
  [ApiKey.Heartbeat]: [heartbeat.HeartbeatRequest, heartbeat.HeartbeatResponse],
  [ApiKey.LeaveGroup]: [leaveGroup.LeaveGroupRequest, leaveGroup.LeaveGroupResponse],
  [ApiKey.OffsetCommit]: [offsetCommit.OffsetCommitRequest, offsetCommit.OffsetCommitResponse],
  [ApiKey.OffsetFetch]: [offsetFetch.OffsetFetchRequest, offsetFetch.OffsetFetchResponse],
  [ApiKey.OffsetDelete]: [offsetDelete.OffsetDeleteRequest, offsetDelete.OffsetDeleteResponse],
  [ApiKey.DeleteGroups]: [deleteGroups.DeleteGroupsRequest, deleteGroups.DeleteGroupsResponse],
  [ApiKey.DescribeGroups]: [
    describeGroups.DescribeGroupsRequest,
    describeGroups.DescribeGroupsResponse,
  ],
  [ApiKey.ListGroups]: [listGroups.ListGroupsRequest, listGroups.ListGroupsResponse],
} as unknown as Record<number, [RequestSchema, ResponseSchema]>

type Body = Record<string, unknown>
type Answer = Record<string, unknown>

/** Without the fields that a version lacks. */
function fitting(body: Body, fields: Fields, version: number): Body {
  const kept: Body = {}
  for (const [name, value] of Object.entries(body)) {
    const field = fields[name]
    if (field === undefined || version < field.since || version > field.until) continue
    const element = field.type.kind === 'array' ? field.type.element : null
    const inner = element?.kind === 'struct' ? element.struct.fields : null
    kept[name] =
      inner !== null && Array.isArray(value)
        ? value.map(each => fitting(each as Body, inner, version))
        : value
  }
  return kept
}

class Peer {
  readonly #address: string
  constructor(address: string) {
    this.#address = address
  }

  /** One request on a connection of its own. */
  async ask(apiKey: number, version: number, body: Body): Promise<Answer> {
    const [request, response] = modules[apiKey]!
    const [host = '', port] = this.#address.split(':')
    const socket: Socket = connect(Number(port), host)
    const frames = new FrameDecoder(1 << 28)
    const frame = encodeRequest(
      request,
      version,
      { correlationId: 1, clientId: 'diff' },
      fitting(body, request.fields, version) as never,
      SIZE_PREFIX_BYTES,
    )
    socket.write(sealFrame(frame))
    try {
      return await new Promise((resolve, reject) => {
        const late = setTimeout(() => resolve({ answer: 'none within 8 s' }), 8000)
        socket.on('data', bytes => {
          for (const whole of frames.push(bytes)) {
            clearTimeout(late)
            resolve(decodeResponse(response, version, whole).body)
          }
        })
        socket.on('error', reject)
        socket.on('close', () => {
          clearTimeout(late)
          resolve({ answer: 'closed' })
        })
      })
    } finally {
      socket.destroy()
    }
  }
}

function sorted(list: unknown[]): unknown[] {
  const keyed = list.map(each => [show(each), each] as const)
  return keyed.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each)
}

const masks: [RegExp, string][] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UUID'],
  [/"topicId":"(?!A{22})[^"]{22}"/g, '"topicId":"ID"'],
  [/"nodeId":1\b/g, '"nodeId":1'],
  [/x{50,}/g, 'xxx'],
  [/"port":\d{3,5}/g, '"port":PORT'],
  [/"host":"[^"]+"/g, '"host":"HOST"'],
]

function show(answer: unknown): string {
  let text = JSON.stringify(answer, (key, value: unknown) => {
    if (typeof value === 'bigint') return `${value}n`
    if (key === 'throttleTimeMs') return undefined
    const raw = value as { type?: string; data?: number[] } | null
    // Kafka groups by partition and topic: the order of lists means nothing.
    if (Array.isArray(value)) return sorted(value)
    if (raw?.type === 'Buffer') return Buffer.from(raw.data ?? []).toString('hex')
    return value
  })
  for (const [mask, to] of masks) text = text.replace(mask, to)
  return text
}

async function main([kafka, ours]: string[]): Promise<void> {
  const { scenario } = await import('./groups-diff-scenario.js')
  const answers = await Promise.all(
    [kafka, ours].map(async address => {
      const lines: [string, string][] = []
      const peer = new Peer(address ?? '')
      await scenario({
        subscription: (...topics) =>
          encodeVersioned(ConsumerProtocolSubscription, 1, { topics, userData: null }),
        async ask(name, apiKey, version, body) {
          const answer = await peer.ask(apiKey, version, body)
          if (name !== '') lines.push([`${name} v${version}`, show(answer)])
          return answer
        },
      })
      return lines
    }),
  )
  let different = 0
  for (const [index, [name, expected]] of answers[0]!.entries()) {
    const got = answers[1]![index]?.[1]
    if (expected === got) continue
    different++
    console.log(`${name}\n  kafka ${expected}\n  ours  ${got}`)
  }
  console.log(`${answers[0]!.length} requests, ${different} differences`)
  process.exit(different === 0 ? 0 : 1)
}

void main(process.argv.slice(2))
