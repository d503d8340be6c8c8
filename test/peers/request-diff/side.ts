/** One of the two brokers: a raw connection that is opened anew when it was closed, and the ids of its topics. */
import { connect, type Socket } from 'node:net'
import { decodeResponse, encodeRequest, encodeResponse } from '../../../src/protocol/codec.js'
import { FrameDecoder, SIZE_PREFIX_BYTES, sealFrame } from '../../../src/protocol/frame.js'
import { MetadataRequest, MetadataResponse } from '../../../src/protocol/messages/metadata.js'
import type { RequestSchema, ResponseSchema } from '../../../src/protocol/schema/message.js'
import type { Body } from './generate.js'

export interface Api {
  readonly name: string
  readonly request: RequestSchema
  readonly response: ResponseSchema
}

/** What came back: a decoded answer, or why there is none. */
export type Answer =
  | { readonly kind: 'answer'; readonly body: Body }
  | { readonly kind: 'closed' | 'silent' }
  | { readonly kind: 'undecodable'; readonly why: string }

const ZERO_ID = 'AAAAAAAAAAAAAAAAAAAAAA'
const UNKNOWN_ID = 'AbCdEfGhIjKlMnOpQrStUg'
const SILENCE_MS = 5000

export class Side {
  readonly name: string
  readonly host: string
  readonly port: number
  readonly topicIds = new Map<string, string>()
  readonly topicNames = new Map<string, string>()
  #socket: Socket | null = null
  #frames = new FrameDecoder(1 << 30)
  #arrived: Buffer[] = []
  #isClosed = true
  #wake: () => void = () => undefined
  #correlationId = 0

  constructor(name: string, address: string) {
    this.name = name
    const [host, port] = address.split(':')
    this.host = host!
    this.port = Number(port)
  }

  /** Sends a request of generated values; `id:NAME` stands for this side's id of that topic. */
  async ask(api: Api, version: number, body: Body, silenceMs = SILENCE_MS): Promise<Answer> {
    const correlationId = ++this.#correlationId
    const header = { correlationId, clientId: 'request-diff' }
    const own = this.withIds(body) as never
    const frame = sealFrame(encodeRequest(api.request, version, header, own, SIZE_PREFIX_BYTES))
    return this.#decoded(api, version, await this.exchange(frame, silenceMs))
  }

  /** Sends bytes with their size; null: the broker closed the connection; undefined: it said nothing. */
  async exchange(bytes: Buffer, silenceMs = SILENCE_MS): Promise<Buffer | null | undefined> {
    const socket = await this.#connected()
    socket.write(bytes)
    const deadline = Date.now() + silenceMs
    while (this.#arrived.length === 0) {
      if (this.#isClosed) return null
      const left = deadline - Date.now()
      if (left <= 0) {
        this.close()
        return undefined
      }
      await this.#news(left)
    }
    return this.#arrived.shift()!
  }

  /** Learns the ids of all topics. */
  async learnTopics(): Promise<void> {
    const api = { name: 'Metadata', request: MetadataRequest, response: MetadataResponse }
    const answer = await this.ask(api, 12, { topics: null, allowAutoTopicCreation: false })
    if (answer.kind !== 'answer') throw new Error(`${this.name} does not answer Metadata`)
    for (const { name, topicId } of answer.body.topics as { name: string; topicId: string }[]) {
      this.topicIds.set(name, topicId)
      this.topicNames.set(topicId, name)
    }
  }

  close(): void {
    this.#socket?.destroy()
    this.#socket = null
    this.#isClosed = true
  }

  withIds(value: unknown): unknown {
    if (Buffer.isBuffer(value) || value === null) return value
    if (Array.isArray(value)) return value.map(each => this.withIds(each))
    if (typeof value === 'object') {
      return Object.fromEntries(
        Object.entries(value).map(([name, each]) => [name, this.withIds(each)]),
      )
    }
    if (typeof value !== 'string' || !value.startsWith('id:')) return value
    if (value === 'id:zero') return ZERO_ID
    return this.topicIds.get(value.slice(3)) ?? UNKNOWN_ID
  }

  #decoded(api: Api, version: number, frame: Buffer | null | undefined): Answer {
    if (frame === null) return { kind: 'closed' }
    if (frame === undefined) return { kind: 'silent' }
    try {
      const { body, correlationId } = decodeResponse(api.response, version, frame)
      const again = encodeResponse(api.response, version, correlationId, body as never)
      if (!again.equals(frame)) {
        return { kind: 'undecodable', why: `${frame.length} bytes, encoded anew ${again.length}` }
      }
      return { kind: 'answer', body: body }
    } catch (error) {
      return { kind: 'undecodable', why: String(error) }
    }
  }

  async #connected(): Promise<Socket> {
    if (this.#socket !== null && !this.#isClosed) return this.#socket
    this.#frames = new FrameDecoder(1 << 30)
    this.#arrived = []
    const socket = connect({ host: this.host, port: this.port, noDelay: true })
    this.#socket = socket
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve)
      socket.once('error', reject)
    })
    this.#isClosed = false
    socket.on('data', (bytes: Buffer) => {
      if (socket !== this.#socket) return
      for (const frame of this.#frames.push(bytes)) this.#arrived.push(Buffer.from(frame))
      this.#wake()
    })
    socket.on('error', () => undefined)
    socket.on('close', () => {
      if (socket !== this.#socket) return
      this.#isClosed = true
      this.#wake()
    })
    return socket
  }

  #news(waitMs: number): Promise<void> {
    return new Promise(resolve => {
      const timer = setTimeout(resolve, waitMs)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}
