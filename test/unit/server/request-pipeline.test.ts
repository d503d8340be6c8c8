/** Protects what happens to control requests: answers, their order, closed connections, and failing handlers. */
import { expect, test } from 'vitest'
import type { Clock } from '../../../src/base/clock.js'
import type { ControlRequest } from '../../../src/binding/native-addon.js'
import { type ServedApi, registry } from '../../../src/handlers/registry.js'
import type { Logger } from '../../../src/observability/logger.js'
import { ApiKey } from '../../../src/protocol/api-keys.js'
import { decodeResponse, encodeRequest } from '../../../src/protocol/codec.js'
import {
  ApiVersionsRequest,
  ApiVersionsResponse,
} from '../../../src/protocol/messages/api-versions.js'
import {
  FindCoordinatorRequest,
  FindCoordinatorResponse,
} from '../../../src/protocol/messages/find-coordinator.js'
import type { ControlPort } from '../../../src/server/control-port.js'
import { RequestPipeline } from '../../../src/server/request-pipeline.js'

type Handle = (request: unknown) => unknown

class FakePort implements ControlPort {
  readonly answers: { request: ControlRequest; frame: Buffer | null; throttleMs: number }[] = []
  readonly closed: { request: ControlRequest; reason: string }[] = []
  waiting: ControlRequest[] = []
  take(): ControlRequest[] {
    return this.waiting.splice(0, 256)
  }
  respond(request: ControlRequest, frame: Buffer | null, throttleMs = 0): void {
    this.answers.push({ request, frame, throttleMs })
  }
  close(request: ControlRequest, reason: string): void {
    this.closed.push({ request, reason })
  }
}

function pipelineWith(handle: Handle, throttleMs = 0) {
  const port = new FakePort()
  const errors: string[] = []
  const log = {
    warn: () => {},
    error: (message: string) => errors.push(message),
  } as unknown as Logger
  const clock: Clock = { nowMs: () => 0, monotonicMs: () => 0 }
  const fail = (_request: unknown, { errorCode }: { errorCode: number }) => ({
    errorCode,
    nodeId: -1,
    host: '',
    port: -1,
    coordinators: [],
    apiKeys: [],
  })
  const apis = new Map<number, ServedApi>()
  for (const api of registry) {
    if (api.handler !== null) apis.set(api.apiKey, { ...api, instance: { handle, fail } })
  }
  const requestQuota = { record: () => throttleMs }
  const listenerNames = ['PLAINTEXT']
  const pipeline = new RequestPipeline({ port, apis, listenerNames, log, clock, requestQuota })
  return { port, pipeline, errors }
}

let places = 0n
function requestOf(connection: bigint, frame: Buffer): ControlRequest {
  return { connection, place: places++, listener: 0, peer: '127.0.0.1:1', frame }
}

function findCoordinator(correlationId: number, version = 2): Buffer {
  const header = { correlationId, clientId: 'test' }
  return encodeRequest(FindCoordinatorRequest, version, header, { key: 'g', keyType: 0 })
}

const ANSWER = { errorCode: 15, nodeId: -1, host: '', port: -1, coordinators: [] }

test('requests of one connection are answered in order although the first takes longer', async () => {
  let release = () => {}
  const slow = new Promise<void>(resolve => (release = resolve))
  let calls = 0
  const { port, pipeline } = pipelineWith(() => (calls++ === 0 ? slow.then(() => ANSWER) : ANSWER))
  port.waiting = [1, 2, 3].map(id => requestOf(1n, findCoordinator(id)))
  pipeline.wake()
  expect(port.answers).toEqual([])
  release()
  await pipeline.whenIdle()
  const ids = port.answers.map(
    ({ frame }) => decodeResponse(FindCoordinatorResponse, 2, frame!).correlationId,
  )
  expect(ids).toEqual([1, 2, 3])
})

test('a client over its share of time, or over another quota, is told and held off for the longer time', async () => {
  for (const [said, overuse, expected] of [
    [0, 0, 0],
    [0, 40, 40],
    [70, 40, 70],
  ] as const) {
    const { port, pipeline } = pipelineWith(() => ({ ...ANSWER, throttleTimeMs: said }), overuse)
    port.waiting = [requestOf(1n, findCoordinator(1))]
    pipeline.wake()
    await pipeline.whenIdle()
    const [answer] = port.answers
    expect(answer!.throttleMs).toBe(expected)
    const { body } = decodeResponse(FindCoordinatorResponse, 2, answer!.frame!)
    expect(body.throttleTimeMs).toBe(expected)
  }
})

test('a handler that throws is answered in the shape of the version with -1, and logged', async () => {
  const { port, pipeline, errors } = pipelineWith(() => {
    throw new Error('broken')
  })
  port.waiting = [requestOf(1n, findCoordinator(9))]
  pipeline.wake()
  await pipeline.whenIdle()
  const { body } = decodeResponse(FindCoordinatorResponse, 2, port.answers[0]!.frame!)
  expect(body.errorCode).toBe(-1)
  expect(errors).toEqual(['FindCoordinator failed inside the broker: broken'])
})

test('an ApiVersions of the future gets a version-0 body with error 35 and stays connected', async () => {
  const { port, pipeline } = pipelineWith(() => ANSWER)
  const frame = encodeRequest(
    ApiVersionsRequest,
    5,
    { correlationId: 4, clientId: null },
    {
      clientSoftwareName: 'a',
      clientSoftwareVersion: '1',
    },
  )
  frame.writeInt16BE(0x7fff, 2)
  port.waiting = [requestOf(1n, frame)]
  pipeline.wake()
  await pipeline.whenIdle()
  const { body } = decodeResponse(ApiVersionsResponse, 0, port.answers[0]!.frame!)
  expect(body.errorCode).toBe(35)
  expect(body.apiKeys).toEqual([{ apiKey: ApiKey.ApiVersions, minVersion: 0, maxVersion: 5 }])
  expect(port.closed).toEqual([])
})

test('unknown keys, unserved versions and frames that do not parse close the connection', async () => {
  const { port, pipeline } = pipelineWith(() => ANSWER)
  const unknown = findCoordinator(1)
  unknown.writeInt16BE(999, 0)
  const tooNew = findCoordinator(1)
  tooNew.writeInt16BE(7, 2)
  const cut = findCoordinator(1).subarray(0, -2)
  port.waiting = [unknown, tooNew, cut, Buffer.alloc(0)].map((frame, index) =>
    requestOf(BigInt(index), frame),
  )
  pipeline.wake()
  await pipeline.whenIdle()
  expect(port.answers).toEqual([])
  expect(port.closed.map(({ request }) => request.connection)).toEqual([0n, 1n, 2n, 3n])
})

test('bytes after the body are ignored, as in Kafka', async () => {
  const { port, pipeline } = pipelineWith(() => ANSWER)
  port.waiting = [requestOf(1n, Buffer.concat([findCoordinator(1), Buffer.from('rest')]))]
  pipeline.wake()
  await pipeline.whenIdle()
  expect(port.answers.length).toBe(1)
})

test('more requests than one take are all answered', async () => {
  const { port, pipeline } = pipelineWith(() => ANSWER)
  port.waiting = Array.from({ length: 1000 }, (_, id) => requestOf(BigInt(id), findCoordinator(id)))
  pipeline.wake()
  await pipeline.whenIdle()
  expect(port.answers.length).toBe(1000)
})
