/** A Kafka client in bytes: frames on a socket, answers decoded strictly by the layout of the version asked for. */
import { connect, type Socket } from 'node:net'
import { API } from './wire-messages.js'
import { decodeBody, encodeBody, WireReader, WireWriter, type WireMessage } from './wire-codec.js'

export type ApiName = keyof typeof API

export interface RequestOptions {
  correlationId?: number
  clientId?: string | null
  /** Bytes for the tag section of a flexible header, with its count. */
  headerTags?: Buffer
}

/** A frame with its size. */
export function framed(content: Buffer): Buffer {
  const writer = new WireWriter()
  writer.int(content.length, 4)
  writer.raw(content)
  return writer.bytes()
}

export function encodeRequest(
  name: ApiName,
  version: number,
  body: WireMessage,
  options: RequestOptions = {},
): Buffer {
  const api = API[name]
  const flexible = version >= api.flexibleSince
  const clientId = options.clientId === undefined ? 'raw' : options.clientId
  const writer = new WireWriter()
  writer.int(api.key, 2)
  writer.int(version, 2)
  writer.int(options.correlationId ?? 1, 4)
  const id = clientId === null ? null : Buffer.from(clientId)
  writer.length(id?.length ?? null, false, 2)
  if (id !== null) writer.raw(id)
  if (flexible) writer.raw(options.headerTags ?? Buffer.from([0]))
  writer.raw(encodeBody(api.request, version, flexible, body))
  return framed(writer.bytes())
}

/** `frame` is without its size. ApiVersions answers with the old header in every version. */
export function decodeResponse(
  name: ApiName,
  version: number,
  frame: Buffer,
): { correlationId: number; body: WireMessage } {
  const api = API[name]
  const flexible = version >= api.flexibleSince
  const reader = new WireReader(frame)
  const correlationId = Number(reader.int(4))
  if (flexible && name !== 'ApiVersions') reader.skipTags()
  return { correlationId, body: decodeBody(api.response, version, flexible, reader) }
}

export class RawClient {
  readonly #socket: Socket
  #received = Buffer.alloc(0)
  #ended = false
  #wake: () => void = () => undefined
  #correlationId = 100

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.on('data', (bytes: Buffer) => {
      this.#received = Buffer.concat([this.#received, bytes])
      this.#wake()
    })
    socket.on('error', () => undefined)
    socket.on('close', () => {
      this.#ended = true
      this.#wake()
    })
  }

  static connect(port: number, host = '127.0.0.1'): Promise<RawClient> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host, noDelay: true })
      socket.once('connect', () => resolve(new RawClient(socket)))
      socket.once('error', reject)
    })
  }

  get bytesReceived(): number {
    return this.#received.length
  }

  get ended(): boolean {
    return this.#ended
  }

  send(bytes: Buffer): void {
    this.#socket.write(bytes)
  }

  /** The next frame without its size; null when the broker closed the connection instead. */
  async receive(): Promise<Buffer | null> {
    for (;;) {
      const size = this.#received.length < 4 ? -1 : this.#received.readInt32BE()
      if (size >= 0 && this.#received.length >= size + 4) {
        const frame = this.#received.subarray(4, size + 4)
        this.#received = this.#received.subarray(size + 4)
        return frame
      }
      if (this.#ended) return null
      await new Promise<void>(resolve => (this.#wake = resolve))
    }
  }

  /** Returns when the broker has closed the connection; false if it sent bytes before. */
  async closedSilently(): Promise<boolean> {
    return (await this.receive()) === null && this.#received.length === 0
  }

  async call(name: ApiName, version: number, body: WireMessage = {}): Promise<WireMessage> {
    const correlationId = this.#correlationId++
    this.send(encodeRequest(name, version, body, { correlationId }))
    return this.answer(name, version, correlationId)
  }

  /** The answer to a request that was sent before. */
  async answer(name: ApiName, version: number, correlationId: number): Promise<WireMessage> {
    const frame = await this.receive()
    if (frame === null) throw new Error(`the broker closed the connection on ${name} ${version}`)
    const response = decodeResponse(name, version, frame)
    if (response.correlationId !== correlationId) {
      throw new Error(`answer ${response.correlationId} came where ${correlationId} was awaited`)
    }
    return response.body
  }

  close(): void {
    this.#socket.destroy()
  }
}
