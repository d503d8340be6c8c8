/** The cluster of one broker: itself, its own controller, at the address of the listener that was asked. */
import type { EndPoint } from '../config/listeners.js'
import type { BrokerNode, ClusterView } from './services.js'

export interface SingleBroker {
  readonly clusterId: string
  readonly nodeId: number
  readonly rack: string | null
  /** By listener, with the ports that clients can connect to. */
  readonly advertised: readonly EndPoint[]
}

export function singleBrokerView(broker: SingleBroker): ClusterView {
  const { clusterId, nodeId, rack } = broker
  const byListener = new Map<string, readonly BrokerNode[]>(
    broker.advertised.map(({ name, host, port }) => [
      name,
      [{ nodeId, host, port, rack, isFenced: false }],
    ]),
  )
  return {
    clusterId,
    nodeId,
    controllerId: nodeId,
    brokers: listenerName => byListener.get(listenerName) ?? [],
  }
}
