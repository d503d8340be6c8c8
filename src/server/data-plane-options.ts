/** From the broker's settings to the limits and sizes of its data plane. */
import { availableParallelism } from 'node:os'
import type { ConnectionLimits, DataPlaneOptions } from '../binding/native-addon.js'
import type { BrokerConfig } from '../config/broker-config.js'

/** As the operating system has it. */
const SYSTEM_BUFFER = -1

/**
 * What is set is kept; two of Kafka's defaults are not. More reactors than processors, one of them left to the control
 * plane, only cost memory and switches. And socket buffers of 100 KiB turn off the system's own tuning: a request of
 * 1 MB then takes eight reads instead of two, and produce half as much CPU again (docs/decisions/0003).
 */
export function dataPlaneOptionsOf(config: BrokerConfig): DataPlaneOptions {
  const threads = config.get('num.network.threads')
  return {
    nodeId: config.nodeId,
    reactors: config.isExplicit('num.network.threads')
      ? threads
      : Math.max(1, Math.min(threads, availableParallelism() - 1)),
    requestBytesMax: config.get('socket.request.max.bytes'),
    connectionsMaxIdleMs: Number(config.get('connections.max.idle.ms')),
    ...connectionLimitsOf(config),
    quotaWindowNum: config.get('quota.window.num'),
    quotaWindowMs: config.get('quota.window.size.seconds') * 1000,
    sendBufferBytes: bufferBytes(config, 'socket.send.buffer.bytes'),
    receiveBufferBytes: bufferBytes(config, 'socket.receive.buffer.bytes'),
    backlog: config.get('socket.listen.backlog.size'),
    fetchBytesMax: config.get('fetch.max.bytes'),
    fetchSessionSlotsMax: config.get('max.incremental.fetch.session.cache.slots'),
  }
}

/** These also change while the broker runs. */
export function connectionLimitsOf(config: BrokerConfig): ConnectionLimits {
  return {
    connectionsMax: config.get('max.connections'),
    connectionsPerIpMax: config.get('max.connections.per.ip'),
    connectionsPerIpOverrides: overridesOf(config.get('max.connections.per.ip.overrides')),
  }
}

/** `10.0.0.1:100,10.0.0.2:200`; an IPv6 address may stand in brackets. */
function overridesOf(text: string): Record<string, number> {
  const pairs = text.split(',').map(pair => /^\s*\[?(.+?)\]?:\s*([0-9]+)\s*$/.exec(pair))
  return Object.fromEntries(
    pairs.flatMap(found => (found === null ? [] : [[found[1]!, Number(found[2])]])),
  )
}

function bufferBytes(
  config: BrokerConfig,
  key: 'socket.send.buffer.bytes' | 'socket.receive.buffer.bytes',
): number {
  return config.isExplicit(key) ? config.get(key) : SYSTEM_BUFFER
}
