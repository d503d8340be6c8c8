/** Protects what tools tell their users when a broker is not there, is not one, or does not answer. */
import { type AddressInfo, type Server, type Socket, createServer } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { AdminClient } from '../../../src/client/admin-client.js'
import { parseBootstrapServers } from '../../../src/client/bootstrap-servers.js'
import { decodeRequestHeader, encodeResponse } from '../../../src/protocol/codec.js'
import { FrameDecoder, SIZE_PREFIX_BYTES, sealFrame } from '../../../src/protocol/frame.js'
import { ApiVersionsResponse } from '../../../src/protocol/messages/api-versions.js'
import { MetadataRequest, MetadataResponse } from '../../../src/protocol/messages/metadata.js'

const servers: Server[] = []
const METADATA = { request: MetadataRequest, response: MetadataResponse }

afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

/** A server that gives each frame to `answer`; returns its address. */
async function serve(answer: (frame: Buffer, socket: Socket) => void): Promise<string> {
  const server = createServer(socket => {
    const frames = new FrameDecoder()
    socket.on('error', () => {})
    socket.on('data', bytes => {
      for (const frame of frames.push(bytes)) answer(frame, socket)
    })
  })
  servers.push(server)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

function versions(socket: Socket, version: number, correlationId: number, errorCode = 0): void {
  const apiKeys =
    errorCode === 0
      ? [{ apiKey: 3, minVersion: 0, maxVersion: 4 }]
      : [{ apiKey: 18, minVersion: 0, maxVersion: 2 }]
  const body = { errorCode, apiKeys }
  socket.write(
    sealFrame(encodeResponse(ApiVersionsResponse, version, correlationId, body, SIZE_PREFIX_BYTES)),
  )
}

const headerOf = (frame: Buffer) => decodeRequestHeader(frame, () => Infinity).header
const connect = (address: string, timeoutMs = 5000) =>
  AdminClient.connect(address, { clientId: 'test', timeoutMs })

test('a broker that knows no ApiVersions 3 is asked again with 0, and its ranges are kept to', async () => {
  const asked: [number, number][] = []
  const address = await serve((frame, socket) => {
    const { apiKey, apiVersion, correlationId } = headerOf(frame)
    asked.push([apiKey, apiVersion])
    if (apiKey === 18) return versions(socket, 0, correlationId, apiVersion > 2 ? 35 : 0)
    const body = { brokers: [], topics: [], clusterId: 'c', controllerId: 1 }
    socket.write(
      sealFrame(
        encodeResponse(MetadataResponse, apiVersion, correlationId, body, SIZE_PREFIX_BYTES),
      ),
    )
  })
  const client = await connect(address)
  const answer = await client.request(METADATA, { topics: null })
  client.close()
  expect(answer.clusterId).toBe('c')
  expect(asked).toEqual([
    [18, 3],
    [18, 0],
    [3, 4],
  ])
})

test('nothing listening, no answer, and closed connections are told apart', async () => {
  await expect(connect('127.0.0.1:1')).rejects.toMatchObject({ code: 'ERR_CLIENT_CONNECT' })
  const silent = await serve(() => {})
  await expect(connect(silent, 50)).rejects.toMatchObject({ code: 'ERR_CLIENT_TIMEOUT' })
  const closing = await serve((_frame, socket) => socket.destroy())
  await expect(connect(closing)).rejects.toMatchObject({ code: 'ERR_CLIENT_LOST' })
})

test('an answer that is not of Kafka ends the connection with a clear error', async () => {
  const address = await serve((_frame, socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'))
  await expect(connect(address)).rejects.toMatchObject({ code: 'ERR_CLIENT_LOST' })
})

test('the second bootstrap server is used when the first is down', async () => {
  const address = await serve((frame, socket) => versions(socket, 3, headerOf(frame).correlationId))
  const client = await connect(`127.0.0.1:1,${address}`)
  expect(client.serves(MetadataRequest)).toBe(true)
  client.close()
})

test('bootstrap servers are host:port lists', () => {
  expect(parseBootstrapServers('a:1, [::1]:9092')).toEqual([
    { host: 'a', port: 1 },
    { host: '::1', port: 9092 },
  ])
  for (const text of ['', 'a', 'a:0', 'a:70000', '::1:9092', 'http://a:1', 'a:b']) {
    expect(() => parseBootstrapServers(text)).toThrow(/host:port/)
  }
})
