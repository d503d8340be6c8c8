/**
 * A TCP transport that loses connections by plan: after a request was written (the broker takes it, its answer is
 * lost), before it is written, or when an answer arrives. What an idempotent producer must survive.
 */
import { openTcp } from '../../src/client/transport/tcp.js'
import type { OpenTransport } from '../../src/client/transport/transport.js'

export type Fault = 'none' | 'loseAnswer' | 'loseRequest'

const PRODUCE_KEY = 0
const API_KEY_OFFSET = 4

/** `faultOf` is asked for each Produce request with its number, from 0. */
export function faultyTransport(faultOf: (request: number) => Fault): OpenTransport {
  let requests = 0
  return async (address, events, timeoutMs) => {
    let isBroken = false
    const inner = await openTcp(
      address,
      {
        onData: bytes => {
          if (!isBroken) events.onData(bytes)
        },
        onClosed: reason => {
          if (!isBroken) events.onClosed(reason)
        },
      },
      timeoutMs,
    )
    const lose = (afterMs: number) => {
      isBroken = true
      // Time for the broker to take what was written; the outcome does not depend on how much of it is enough.
      setTimeout(() => {
        inner.close()
        events.onClosed('the test cut it')
      }, afterMs)
    }
    return {
      get bufferedBytes() {
        return inner.bufferedBytes
      },
      write: pieces => {
        if (isBroken) return
        const isProduce =
          Buffer.from(pieces[0]!.subarray(0, 6)).readInt16BE(API_KEY_OFFSET) === PRODUCE_KEY
        const fault = isProduce ? faultOf(requests++) : 'none'
        if (fault !== 'loseRequest') inner.write(pieces)
        if (fault !== 'none') lose(fault === 'loseAnswer' ? 20 : 0)
      },
      close: () => inner.close(),
    }
  }
}
