/**
 * The open connections of a client: one per broker and purpose, opened on first use, reopened after a backoff that
 * grows with each failure, closed when idle for long.
 */
import { backoffMs, delay } from '../backoff.js'
import type { Address } from '../bootstrap-servers.js'
import { Connection } from '../connection.js'
import { closedError } from '../errors.js'
import type { ResolvedClientOptions } from '../options.js'

/**
 * Brokers answer a connection's requests one after the other. What waits long in the broker (JoinGroup, Fetch)
 * must not hold up the rest, so it goes by a connection of its own.
 */
export type Purpose = 'general' | 'coordinator' | 'fetch'

interface Slot {
  opening: Promise<Connection> | null
  connection: Connection | null
  failures: number
  retryAtMs: number
}

export class Connections {
  readonly #options: ResolvedClientOptions
  readonly #slots = new Map<string, Slot>()
  readonly #closing = new AbortController()
  readonly #idleTimer: ReturnType<typeof setInterval>

  constructor(options: ResolvedClientOptions) {
    this.#options = options
    const intervalMs = Math.max(1000, Math.min(30_000, options.connectionsMaxIdleMs / 2))
    this.#idleTimer = setInterval(() => this.#closeIdle(), intervalMs)
    unref(this.#idleTimer)
  }

  /** The open connection to an address, or a new one. Rejects as Connection.open, or ERR_CLIENT_CLOSED. */
  get(address: Address, purpose: Purpose): Promise<Connection> {
    const slot = this.#slot(address, purpose)
    if (slot.connection?.isOpen === true) return Promise.resolve(slot.connection)
    return (slot.opening ??= this.#open(address, slot).finally(() => (slot.opening = null)))
  }

  /** The connection if it is open now. */
  opened(address: Address, purpose: Purpose): Connection | undefined {
    const connection = this.#slots.get(keyOf(address, purpose))?.connection
    return connection?.isOpen === true ? connection : undefined
  }

  /** Closes all; requests in flight reject. */
  close(): void {
    clearInterval(this.#idleTimer)
    this.#closing.abort(closedError('client'))
    for (const { connection } of this.#slots.values()) connection?.close()
    this.#slots.clear()
  }

  async #open(address: Address, slot: Slot): Promise<Connection> {
    const { signal } = this.#closing
    signal.throwIfAborted()
    const waitMs = slot.retryAtMs - performance.now()
    if (slot.failures > 0 && waitMs > 0) await delay(waitMs, signal)
    const { clientId, requestTimeoutMs, socketConnectionSetupTimeoutMs, transport } = this.#options
    try {
      const connection = await Connection.open(address, {
        clientId,
        timeoutMs: requestTimeoutMs,
        connectTimeoutMs: socketConnectionSetupTimeoutMs,
        ...(transport === undefined ? {} : { transport }),
      })
      if (signal.aborted) connection.close()
      signal.throwIfAborted()
      slot.connection = connection
      slot.failures = 0
      return connection
    } catch (error) {
      const { reconnectBackoffMs: initialMs, reconnectBackoffMaxMs: maxMs } = this.#options
      slot.retryAtMs = performance.now() + backoffMs({ initialMs, maxMs }, slot.failures++)
      throw error
    }
  }

  #slot(address: Address, purpose: Purpose): Slot {
    const key = keyOf(address, purpose)
    let slot = this.#slots.get(key)
    if (slot === undefined) {
      slot = { opening: null, connection: null, failures: 0, retryAtMs: 0 }
      this.#slots.set(key, slot)
    }
    return slot
  }

  #closeIdle(): void {
    for (const [key, { connection }] of this.#slots) {
      if (connection === null || connection.idleMs < this.#options.connectionsMaxIdleMs) continue
      this.#slots.delete(key)
      connection.close()
    }
  }
}

/** Lets a Node process end while the timer waits; browsers' timers are numbers and need nothing. */
export function unref(timer: unknown): void {
  if (typeof timer === 'object' && timer !== null && 'unref' in timer) {
    ;(timer as { unref(): void }).unref()
  }
}

function keyOf({ host, port }: Address, purpose: Purpose): string {
  return `${purpose} ${host}:${port}`
}
