/**
 * How bytes get to a broker and back. TCP is one way (tcp.ts); browsers bring another. Frames, correlation and
 * timeouts are the business of connection.ts above it.
 */
import type { Address } from '../bootstrap-servers.js'

/** One open byte stream. */
export interface Transport {
  /** Sends all pieces in order, as one write where possible. They must not change until `isDrained`. */
  write(pieces: readonly Uint8Array[]): void
  /** Bytes handed to `write` that have not left yet. */
  readonly bufferedBytes: number
  /** Ends the stream at once. `onClosed` is not called for it. */
  close(): void
}

/** What the stream tells; set once, at opening. */
export interface TransportEvents {
  onData(bytes: Buffer): void
  /** The stream ended without `close`; the sentence says why. Called at most once. */
  onClosed(reason: string): void
}

/**
 * Opens a stream. Rejects with a KafkaError that names the address.
 *
 * @example
 * const transport: OpenTransport = openTcp
 * const producer = new Producer({ bootstrapServers: '127.0.0.1:9092', transport })
 */
export type OpenTransport = (
  address: Address,
  events: TransportEvents,
  timeoutMs: number,
) => Promise<Transport>
