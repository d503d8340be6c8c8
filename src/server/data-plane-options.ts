/** From the broker's settings to the limits and sizes of its data plane. */
import { availableParallelism } from 'node:os'
import type { DataPlaneOptions } from '../binding/native-addon.js'
import type { BrokerConfig } from '../config/broker-config.js'

/** More reactors than processors only cost memory and switches; a set num.network.threads is kept. */
export function dataPlaneOptionsOf(config: BrokerConfig): DataPlaneOptions {
  const threads = config.get('num.network.threads')
  return {
    nodeId: config.nodeId,
    reactors: config.isExplicit('num.network.threads')
      ? threads
      : Math.min(threads, availableParallelism()),
    requestBytesMax: config.get('socket.request.max.bytes'),
    connectionsMaxIdleMs: Number(config.get('connections.max.idle.ms')),
    connectionsMax: config.get('max.connections'),
    connectionsPerIpMax: config.get('max.connections.per.ip'),
    sendBufferBytes: config.get('socket.send.buffer.bytes'),
    receiveBufferBytes: config.get('socket.receive.buffer.bytes'),
    backlog: config.get('socket.listen.backlog.size'),
    fetchBytesMax: config.get('fetch.max.bytes'),
    fetchSessionSlotsMax: config.get('max.incremental.fetch.session.cache.slots'),
  }
}
