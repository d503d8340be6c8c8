/**
 * The cluster that the client's tests run against: Millrace in this process, or the one that PEER_KAFKA_ADDRESS
 * (host:port) names, such as Apache Kafka. Topics get names of their own, so that a peer may be used again.
 */
import { Cluster } from '../../src/client/cluster/cluster.js'
import type { RequestSchema } from '../../src/protocol/schema/message.js'
import type { RunningBroker, StartBrokerOptions } from '../../src/index.js'

// A variable specifier: tsc must not need dist to be built.
const DIST = '../../dist/index.js'

export interface Target {
  readonly bootstrapServers: string
  /** True for a peer, whose settings are not ours to choose. */
  readonly isPeer: boolean
  /** A name that no other run has used. */
  topic(hint?: string): string
  /** False while an API is not built yet; its tests wait for it. */
  serves(request: RequestSchema): Promise<boolean>
  close(): Promise<void>
}

let counter = 0

/** Starts Millrace, or takes the peer. `properties` only concern Millrace. */
export async function startTarget(properties: Record<string, string> = {}): Promise<Target> {
  const run = `${process.pid}-${performance.timeOrigin.toFixed(0)}`
  const topic = (hint = 't') => `client-${hint}-${run}-${counter++}`
  const peer = process.env['PEER_KAFKA_ADDRESS']
  if (peer !== undefined && peer !== '') {
    const close = () => Promise.resolve()
    return { bootstrapServers: peer, isPeer: true, topic, serves: servesOf(peer), close }
  }
  const { startBroker } = (await import(DIST)) as {
    startBroker(options?: StartBrokerOptions): Promise<RunningBroker>
  }
  const broker = await startBroker({ properties })
  return {
    bootstrapServers: broker.bootstrapServers,
    isPeer: false,
    topic,
    serves: servesOf(broker.bootstrapServers),
    close: () => broker.close(),
  }
}

function servesOf(bootstrapServers: string): Target['serves'] {
  return async request => {
    const cluster = new Cluster({ bootstrapServers })
    try {
      return (await cluster.any()).versionOf(request) !== undefined
    } finally {
      cluster.close()
    }
  }
}
