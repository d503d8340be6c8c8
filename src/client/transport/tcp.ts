/** The TCP transport: the one file of the client that needs Node. */
import { type Socket, connect } from 'node:net'
import { codeOf, messageOf } from '../../base/errors.js'
import type { Address } from '../bootstrap-servers.js'
import { networkError } from '../errors.js'
import type { OpenTransport, Transport, TransportEvents } from './transport.js'

/**
 * Connects in plain text; rejects with ERR_CLIENT_CONNECT.
 *
 * @example
 * const producer = new Producer({ bootstrapServers: '127.0.0.1:9092', transport: openTcp })
 */
export const openTcp: OpenTransport = async (address, events, timeoutMs) => {
  return new TcpTransport(await openSocket(address, timeoutMs), events)
}

class TcpTransport implements Transport {
  readonly #socket: Socket
  #reason = 'the broker closed the connection'
  #isOver = false

  constructor(socket: Socket, events: TransportEvents) {
    this.#socket = socket
    socket.on('data', bytes => events.onData(bytes))
    socket.on('error', error => (this.#reason = messageOf(error)))
    socket.on('close', () => {
      if (this.#isOver) return
      this.#isOver = true
      events.onClosed(this.#reason)
    })
  }

  get bufferedBytes(): number {
    return this.#socket.writableLength
  }

  write(pieces: readonly Uint8Array[]): void {
    if (pieces.length === 1) {
      this.#socket.write(pieces[0]!)
      return
    }
    this.#socket.cork()
    for (const piece of pieces) this.#socket.write(piece)
    this.#socket.uncork()
  }

  close(): void {
    this.#isOver = true
    this.#socket.destroy()
  }
}

function openSocket({ host, port }: Address, timeoutMs: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true })
    const refuse = (why: string, cause?: unknown) => {
      socket.destroy()
      reject(
        networkError(
          'ERR_CLIENT_CONNECT',
          `Cannot connect to ${host}:${port}: ${why}. Check the address, and that the broker runs.`,
          cause,
        ),
      )
    }
    const timer = setTimeout(() => refuse(`no answer within ${timeoutMs} ms`), timeoutMs)
    socket.once('connect', () => {
      clearTimeout(timer)
      socket.removeAllListeners('error')
      resolve(socket)
    })
    socket.once('error', error => {
      clearTimeout(timer)
      refuse(reasonOf(error), error)
    })
  })
}

function reasonOf(error: unknown): string {
  switch (codeOf(error)) {
    case 'ECONNREFUSED':
      return 'nothing listens there (connection refused)'
    case 'ENOTFOUND':
      return 'the host name is not known'
    default:
      return messageOf(error)
  }
}
